import { existsSync } from "node:fs";
import path from "node:path";

import { expect } from "vitest";

import type { Door } from "./doors.ts";
import type { DoorStatement } from "./statement.ts";
import { headers, numberedLines, onDisk, put } from "./vault.ts";

let made = 0;

/** The name of a file that no other check uses. The job stamps no .txt, so that each byte can be compared. */
function fresh(): string {
  made += 1;
  return `tool-${made}.txt`;
}

function isThere({ place }: Door, name: string): boolean {
  return existsSync(path.join(place.root, name));
}

async function expectAppended(door: Door, position: "top" | "bottom"): Promise<void> {
  const name = fresh();
  put(door.place, name, "there\n");
  const args = { path: `vault/${name}`, content: "added", position };
  expect((await door.ask("append", args)).isError).toBe(false);
  const now = position === "top" ? "added\n\nthere\n" : "there\n\nadded\n";
  expect(onDisk(door.place, name)).toBe(now);
}

/** What each tool is for, and what no tool does. */
export const TOOLS_INDEX: readonly DoorStatement[] = [
  {
    states: "tree shows the shape of the vault with tokens and times",
    check: async ({ ask }) => {
      const { text } = await ask("tree", { path: "vault/projects/orchard/" });
      expect(text).toMatch(/^└── tasks\.md +\[25 · 2026-02-10 17:45\]$/mu);
    },
  },
  {
    states: "read shows a file with its line numbers",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/uneven.txt" });
      expect(numberedLines(text)).toHaveLength(3);
    },
  },
  {
    states: "search finds what is in the indexed vault",
    check: async ({ ask }) => {
      const { text } = await ask("search", { queries: ["Twelve trees"] });
      expect(headers(text)[0]).toContain("vault/projects/orchard/state.md (lines ");
    },
  },
  {
    states: "write creates a whole file",
    profile: "update",
    check: async (door) => {
      const name = fresh();
      await door.ask("write", { path: `vault/${name}`, content: "one\ntwo\n" });
      expect(onDisk(door.place, name)).toBe("one\ntwo\n");
    },
  },
  {
    states: "write replaces a whole file that was read",
    profile: "update",
    // The command wants --force or a hash, since a person reads with other programs.
    notInShell: true,
    check: async (door) => {
      const name = fresh();
      put(door.place, name, "before\n");
      await door.ask("read", { paths: `vault/${name}` });
      await door.ask("write", { path: `vault/${name}`, content: "after\n" });
      expect(onDisk(door.place, name)).toBe("after\n");
    },
  },
  {
    states: "edit replaces one passage and leaves the rest",
    profile: "update",
    check: async (door) => {
      const name = fresh();
      put(door.place, name, "one\ntwo\nthree\n");
      await door.ask("read", { paths: `vault/${name}` });
      const texts = { old_content: "two", new_content: "2" };
      await door.ask("edit", { path: `vault/${name}`, ...texts });
      expect(onDisk(door.place, name)).toBe("one\n2\nthree\n");
    },
  },
  ...(["top", "bottom"] as const).map((position): DoorStatement => ({
    states: `append adds at the ${position} of a file that was not read`,
    profile: "update",
    check: async (door) => expectAppended(door, position),
  })),
  {
    states: "move puts a file elsewhere in the vault",
    profile: "update",
    check: async (door) => {
      const [from, to] = [fresh(), fresh()];
      put(door.place, from, "moved\n");
      await door.ask("move", { from: `vault/${from}`, to: `vault/${to}` });
      expect(onDisk(door.place, to)).toBe("moved\n");
      expect(isThere(door, from)).toBe(false);
    },
  },
  {
    states: "delete removes a file",
    profile: "update",
    check: async (door) => {
      const name = fresh();
      put(door.place, name, "gone\n");
      await door.ask("delete", { path: `vault/${name}` });
      expect(isThere(door, name)).toBe(false);
    },
  },
  {
    states: "delete removes a folder with what is in it",
    profile: "update",
    check: async (door) => {
      const name = fresh();
      await door.ask("write", { path: `vault/f-${name}/a/b.txt`, content: "gone\n" });
      expect(isThere(door, `f-${name}/a/b.txt`)).toBe(true);
      await door.ask("delete", { path: `vault/f-${name}/` });
      expect(isThere(door, `f-${name}`)).toBe(false);
    },
  },
  {
    states: "what is neither text nor image is refused, and the way to convert it is named",
    check: async (door) => {
      const name = `${fresh()}.pdf`;
      put(door.place, name, "%PDF-1.7\0\0");
      const { text, isError } = await door.ask("read", { paths: `vault/${name}` });
      expect(isError).toBe(true);
      expect(text).toContain("coffre ingest");
    },
  },
];
