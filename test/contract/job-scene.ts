import { setTimeout as pause } from "node:timers/promises";

import { expect, vi } from "vitest";

import { atRest } from "../mcp/at-rest.ts";
import type { Answer, Door } from "./doors.ts";
import { headers, onDisk, put, stamped, tokensOf } from "./vault.ts";
import type { Writes } from "./writes.ts";

export const PATIENCE = { timeout: 20_000, interval: 10 };
/** Milliseconds in which nothing is written any more: longer than the job waits for an editor. */
export const QUIET = 400;
let made = 0;

export interface Note {
  readonly word: string;
  readonly name: string;
}

/** A word that is in no other file, and the name of a note that no other check uses. */
export function fresh(): Note {
  made += 1;
  return { word: `zephyr${made}x`, name: `after-${made}.md` };
}

/** A note of last winter that the job is done with, read by the caller. */
export async function known(door: Door): Promise<Note> {
  const { word, name } = fresh();
  put(door.place, name, stamped(`\nA ${word} here\n`));
  await vi.waitFor(() => expect(onDisk(door.place, "tree.md")).toContain(name), PATIENCE);
  await atRest(door.place);
  await door.ask("read", { paths: `vault/${name}` });
  return { word, name };
}

export async function done(answer: Promise<Answer>): Promise<void> {
  const { isError, text } = await answer;
  if (isError) throw new Error(text);
}

/** The number that a note's frontmatter gives for its tokens. */
export function tokensIn(text: string): number {
  return Number(/^tokens: (\d+)$/mu.exec(text)?.[1]);
}

export function updatedIn(text: string): string {
  return /^updated: (.*)$/mu.exec(text)?.[1] ?? "";
}

/** What the tree's file says of a note. */
export function treeLine({ place }: Door, name: string): string {
  const lines = onDisk(place, "tree.md").split("\n");
  return lines.find((line) => line.includes(` ${name} `)) ?? "";
}

export async function foundIn({ ask }: Door, word: string): Promise<string[]> {
  const { text } = await ask("search", { queries: [word] });
  return headers(text).map((header) => header.replace(/ \(.*/u, ""));
}

/** Milliseconds after which the tree shows a change that is still being processed, as happens on a busy machine. */
const TREE_INTERVAL = 1000;

/** What was written for a change, when nothing more comes. A tree that shows it half-way does not count: only a busy machine writes one. */
export async function writtenFor(writes: Writes): Promise<string[]> {
  const { names, times } = writes;
  await vi.waitFor(() => expect(names).toContain("tree.md"), PATIENCE);
  await pause(QUIET);
  writes.close();
  const last = names.lastIndexOf("tree.md");
  const isInterim = (at: number): boolean => at < last && (times[at] ?? 0) >= TREE_INTERVAL;
  return names.filter((name, at) => name !== "tree.md" || !isInterim(at));
}

/** How often the tree was. */
export async function treesWritten(writes: Writes): Promise<number> {
  return (await writtenFor(writes)).filter((name) => name === "tree.md").length;
}

/** Fails unless frontmatter, tree and index come to what is on disk. */
export async function jobHasRun(door: Door, name: string, word: string): Promise<void> {
  await vi.waitFor(() => {
    const text = onDisk(door.place, name);
    expect(tokensIn(text)).toBe(tokensOf(text));
    expect(updatedIn(text).slice(0, 4)).not.toBe("");
    expect(treeLine(door, name)).toContain(`[${tokensOf(text)} · `);
  }, PATIENCE);
  expect(await foundIn(door, word)).toEqual([`vault/${name}`]);
}
