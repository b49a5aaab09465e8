import { setTimeout as pause } from "node:timers/promises";

import { expect, vi } from "vitest";

import { atRest } from "../mcp/at-rest.ts";
import {
  done,
  foundIn,
  fresh,
  jobHasRun,
  known,
  PATIENCE,
  tokensIn,
  treeLine,
  treesWritten,
  updatedIn,
  writtenFor,
} from "./job-scene.ts";
import type { DoorStatement } from "./statement.ts";
import { onDisk, put, tokensOf } from "./vault.ts";
import { writesIn } from "./writes.ts";

/** The steps of the job, their order, and that it ends. */
export const JOB_STEPS: readonly DoorStatement[] = [
  {
    states: "tokens are a quarter of the file's characters, rounded up",
    check: async (door) => {
      for (const content of ["a", "ab", "abc", "abcd", "é".repeat(9)]) {
        const { name } = fresh();
        await done(door.ask("write", { path: `vault/${name}`, content }));
        await vi.waitFor(() => {
          const text = onDisk(door.place, name);
          expect(tokensIn(text)).toBe(Math.ceil(text.length / 4));
        }, PATIENCE);
      }
    },
  },
  {
    states: "a tool sets neither tokens nor updated: what a caller gives for them is put right",
    check: async (door) => {
      const { name } = fresh();
      const content = "---\ntokens: 7777\nupdated: 1999-01-01T00:00:00\n---\n\nMine\n";
      await done(door.ask("write", { path: `vault/${name}`, content }));
      await vi.waitFor(() => {
        const text = onDisk(door.place, name);
        expect(tokensIn(text)).toBe(tokensOf(text));
        expect(updatedIn(text)).toMatch(/^20/u);
      }, PATIENCE);
    },
  },
  {
    states: "a change moves updated",
    check: async (door) => {
      const { word, name } = await known(door);
      const args = { content: `And ${word} below`, position: "bottom" };
      await done(door.ask("append", { path: `vault/${name}`, ...args }));
      await vi.waitFor(() => {
        expect(updatedIn(onDisk(door.place, name))).not.toBe("2026-02-10T17:45:00");
      }, PATIENCE);
    },
  },
  {
    states: "a move leaves updated as it is, since the text is the same",
    check: async (door) => {
      const { name } = await known(door);
      await done(door.ask("move", { from: `vault/${name}`, to: `vault/kept-${name}` }));
      await atRest(door.place);
      expect(updatedIn(onDisk(door.place, `kept-${name}`))).toBe("2026-02-10T17:45:00");
    },
  },
  {
    states: "what another program writes is noticed by the watcher, without any tool",
    check: async (door) => {
      const { word, name } = fresh();
      put(door.place, name, `# ${word}\n\nFrom an editor\n`);
      await jobHasRun(door, name, word);
    },
  },
  {
    states: "a search right after a write finds it, though the frontmatter is set later",
    check: async (door) => {
      const { word, name } = fresh();
      await done(door.ask("write", { path: `vault/${name}`, content: `# ${word}\n\nNew\n` }));
      expect(await foundIn(door, word)).toEqual([`vault/${name}`]);
    },
  },
  {
    states:
      "one write of a tool is followed by one write of the frontmatter, then one of the tree, then quiet",
    check: async (door) => {
      await atRest(door.place);
      const { word, name } = fresh();
      const writes = writesIn(door.place);
      await done(door.ask("write", { path: `vault/${name}`, content: `# ${word}\n\nNew\n` }));
      const expected = [name, name, "tree.md"];
      expect(await writtenFor(writes)).toEqual(expected);
    },
  },
  {
    states: "the tree is written once for a file in a new folder, after the frontmatter",
    check: async (door) => {
      // The tree has what was written before.
      await known(door);
      const { word, name } = fresh();
      const writes = writesIn(door.place);
      const content = `# ${word}\n\nNew\n`;
      await done(door.ask("write", { path: `vault/new-${word}/${name}`, content }));
      await vi.waitFor(() => expect(treeLine(door, name)).not.toBe(""), PATIENCE);
      const tree = await treesWritten(writes);
      // The only one has the number that the frontmatter was given.
      const tokens = tokensIn(onDisk(door.place, `new-${word}/${name}`));
      expect({ tree, line: treeLine(door, name) }).toEqual({
        tree: 1,
        line: expect.stringContaining(`[${tokens} · `),
      });
    },
  },
  {
    states: "the tree is written once for a file that moves into a new folder",
    check: async (door) => {
      const { word, name } = await known(door);
      const writes = writesIn(door.place);
      await done(door.ask("move", { from: `vault/${name}`, to: `vault/new-${word}/${name}` }));
      expect(await treesWritten(writes)).toBe(1);
    },
  },
  {
    states: "the tree is written once for a folder that is deleted",
    check: async (door) => {
      const { word, name } = fresh();
      const folder = `vault/gone-${word}/`;
      await done(door.ask("write", { path: `${folder}${name}`, content: "a\n" }));
      await done(door.ask("write", { path: `${folder}in/${name}`, content: "b\n" }));
      await atRest(door.place);
      await pause(200);
      const writes = writesIn(door.place);
      await done(door.ask("delete", { path: folder }));
      expect(await treesWritten(writes)).toBe(1);
    },
  },
  {
    states: "a save by another program is followed by the same two writes, then quiet",
    check: async (door) => {
      const { word, name } = await known(door);
      await pause(100);
      const writes = writesIn(door.place);
      put(door.place, name, `${onDisk(door.place, name)}And ${word} more\n`);
      expect(await writtenFor(writes)).toEqual([name, "tree.md"]);
    },
  },
];
