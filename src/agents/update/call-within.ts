import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { CallResult } from "../../tools/call-result.ts";
import type { Session } from "../../tools/session.ts";
import { parsePath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { callAsUpdater, type CallAs, type WritingParts } from "../agent-run.ts";
import { isFromOutside, isRawPlace } from "../inbox/untrusted-mark.ts";
import type { SeenLines } from "./known.ts";
import type { RunBounds } from "./run-bounds.ts";
import { StillStated } from "./still-stated.ts";

/**
 * Calls tools within the bounds of a run, and follows what it gets to read: `search` conceals text from outside, and once such a text was
 * shown by `read`, the run may only add.
 */
export function callWithin(
  bounds: RunBounds,
  parts: WritingParts,
  { seen, session }: { readonly seen: SeenLines; readonly session?: Session },
): CallAs {
  const { vault } = parts;
  const isOutside = async (path: VaultPath): Promise<boolean> =>
    !bounds.own.has(path) && isFromOutside(vault, path);
  const call = callAsUpdater({ ...parts, guard: bounds.guard, conceals: isOutside }, session);
  const stillStated = new StillStated(parts);
  return async (name, args) => {
    const result = await call(name, args);
    await remember(name, result, seen, isOutside);
    if (!bounds.isUntrusted && (await showsOutside(name, result, vault, isOutside))) bounds.taint();
    if (result.isError || bounds.isUntrusted || !WRITES.has(name)) return result;
    const stale = await stillStated.after(args);
    if (stale === null) return result;
    return { ...result, content: [...result.content, { type: "text", text: stale }] };
  };
}

/** Tools whose text can make another one untrue. */
const WRITES = new Set(["append", "edit"]);

const ReadFiles = z.object({
  files: z.array(z.object({ path: z.string() })),
  left_out: z.array(z.string()),
});
const Found = z.array(z.object({ path: z.string() }));

interface Entry {
  readonly path: string;
  readonly children?: readonly Entry[] | undefined;
}

const Entry: z.ZodType<Entry> = z.object({
  path: z.string(),
  children: z.lazy(() => z.array(Entry)).optional(),
});

const ReadLines = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      lines: z.object({ start: z.number(), end: z.number() }).optional(),
      text: z.string().optional(),
    }),
  ),
});
const FoundLines = z.array(
  z.object({ path: z.string(), text_lines: z.array(z.object({ number: z.number() })) }),
);

/** Keeps which lines a result showed. */
async function remember(
  name: string,
  { structured }: CallResult,
  seen: SeenLines,
  isOutside: (path: VaultPath) => Promise<boolean>,
): Promise<void> {
  if (name === "read") {
    for (const { path, lines, text } of ReadLines.safeParse(structured).data?.files ?? [])
      if (lines !== undefined && text !== undefined) seen.add(parsePath(path).path, lines);
  }
  if (name !== "search") return;
  for (const { path: shown, text_lines: lines } of FoundLines.safeParse(structured).data ?? []) {
    const { path } = parsePath(shown);
    if (await isOutside(path)) continue;
    for (const { number } of lines) seen.add(path, { start: number, end: number });
  }
}

/** Whether a result has text of others in it: the text of a file, or a file's name that is no plain name. */
async function showsOutside(
  name: string,
  { structured, content }: CallResult,
  vault: VaultReader,
  isOutside: (path: VaultPath) => Promise<boolean>,
): Promise<boolean> {
  // Any tool names what is near to a path that is not there.
  for (const part of content) if (part.type === "text" && hasOddNames(part.text)) return true;
  if (name === "read") {
    const { files, left_out: leftOut } = ReadFiles.safeParse(structured).data ?? {
      files: [],
      left_out: [],
    };
    if (leftOut.some((path) => hasOddName({ path }))) return true;
    for (const { path } of files) if (await isOutside(await realPath(path, vault))) return true;
    return false;
  }
  if (name === "search") return (Found.safeParse(structured).data ?? []).some(hasOddName);
  const tree = name === "tree" ? Entry.safeParse(structured).data : undefined;
  return tree !== undefined && entriesIn(tree).some(hasOddName);
}

/** Links followed, so that another name of a file does not hide where it lies. */
async function realPath(shown: string, vault: VaultReader): Promise<VaultPath> {
  const { path } = parsePath(shown);
  try {
    return (await vault.get(path)).path;
  } catch (error) {
    if (error instanceof ExpectedError) return path;
    throw error;
  }
}

/** Long enough for every name that the program makes of a title. */
const MAX_NAME_LENGTH = 80;

/** Other people choose the names of what they send. One that can hold a sentence counts as their text. */
function hasOddName({ path: shown }: { readonly path: string }): boolean {
  const { path } = parsePath(shown);
  const isPlain = (name: string): boolean =>
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) && name.length <= MAX_NAME_LENGTH;
  return isRawPlace(path) && !path.split("/").every(isPlain);
}

/** Where a tool names files and folders beside those that it was asked for. */
const NAMES = /(?:Did you mean|Folders in it:) (vault\/.*?)(?: and \d+ more)?[.?]?$/gmu;

/** Whether such a list has a name that is no plain name. One with a comma in it falls apart, and its second part is no path. */
function hasOddNames(text: string): boolean {
  return [...text.matchAll(NAMES)].some(([, list = ""]) => {
    const paths = list.split(/, (?:or )?/u);
    const isPath = (path: string): boolean => path.startsWith("vault/");
    const isRaw = paths.some((path) => isPath(path) && isRawPlace(parsePath(path).path));
    return isRaw && paths.some((path) => !isPath(path) || hasOddName({ path }));
  });
}

function entriesIn(entry: Entry): Entry[] {
  return [entry, ...(entry.children ?? []).flatMap(entriesIn)];
}
