import { existsSync } from "node:fs";
import path from "node:path";

import { expect, vi } from "vitest";

import { done, foundIn, fresh, jobHasRun, known, PATIENCE, treeLine } from "./job-scene.ts";
import type { DoorStatement } from "./statement.ts";

/** Each changing tool, and that the job follows it by itself. */
export const AFTER_EACH_TOOL: readonly DoorStatement[] = [
  {
    states: "after a write the job sets the frontmatter, the tree and the index by itself",
    check: async (door) => {
      const { word, name } = fresh();
      await done(door.ask("write", { path: `vault/${name}`, content: `# ${word}\n\nNew\n` }));
      await jobHasRun(door, name, word);
    },
  },
  {
    states: "after an edit the job sets the frontmatter, the tree and the index by itself",
    check: async (door) => {
      const { word, name } = await known(door);
      const texts = {
        old_content: `A ${word} here`,
        new_content: `A ${word}edited here and there`,
      };
      await done(door.ask("edit", { path: `vault/${name}`, ...texts }));
      await jobHasRun(door, name, `${word}edited`);
      expect(await foundIn(door, word)).toEqual([]);
    },
  },
  {
    states: "after an append the job sets the frontmatter, the tree and the index by itself",
    check: async (door) => {
      const { word, name } = await known(door);
      const args = { content: `And ${word}added below`, position: "bottom" };
      await done(door.ask("append", { path: `vault/${name}`, ...args }));
      await jobHasRun(door, name, `${word}added`);
    },
  },
  {
    states: "after a move the tree and the index have the file at its new place and not at the old",
    check: async (door) => {
      const { word, name } = await known(door);
      const to = `moved-${name}`;
      await done(door.ask("move", { from: `vault/${name}`, to: `vault/${to}` }));
      await jobHasRun(door, to, word);
      expect(treeLine(door, name)).toBe("");
    },
  },
  {
    states: "after a delete neither the tree nor the index has the file",
    check: async (door) => {
      const { word, name } = await known(door);
      expect(await foundIn(door, word)).toEqual([`vault/${name}`]);
      await done(door.ask("delete", { path: `vault/${name}` }));
      await vi.waitFor(() => expect(treeLine(door, name)).toBe(""), PATIENCE);
      expect(await foundIn(door, word)).toEqual([]);
      expect(existsSync(path.join(door.place.root, name))).toBe(false);
    },
  },
];
