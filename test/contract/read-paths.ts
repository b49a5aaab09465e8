import { expect } from "vitest";

import type { DoorStatement } from "./statement.ts";
import { block, headers, numberedLines, onDisk } from "./vault.ts";

const STATE = "vault/projects/lantern/state.md";
const TASKS = "vault/projects/lantern/tasks.md";

/** What `read` takes, and which files it then reads. */
export const READ_PATHS: readonly DoorStatement[] = [
  {
    states: "a path alone reads that file",
    check: async ({ ask, place }) => {
      const { text } = await ask("read", { paths: STATE });
      expect(text).toBe(block(STATE, onDisk(place, "projects/lantern/state.md")));
    },
  },
  {
    states: "a list reads several files, in its order",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: [TASKS, STATE] });
      expect(headers(text)).toEqual([TASKS, STATE]);
    },
  },
  {
    states: "a folder reads the files that are directly in it",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/projects/orchard/" });
      expect(headers(text)).toEqual([
        "vault/projects/orchard/state.md",
        "vault/projects/orchard/tasks.md",
      ]);
    },
  },
  {
    states: "a list of folders reads the files of each",
    check: async ({ ask }) => {
      const { text } = await ask("read", {
        paths: ["vault/projects/orchard/", "vault/inbox/2026-02-10-lens/"],
      });
      expect(headers(text)).toEqual([
        "vault/projects/orchard/state.md",
        "vault/projects/orchard/tasks.md",
        "vault/inbox/2026-02-10-lens/review.md",
      ]);
    },
  },
  {
    states: "files and folders may stand in one list",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: [STATE, "vault/projects/orchard/"] });
      expect(headers(text)).toEqual([
        STATE,
        "vault/projects/orchard/state.md",
        "vault/projects/orchard/tasks.md",
      ]);
    },
  },
  {
    states: "the folders in a folder are left out",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/layers/" });
      expect(headers(text)).toEqual(["vault/layers/top.md"]);
      expect(text).not.toContain("Below");
    },
  },
  {
    states: "what is in a project's bucket is read by naming the bucket",
    check: async ({ ask }) => {
      const { text, images } = await ask("read", { paths: "vault/projects/lantern/bucket/" });
      expect(headers(text)).toEqual(["vault/projects/lantern/bucket/quote.md"]);
      expect(images).toHaveLength(1);
    },
  },
  {
    states: "a call without paths is an error",
    check: async ({ ask }) => {
      const { text, isError } = await ask("read", {});
      expect(isError).toBe(true);
      expect(text).toMatch(/path/iu);
    },
  },
  {
    states: "an empty list is an error that says so",
    check: async ({ ask }) => {
      const { text, isError } = await ask("read", { paths: [] });
      expect(isError).toBe(true);
      expect(text).toMatch(/at least one path|PATH is missing|missing/u);
    },
  },
  {
    states: "a path that is not there is an error that names it",
    check: async ({ ask }) => {
      const { text, isError } = await ask("read", { paths: "vault/projects/lantern/none.md" });
      expect(isError).toBe(true);
      expect(text).toContain("vault/projects/lantern/none.md does not exist");
    },
  },
  {
    states: "the other paths of a list are read although one is not there",
    check: async ({ ask, place }) => {
      const { text, isError } = await ask("read", { paths: ["vault/none.md", STATE] });
      expect(isError).toBe(false);
      expect(text).toContain(block(STATE, onDisk(place, "projects/lantern/state.md")));
      expect(text).toContain("vault/none.md does not exist");
    },
  },
  {
    states: "a folder with nothing in it shows its header and no content",
    check: async ({ ask }) => {
      const { text, isError } = await ask("read", { paths: "vault/hollow/" });
      expect({ text, isError }).toEqual({ text: "```vault/hollow/\n```", isError: false });
    },
  },
  {
    states: "a file that is only frontmatter shows only that",
    check: async ({ ask, place }) => {
      const { text } = await ask("read", { paths: "vault/bare.md" });
      expect(text).toBe(block("vault/bare.md", onDisk(place, "bare.md")));
      expect(numberedLines(text)).toHaveLength(5);
    },
  },
  {
    states: "a project's folder gives description, state, tasks and changelog, and not its bucket",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/projects/lantern/", head: 30 });
      expect(headers(text).map((header) => header.replace(/ \(.*/u, ""))).toEqual([
        "vault/projects/lantern/changelog.md",
        "vault/projects/lantern/description.md",
        STATE,
        TASKS,
      ]);
    },
  },
  {
    states: "the states of several projects are compared in one call",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: [STATE, "vault/projects/orchard/state.md"] });
      expect(text).toContain("| The lens is ground");
      expect(text).toContain("| Twelve trees planted");
    },
  },
  {
    states: "the review of an inbox item is read before it is filed",
    check: async ({ ask }) => {
      const { text } = await ask("read", { paths: "vault/inbox/2026-02-10-lens/review.md" });
      expect(text).toContain("| Which lens is meant?");
    },
  },
];
