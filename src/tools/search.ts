import { z } from "zod";

import { looksForNothing } from "../index/query.ts";
import { parseScope } from "../index/scope.ts";
import type { SearchHit, SearchRequest } from "../index/search-index.ts";
import { errnoOf, ExpectedError, messageOf } from "../errors.ts";
import { sqliteProblem } from "../storage/sqlite.ts";
import { charactersFor } from "../text/tokens.ts";
import type { LineRange } from "../vault/files/lines.ts";
import type { VaultPath } from "../vault/paths.ts";
import { parseDay } from "./dates.ts";
import { readTool, textOutput, type ReadContext } from "./define.ts";
import {
  concealed,
  CONTEXT_LINES,
  fileBlocks,
  Room,
  type FileLines,
  type Passage,
} from "./search-passages.ts";

/** Of an answer, unless the caller fixes how many results it has. */
const USUAL_TOKENS = 1400;
const MOST_RESULTS = 50;
/** A result below this share of the best score is left out, unless a limit is given. */
const WEAK = 1 / 3;

const input = z.strictObject({
  queries: z
    .array(z.string())
    .max(10)
    .describe(
      'Words; "exact phrase"; -excluded; tag:x, path:x, key:value of the frontmatter or a task. Give several wordings of one question. Empty, with dates: what happened.',
    ),
  mode: z
    .enum(["fast", "deep"])
    .default("fast")
    .describe("fast (when left out): by words. deep: by meaning."),
  scopes: z
    .array(z.string())
    .min(1)
    .max(100)
    .nullish()
    .describe('Globs, like "vault/projects/*/state.md", or folders.'),
  limit: z
    .int()
    .min(1)
    .max(MOST_RESULTS)
    .nullish()
    .describe("How many, at most 50; else about 1,500 tokens."),
  date_from: z.string().nullish().describe('"2025-07-14" or "7 days ago".'),
  date_to: z.string().nullish(),
});

const ATTEMPTS = 3;

export const search = readTool({
  name: "search",
  title: "Search the vault",
  description: "Find sections of files. A question in plain words works.",
  input,
  profiles: ["update", "search"],
  async run({ queries, mode, scopes, limit, date_from, date_to }, context) {
    const day = (text: string | null | undefined, name: string): string | null =>
      typeof text === "string" ? parseDay(text, name, context.now()) : null;
    const [from, to] = [day(date_from, "date_from"), day(date_to, "date_to")];
    if (from !== null && to !== null && from > to) {
      throw new ExpectedError(
        "invalid_argument",
        `date_from (${from}) is after date_to (${to}); swap them.`,
      );
    }
    if (from === null && to === null) refuseWithoutWords(queries);
    const scope = scopes === undefined || scopes === null ? null : scopes.map(parseScope);
    // One more than there may be, to know whether there are more.
    const request = { queries, mode, scope, limit: limit ?? MOST_RESULTS + 1, from, to };
    const tokens = Math.min(USUAL_TOKENS, context.mostTokens ?? USUAL_TOKENS);
    const hasLimit = typeof limit === "number";
    const { passages, found, notes } = await find(request, context, { tokens, hasLimit });
    const blocks = fileBlocks(passages);
    if (found > passages.length && !hasLimit) blocks.push(leftOut(passages.length, found));
    if (blocks.length === 0) {
      blocks.push(
        `No match${scope === null && from === null && to === null ? "" : " within these scopes and dates"}. Try other words, fewer of them, or mode="deep".`,
      );
    }
    const results = passages.map(({ result }) => result);
    return textOutput([...blocks, ...notes].join("\n\n"), results);
  },
});

function leftOut(shown: number, found: number): string {
  const better = "For better ones: other words, scopes or dates.";
  if (found > MOST_RESULTS)
    return `More than ${MOST_RESULTS - shown} results left out to save tokens. For the first ${MOST_RESULTS}: limit=${MOST_RESULTS}. ${better}`;
  const left = found - shown;
  return `${left} more ${left === 1 ? "result" : "results"} left out to save tokens. For all: limit=${found}. ${better}`;
}

function refuseWithoutWords(queries: readonly string[]): void {
  if (queries.length === 0) {
    throw new ExpectedError(
      "invalid_argument",
      "queries is empty. Give words, a filter like tag:x, or dates to list what happened.",
    );
  }
  const empty = queries.findIndex((query) => !/[\p{L}\p{N}]/u.test(query));
  if (empty >= 0) {
    throw new ExpectedError(
      "invalid_argument",
      `Query ${empty + 1} (${JSON.stringify(queries[empty])}) has no word to look for.`,
    );
  }
  const excludes = queries.findIndex(looksForNothing);
  if (excludes >= 0) {
    throw new ExpectedError(
      "invalid_argument",
      `Query ${excludes + 1} (${JSON.stringify(queries[excludes])}) only says what to leave out. Add words, a filter like tag:x, or dates.`,
    );
  }
}

interface Found {
  readonly passages: readonly Passage[];
  /** How many results there are, shown or not. */
  readonly found: number;
  readonly notes: readonly string[];
}

/** A disk that fails under the index is not a bug. */
function unreadable(error: unknown): never {
  const isDisk = sqliteProblem(error) !== null || errnoOf(error) === "EIO";
  if (!isDisk) throw error;
  throw new ExpectedError(
    "unavailable",
    `The search index cannot be read now (${messageOf(error)}); try again, or make it again with: coffre reindex.`,
    { cause: error },
  );
}

/**
 * Searches, and takes the lines to show from the index as long as their files are the indexed versions. Searches again when one is not, since
 * its lines may have moved; from a file that keeps changing, what is there now is shown.
 */
async function find(
  request: SearchRequest,
  context: ReadContext,
  { tokens, hasLimit }: { readonly tokens: number; readonly hasLimit: boolean },
): Promise<Found> {
  for (let attempt = 1; ; attempt += 1) {
    const { hits, notes } = await context.index.search(request).catch(unreadable);
    const versions = new Map<VaultPath, string | null>();
    const passages: Passage[] = [];
    const room = new Room(charactersFor(tokens));
    const best = hits[0]?.score ?? 0;
    let gone = 0;
    let isOutdated = false;
    for (const hit of hits.slice(0, MOST_RESULTS)) {
      if (!hasLimit && (room.isFull || hit.score < best * WEAK)) break;
      const version = versions.get(hit.path) ?? (await versionOf(hit.path, context));
      versions.set(hit.path, version);
      const around = {
        start: Math.max(1, hit.lines.start - CONTEXT_LINES),
        end: hit.lines.end + CONTEXT_LINES,
      };
      const indexed = version === null ? null : await context.index.lines(hit.path, around);
      const isCurrent = version === hit.signature && indexed?.signature === hit.signature;
      isOutdated ||= version !== null && !isCurrent;
      const onDisk = async (): Promise<FileLines | null> =>
        linesOnDisk(hit, around, context).catch(nullIfExpected);
      const lines = isCurrent ? indexed : version === null ? null : await onDisk();
      const share = best === 0 ? 1 : hit.score / best;
      if (lines === null) gone += 1;
      else if ((await context.conceals?.(hit.path)) === true) {
        passages.push(room.give({ ...hit, headings: [] }, concealed(hit, lines), share));
      } else passages.push(room.give(hit, lines, share));
    }
    const found = hits.length - gone;
    if (!isOutdated || attempt === ATTEMPTS) return { passages, found, notes };
  }
}

/** Null when there is no such file any more. */
async function versionOf(path: VaultPath, { vault }: ReadContext): Promise<string | null> {
  const found = await vault.find(path).catch(nullIfExpected);
  return found?.kind === "file" ? found.version : null;
}

/** Null when the file has no line of the hit any more. */
async function linesOnDisk(
  { path, lines }: SearchHit,
  { start, end }: LineRange,
  { vault }: ReadContext,
): Promise<FileLines | null> {
  const file = await vault.openText(path);
  if (file.totalLines < lines.start) return null;
  const { totalLines } = file;
  return { ...file.range(start, Math.min(end, totalLines)), totalLines };
}

function nullIfExpected(error: unknown): null {
  if (error instanceof ExpectedError) return null;
  throw error;
}
