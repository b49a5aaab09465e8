import { z } from "zod";

import { parseScopes } from "../index/scope.ts";
import type { SearchHit, SearchRequest } from "../index/search-index.ts";
import { ExpectedError } from "../errors.ts";
import { findBlock } from "../vault/files/frontmatter-block.ts";
import {
  block,
  countLines,
  formatRange,
  numberLines,
  numberWidth,
  type LineRange,
} from "../vault/files/lines.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import type { TextFile } from "../vault/files/text-file.ts";
import { parseDay } from "./dates.ts";
import { readTool, textOutput, type ReadContext } from "./define.ts";
import { countFitting } from "./output.ts";

const DEFAULT_LIMIT = 10;
const CONTEXT_LINES = 2;
/** A chunk of more letters than this is shown around its best lines: about 450 tokens. */
const LONG_CHUNK = 1800;
/** As much is shown of it. */
const EXCERPT = 1200;

const input = z.strictObject({
  queries: z
    .array(z.string())
    .min(1)
    .max(10)
    .describe('Words; "exact phrase"; -excluded. Give several wordings of one question.'),
  mode: z
    .enum(["fast", "deep"])
    .default("fast")
    .describe("fast: by words. deep: by meaning, slower."),
  scopes: z
    .array(z.string())
    .min(1)
    .max(100)
    .nullish()
    .describe('Globs, like "vault/projects/*/state.md", or folders.'),
  limit: z.int().min(1).max(50).nullish().describe("10 by default."),
  date_from: z.string().nullish().describe('"2025-07-14" or "7 days ago".'),
  date_to: z.string().nullish(),
});

/** A result as programs get it. */
export interface SearchResult {
  readonly path: string;
  readonly score: number;
  /** `9-14`: what `concat` takes. */
  readonly lines: string;
  readonly heading: string | null;
  readonly chunk_with_context: string;
  readonly updated: string | null;
  /** The passage itself: without the lines around it, the file's frontmatter and blank lines at its ends. */
  readonly text_lines: readonly NumberedLine[];
  /** Numbers of the lines in `text_lines` that match best, ascending. */
  readonly best: readonly number[];
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

interface Shown {
  readonly result: SearchResult;
  readonly text: string;
  /** The file is the one that was searched. */
  readonly isCurrent: boolean;
}

const ATTEMPTS = 3;

export const search = readTool({
  name: "search",
  title: "Search the vault",
  description:
    "Find sections of files. Returns each with its path, line numbers and score. A question in plain words works.",
  input,
  profiles: ["update", "search"],
  async run({ queries, mode, scopes, limit, date_from, date_to }, context) {
    const empty = queries.findIndex((query) => !/[\p{L}\p{N}]/u.test(query));
    if (empty >= 0) {
      throw new ExpectedError(
        "invalid_argument",
        `Query ${empty + 1} (${JSON.stringify(queries[empty])}) has no word to look for.`,
      );
    }
    const day = (text: string | null | undefined, name: string): string | null =>
      typeof text === "string" ? parseDay(text, name, context.now()) : null;
    const [from, to] = [day(date_from, "date_from"), day(date_to, "date_to")];
    if (from !== null && to !== null && from > to) {
      throw new ExpectedError(
        "invalid_argument",
        `date_from (${from}) is after date_to (${to}); swap them.`,
      );
    }
    const scope = scopes === undefined || scopes === null ? null : parseScopes(scopes);
    const request = { queries, mode, scope, limit: limit ?? DEFAULT_LIMIT, from, to };
    const { shown, notes } = await find(request, context);
    // A caller that gives a limit wants all of them.
    const most = typeof limit === "number" ? undefined : context.mostTokens;
    const texts = shown.map(({ text }) => text);
    const fitted = most === undefined ? shown : shown.slice(0, countFitting(texts, most));
    const results = fitted.map(({ result }) => result);
    const blocks = fitted.map(({ text }) => text);
    const left = shown.length - fitted.length;
    if (left > 0) {
      blocks.push(
        `${left} more ${left === 1 ? "result" : "results"} left out to save tokens. For all: limit=${shown.length}. For better ones: other words, scopes or dates.`,
      );
    }
    if (blocks.length === 0) {
      blocks.push(
        `No match${scope === null && from === null && to === null ? "" : " within these scopes and dates"}. Try other words, fewer of them, or mode="deep".`,
      );
    }
    return textOutput([...blocks, ...notes].join("\n\n"), results);
  },
});

/** Searches and reads what was found; repeats both when a file changed in between, since its lines may have moved. */
async function find(
  request: SearchRequest,
  context: ReadContext,
): Promise<{ shown: Shown[]; notes: readonly string[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const { hits, notes } = await context.index.search(request);
    const shown: Shown[] = [];
    const open = openOnce(context);
    for (const hit of hits) {
      const each = await show(hit, open);
      if (each !== null) shown.push(each);
    }
    const isMoved = shown.some(({ isCurrent }) => !isCurrent);
    if (!isMoved || attempt === ATTEMPTS) return { shown, notes };
  }
}

/** Opens each file once: several hits are often in one changelog, and reading it is most of the work. */
function openOnce({ vault }: ReadContext): ReadContext["vault"]["openText"] {
  const opened = new Map<VaultPath, Promise<TextFile>>();
  return async (path) => {
    const file = opened.get(path) ?? vault.openText(path);
    opened.set(path, file);
    return file;
  };
}

/** The hit as it stands in the file now; null when the file is gone. */
async function show(hit: SearchHit, open: ReadContext["vault"]["openText"]): Promise<Shown | null> {
  try {
    const file = await open(hit.path);
    const chunk = clamp(hit.lines, file.totalLines);
    if (chunk === null) return null;
    const chunkLines = file.range(chunk.start, chunk.end).lines;
    const part = excerpt(chunkLines, chunk, hit.best);
    const range = {
      start: Math.max(1, part.start - CONTEXT_LINES),
      end: Math.min(file.totalLines, part.end + CONTEXT_LINES),
    };
    const run = file.range(range.start, range.end);
    const numbered = numberLines(run.lines, range.start, numberWidth(file.totalLines));
    const path = showPath(hit.path);
    const lines = formatRange(hit.lines);
    const score = Math.round(hit.score * 100) / 100;
    const passage = passageLines(chunkLines, chunk, part);
    return {
      isCurrent: file.version.signature === hit.signature,
      text: block(`${path} (lines ${lines}) · score ${score.toFixed(2)}`, numbered),
      result: {
        path,
        score,
        lines,
        heading: hit.headings.length === 0 ? null : hit.headings.join(" > "),
        chunk_with_context: numbered,
        updated: hit.date,
        text_lines: passage,
        best: passage
          .map(({ number }) => number)
          .filter((number) => number >= hit.best.start && number <= hit.best.end),
      },
    };
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

/** The whole chunk or, when it is long, its best lines with as many around them as fit. */
function excerpt(lines: readonly string[], chunk: LineRange, best: LineRange): LineRange {
  const sizeOf = (line: number): number => (lines[line - chunk.start]?.length ?? 0) + 1;
  const whole = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (whole <= LONG_CHUNK) return chunk;
  let start = Math.min(Math.max(best.start, chunk.start), chunk.end);
  let end = start;
  let room = EXCERPT - sizeOf(start);
  const grow = (line: number): boolean => {
    const fits = line >= chunk.start && line <= chunk.end && sizeOf(line) <= room;
    if (fits) room -= sizeOf(line);
    return fits;
  };
  while (end < best.end && grow(end + 1)) end += 1;
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    if (grow(end + 1)) {
      end += 1;
      isGrowing = true;
    }
    if (grow(start - 1)) {
      start -= 1;
      isGrowing = true;
    }
  }
  return { start, end };
}

/** The lines of a chunk that are in `part`. See {@link SearchResult.text_lines}. */
function passageLines(lines: readonly string[], chunk: LineRange, part: LineRange): NumberedLine[] {
  const text = chunk.start === 1 ? lines.join("\n") : "";
  const body = countLines(text.slice(0, findBlock(text)?.end ?? 0)) + 1;
  const inside = lines
    .map((line, at) => ({ number: chunk.start + at, text: line }))
    .filter(({ number }) => number >= Math.max(part.start, body) && number <= part.end);
  const isFull = (line: NumberedLine): boolean => line.text.trim() !== "";
  const start = inside.findIndex(isFull);
  return start < 0 ? [] : inside.slice(start, inside.findLastIndex(isFull) + 1);
}

function clamp({ start, end }: LineRange, total: number): LineRange | null {
  const range = { start: Math.max(1, start), end: Math.min(total, end) };
  return range.start <= range.end ? range : null;
}
