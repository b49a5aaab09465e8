import { expect } from "vitest";

import type { Door } from "./doors.ts";
import type { DoorStatement } from "./statement.ts";
import { headers, onDisk, put } from "./vault.ts";

let made = 0;

/** A file that nobody has read. */
function unread({ place }: Door): string {
  made += 1;
  const name = `unread-${made}.txt`;
  put(place, name, "first\nsecond\nsecond\nthird\n");
  return name;
}

/** What must be read before it is changed, and what is read after it was found. */
export const READ_THEN_EDIT: readonly DoorStatement[] = [
  {
    states: "edit is refused for a file that was not read before",
    profile: "update",
    // There the command reads the file itself.
    notInShell: true,
    check: async (door) => {
      const name = unread(door);
      const { text, isError } = await door.ask("edit", {
        path: `vault/${name}`,
        old_content: "first",
        new_content: "1st",
      });
      expect(isError).toBe(true);
      expect(text).toMatch(/read/u);
      expect(onDisk(door.place, name)).toContain("first");
    },
  },
  {
    states: "edit is done after the file was read",
    profile: "update",
    check: async (door) => {
      const name = unread(door);
      await door.ask("read", { paths: `vault/${name}` });
      const { isError } = await door.ask("edit", {
        path: `vault/${name}`,
        old_content: "first",
        new_content: "1st",
      });
      expect(isError).toBe(false);
      expect(onDisk(door.place, name)).toBe("1st\nsecond\nsecond\nthird\n");
    },
  },
  {
    states: "edit wants the exact text of the file",
    profile: "update",
    check: async (door) => {
      const name = unread(door);
      await door.ask("read", { paths: `vault/${name}` });
      const { isError } = await door.ask("edit", {
        path: `vault/${name}`,
        old_content: "First",
        new_content: "1st",
      });
      expect(isError).toBe(true);
      expect(onDisk(door.place, name)).toContain("first");
    },
  },
  {
    states: "the numbers that read shows name the place for an edit",
    profile: "update",
    check: async (door) => {
      const name = unread(door);
      await door.ask("read", { paths: `vault/${name}` });
      const { isError } = await door.ask("edit", {
        path: `vault/${name}`,
        old_content: "3  | second",
        new_content: "3  | 3rd",
      });
      expect(isError).toBe(false);
      expect(onDisk(door.place, name)).toBe("first\nsecond\n3rd\nthird\n");
    },
  },
  {
    states: "the files that search names can be read as they are named",
    check: async ({ ask }) => {
      const { text } = await ask("search", { queries: ["glazier comes in May"] });
      const [found = ""] = headers(text).map((header) => header.replace(/ \(.*/u, ""));
      expect(found).toBe("vault/projects/lantern/state.md");
      const { text: read, isError } = await ask("read", { paths: found });
      expect(isError).toBe(false);
      expect(read).toContain("| The glazier comes in May.");
    },
  },
];
