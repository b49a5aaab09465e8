import { expect } from "vitest";

import { snapshotOf } from "../../src/testing/tree-snapshot.ts";
import type { Args } from "./doors.ts";
import type { DoorStatement } from "./statement.ts";
import { block, headers, numberedLines, onDisk } from "./vault.ts";

const STATE = "vault/projects/lantern/state.md";
const TASKS = "vault/projects/lantern/tasks.md";
const JOURNAL = "vault/changelog.md";

type Wanted = string | readonly [path: string, lines: string | null];

/** The argument for these files, each whole or some of its lines. */
function of(...wanted: readonly Wanted[]): Args {
  const files = wanted.map((each) =>
    typeof each === "string" ? { path: each } : { path: each[0], lines: each[1] },
  );
  return { files };
}

const statements: readonly DoorStatement[] = [
  {
    states: "a list of files becomes one document",
    check: async ({ ask, place }) => {
      const { text, isError } = await ask("concat", of(STATE, TASKS));
      const [state, tasks] = [STATE, TASKS].map((each) =>
        block(each, onDisk(place, each.slice(6))),
      );
      expect({ text, isError }).toEqual({ text: `${state}\n\n${tasks}`, isError: false });
    },
  },
  {
    states: "ranges of lines are assembled as files are",
    check: async ({ ask, place }) => {
      const { text } = await ask("concat", of([STATE, "7-8"], [JOURNAL, "1-5"]));
      expect(headers(text)).toEqual([`${STATE} (lines 7-8)`, `${JOURNAL} (lines 1-5)`]);
      const state = block(STATE, onDisk(place, STATE.slice(6))).split("\n");
      expect(numberedLines(text).slice(0, 2)).toEqual(state.slice(7, 9));
    },
  },
  {
    states: "nothing is shortened, summed up or put in other words",
    check: async ({ ask, place }) => {
      const { text } = await ask("concat", of(JOURNAL));
      const said = numberedLines(text).map((line) => line.replace(/^\d+ *\| ?/u, ""));
      expect(`${said.join("\n")}\n`).toBe(onDisk(place, "changelog.md"));
    },
  },
  {
    states: "nothing in the vault is changed",
    check: async ({ ask, place }) => {
      const before = snapshotOf(place.root);
      await ask("concat", of(STATE, [JOURNAL, "1-5"], "vault/none.md"));
      expect(snapshotOf(place.root)).toEqual(before);
    },
  },
  {
    states: "what search finds and read confirms is what concat assembles",
    check: async ({ ask }) => {
      const { text: found } = await ask("search", { queries: ["Order the wick"], limit: 1 });
      const [, path = "", lines = ""] = /^```(\S+) \(lines (\S+)\)/u.exec(found) ?? [];
      const { text: read } = await ask("read", { paths: path });
      const { text } = await ask("concat", of([path, lines]));
      expect(text).toContain("| # Order the wick");
      for (const line of numberedLines(text)) expect(numberedLines(read)).toContain(line);
    },
  },
  {
    states: "a call without files is an error",
    notInShell: true,
    check: async ({ ask }) => {
      const { text, isError } = await ask("concat", {});
      expect(isError).toBe(true);
      expect(text).toContain("files");
    },
  },
  {
    states: "the files come in the order of the list",
    check: async ({ ask }) => {
      const { text } = await ask("concat", of(TASKS, [JOURNAL, "1-2"], STATE));
      expect(headers(text)).toEqual([TASKS, `${JOURNAL} (lines 1-2)`, STATE]);
    },
  },
  {
    states: "an element without a path is an error",
    notInShell: true,
    check: async ({ ask }) => {
      const { text, isError } = await ask("concat", { files: [{ lines: "1-2" }] });
      expect(isError).toBe(true);
      expect(text).toContain("path");
    },
  },
  {
    states: "lines as null is the whole file",
    check: async ({ ask, place }) => {
      const { text } = await ask("concat", of([STATE, null]));
      expect(text).toBe(block(STATE, onDisk(place, STATE.slice(6))));
    },
  },
  {
    states: "lines left out is the whole file",
    check: async ({ ask, place }) => {
      const { text } = await ask("concat", of(STATE));
      expect(text).toBe(block(STATE, onDisk(place, STATE.slice(6))));
    },
  },
  {
    states: "lines as an empty text is the whole file",
    check: async ({ ask, place }) => {
      const { text } = await ask("concat", of([STATE, ""]));
      expect(text).toBe(block(STATE, onDisk(place, STATE.slice(6))));
    },
  },
  {
    states: "a range from 1 takes the first lines, the last of them too",
    check: async ({ ask, place }) => {
      const { text } = await ask("concat", of([JOURNAL, "1-45"]));
      const all = block(JOURNAL, onDisk(place, "changelog.md")).split("\n");
      expect(numberedLines(text)).toEqual(all.slice(1, 46));
    },
  },
  {
    states: "a range within takes only its lines",
    check: async ({ ask, place }) => {
      const { text } = await ask("concat", of([JOURNAL, "12-18"]));
      const all = block(JOURNAL, onDisk(place, "changelog.md")).split("\n");
      expect(numberedLines(text)).toEqual(all.slice(12, 19));
    },
  },
  {
    states: "the numbers are those that read shows for the same lines",
    check: async ({ ask }) => {
      const { text: read } = await ask("read", { paths: STATE });
      const { text } = await ask("concat", of([STATE, "9-11"]));
      expect(numberedLines(text)).toEqual(numberedLines(read).slice(8, 11));
    },
  },
  {
    states: "each file has a block of its own",
    check: async ({ ask }) => {
      const { text } = await ask("concat", of(STATE, TASKS, STATE));
      expect(text.split("\n").filter((line) => line.startsWith("```"))).toHaveLength(6);
    },
  },
  {
    states: "a block is headed by the path and holds the numbered lines",
    check: async ({ ask }) => {
      const { text } = await ask("concat", of(TASKS));
      const [first, ...rest] = text.split("\n");
      expect([first, rest.at(-1)]).toEqual(["```" + TASKS, "```"]);
      expect(rest.slice(0, -1).every((line) => /^\d+ +\|/u.test(line))).toBe(true);
    },
  },
  {
    states: "headings and fences in a file do not disturb the document",
    check: async ({ ask }) => {
      const { text } = await ask("concat", of("vault/fences.md", TASKS));
      expect(text).not.toMatch(/^#/mu);
      const fences = text.split("\n").filter((line) => line.startsWith("```"));
      expect(fences).toEqual(["```vault/fences.md", "```", "```" + TASKS, "```"]);
    },
  },
  {
    states: "a file, a range and a file come byte for byte as documented",
    check: async ({ ask }) => {
      const { text } = await ask(
        "concat",
        of("vault/projects/orchard/tasks.md", [STATE, "9-14"], TASKS),
      );
      expect(text).toBe(
        [
          "```vault/projects/orchard/tasks.md",
          "1  | ---",
          "2  | created: 2026-02-03T09:00:00",
          "3  | updated: 2026-02-10T17:45:00",
          "4  | tokens: 25",
          "5  | ---",
          "6  |",
          "7  | # Prune the quince",
          "```",
          "",
          "```vault/projects/lantern/state.md (lines 9-14)",
          "9  |",
          "10 | ## Now",
          "11 | Fitting the burner",
          "12 |",
          "13 | ## In the way",
          "14 | The glazier comes in May. Decided: plain glass until then.",
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
    states: "the header of a range names its lines",
    check: async ({ ask }) => {
      const { text } = await ask("concat", of([STATE, "9-14"]));
      expect(headers(text)).toEqual([`${STATE} (lines 9-14)`]);
    },
  },
  {
    states: "the header of a whole file is the path alone",
    check: async ({ ask }) => {
      const { text } = await ask("concat", of(STATE));
      expect(headers(text)).toEqual([STATE]);
    },
  },
  {
    states: "the lines of a range keep the numbers they have in the file",
    check: async ({ ask }) => {
      const { text } = await ask("concat", of([STATE, "9-14"]));
      const numbers = numberedLines(text).map((line) => Number.parseInt(line, 10));
      expect(numbers).toEqual([9, 10, 11, 12, 13, 14]);
    },
  },
  {
    states: "an empty list gives one empty text and no error",
    notInShell: true,
    check: async ({ ask }) => {
      const { text, blocks, isError } = await ask("concat", { files: [] });
      expect({ text, blocks, isError }).toEqual({ text: "", blocks: 1, isError: false });
    },
  },
  {
    states: "a path that is not there is an error that names it",
    check: async ({ ask }) => {
      const { text, isError } = await ask("concat", of("vault/none.md"));
      expect(isError).toBe(true);
      expect(text).toContain("vault/none.md does not exist");
    },
  },
  {
    states: "the other files are assembled although one is not there",
    check: async ({ ask }) => {
      const { text, isError } = await ask("concat", of(TASKS, "vault/none.md", STATE));
      expect(isError).toBe(false);
      expect(headers(text)).toEqual([TASKS, STATE]);
      expect(text).toContain("vault/none.md does not exist");
    },
  },
  {
    states: "a range that is none is an error that shows the form it should have",
    notInShell: true,
    check: async ({ ask }) => {
      const { text, isError } = await ask("concat", of([STATE, "abc-def"]));
      expect(isError).toBe(true);
      expect(text).toContain('"abc-def"');
      expect(text).toContain('"9-14"');
    },
  },
  {
    states: "the other files are assembled although the range of one is none",
    notInShell: true,
    check: async ({ ask }) => {
      const { text, isError } = await ask("concat", of([STATE, "abc-def"], TASKS));
      expect(isError).toBe(false);
      expect(headers(text)).toEqual([TASKS]);
    },
  },
  {
    states: "a range past the end goes to the last line there is",
    check: async ({ ask, place }) => {
      const { text, isError } = await ask("concat", of([STATE, "1-9999"]));
      expect(isError).toBe(false);
      const lines = block(STATE, onDisk(place, STATE.slice(6))).split("\n");
      expect(numberedLines(text)).toEqual(lines.slice(1, -1));
    },
  },
];

/** `concat` by itself: it is in the search profile only. */
export const CONCAT: readonly DoorStatement[] = statements.map((statement) => ({
  ...statement,
  profile: "search",
}));
