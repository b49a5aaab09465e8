import { expect } from "vitest";

import type { DoorStatement } from "./statement.ts";
import { block, numberedLines, onDisk } from "./vault.ts";

const STATE = "vault/projects/lantern/state.md";

/** The form of what `read` answers. */
export const READ_FORMAT: readonly DoorStatement[] = [
  {
    states: "a file comes in a block under its path, byte for byte as documented",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: STATE });
      expect(text).toBe(
        [
          "```vault/projects/lantern/state.md",
          "1  | ---",
          "2  | created: 2026-02-03T09:00:00",
          "3  | updated: 2026-02-10T17:45:00",
          "4  | tokens: 55",
          "5  | ---",
          "6  |",
          "7  | ## Where it stands",
          "8  | The lens is ground",
          "9  |",
          "10 | ## Now",
          "11 | Fitting the burner",
          "12 |",
          "13 | ## In the way",
          "14 | The glazier comes in May. Decided: plain glass until then.",
          "```",
        ].join("\n"),
      );
    },
  },
  {
    states: "several files come each under its path with one empty line between, byte for byte",
    check: async ({ ask }) => {
      const { text } = await ask("read", {
        paths: ["vault/projects/orchard/state.md", "vault/projects/lantern/tasks.md"],
      });
      expect(text).toBe(
        [
          "```vault/projects/orchard/state.md",
          "1  | ---",
          "2  | created: 2026-02-03T09:00:00",
          "3  | updated: 2026-02-10T17:45:00",
          "4  | tokens: 30",
          "5  | ---",
          "6  |",
          "7  | ## Where it stands",
          "8  | Twelve trees planted",
          "```",
          "",
          "```vault/projects/lantern/tasks.md",
          "1  | ---",
          "2  | created: 2026-02-03T09:00:00",
          "3  | updated: 2026-02-10T17:45:00",
          "4  | tokens: 40",
          "5  | ---",
          "6  |",
          "7  | # Order the wick",
          "8  | status: todo | prio: high | added: 2026-02-10 | project: lantern",
          "```",
        ].join("\n"),
      );
    },
  },
  {
    states: "the frontmatter is part of what is read",
    check: async ({ ask, place }) => {
      const { text } = await ask("read", { paths: STATE });
      const [, head = ""] = /^(---\n.*?\n---)\n/su.exec(onDisk(place, STATE.slice(6))) ?? [];
      expect(head).toContain("tokens: ");
      for (const line of head.split("\n")) expect(text).toContain(`| ${line}\n`);
    },
  },
  {
    states: "every line begins with its number",
    check: async ({ ask, place }) => {
      const { text } = await ask("read", { paths: "vault/headings.md" });
      const total = onDisk(place, "headings.md").trimEnd().split("\n").length;
      const numbers = text
        .split("\n")
        .slice(1, -1)
        .map((line) => Number(/^(\d+) *\|/u.exec(line)?.[1]));
      expect(numbers).toEqual(Array.from({ length: total }, (_, at) => at + 1));
    },
  },
  {
    states: "the numbers of a part are those of the whole file, from its start",
    check: async ({ ask, place }) => {
      const { text } = await ask("read", { paths: "vault/changelog.md", head: 500 });
      const all = block("vault/changelog.md", onDisk(place, "changelog.md")).split("\n");
      const shown = numberedLines(text);
      expect(shown[0]).toMatch(/^1 +\| /u);
      expect(shown).toEqual(all.slice(1, 1 + shown.length));
    },
  },
  {
    states: "the numbers of a part are those of the whole file, to its end",
    check: async ({ ask, place }) => {
      const { text } = await ask("read", { paths: "vault/changelog.md", tail: 500 });
      const all = block("vault/changelog.md", onDisk(place, "changelog.md")).split("\n");
      const shown = numberedLines(text);
      expect(shown.length).toBeGreaterThan(5);
      expect(shown).toEqual(all.slice(-1 - shown.length, -1));
    },
  },
  {
    states: "the numbers that read shows are the ones that concat takes",
    profile: "search",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: STATE });
      const seen = numberedLines(text);
      const { text: joined } = await ask("concat", { files: [{ path: STATE, lines: "10-11" }] });
      expect(numberedLines(joined)).toEqual(seen.slice(9, 11));
    },
  },
];

/** Only the outline of a file. */
export const READ_FOLDED: readonly DoorStatement[] = [
  {
    states:
      "folded shows only the headings of levels 1 and 2, and three dots for what is under them",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/headings.md", folded: true });
      const shown = text.split("\n").slice(1, -1);
      expect(shown).toEqual([
        "7  | # One ... (2 lines, 3 tokens)",
        "10 | ## One, first ... (8 lines, 12 tokens)",
        "19 | # Two",
        "20 | ## Two, first ... (1 line, 3 tokens)",
      ]);
    },
  },
  {
    states: "folded, a file takes a few lines, one for each section",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/changelog.md", folded: true });
      const shown = text.split("\n").slice(1, -1);
      expect(shown).toHaveLength(120);
      expect(shown.every((line) => /^\d+ *\| ##? /u.test(line))).toBe(true);
    },
  },
  {
    states: "the numbers of folded headings lead to the sections in the file",
    check: async ({ ask, place }) => {
      const { text } = await ask("read", { paths: "vault/changelog.md", folded: true });
      const all = onDisk(place, "changelog.md").split("\n");
      for (const line of numberedLines(text)) {
        const [, number, heading] = /^(\d+) *\| (.*?)(?: \.\.\. \(.*\))?$/u.exec(line) ?? [];
        expect(all[Number(number) - 1]).toBe(heading);
      }
    },
  },
];
