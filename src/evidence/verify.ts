import { ExpectedError } from "../errors.ts";
import type { IndexReader, Replacement } from "../index/search-index.ts";
import { isJobKey } from "../text/job-keys.ts";
import { DAY_LENGTH } from "../text/local-time.ts";
import { frontmatterLines } from "../vault/files/headings.ts";
import { formatRange, splitLines, type LineRange } from "../vault/files/lines.ts";
import { isMarkdown, nameOf, parsePath, showPath, type VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import type { CitedSource, ReplacedBy, Verified, VerifiedSource } from "./contract.ts";
import { rangeOf, readLineBytes, sha256, type LineBytes } from "./line-bytes.ts";

export interface VerifyParts {
  readonly vault: Pick<VaultReader, "find" | "readBytes" | "walk">;
  readonly index: Pick<IndexReader, "replacements">;
}

/** Lines with fewer letters and digits stand in many files: finding them in another says nothing. */
const TELLING = 12;

/** Says of each source of an answer whether the vault still has it, where, and whether it still holds. */
export async function verifySources(
  cited: readonly CitedSource[],
  parts: VerifyParts,
): Promise<Verified> {
  const wanted = cited.map(wantedLines);
  const places: (Place | null)[] = [];
  for (const each of wanted) places.push(await inOwnFile(each, parts));
  await findElsewhere(wanted, places, parts);
  const sources: VerifiedSource[] = [];
  for (const [at, each] of wanted.entries())
    sources.push(await verified(each, places[at] ?? null, parts));
  const holds = sources.every(
    ({ state, misquoted }) => (state === "same" || state === "moved") && !misquoted,
  );
  return { sources, holds };
}

/** What a replacement is called where it is shown. */
export function shownReplacement({ path, lines, date, value }: Replacement): ReplacedBy {
  const day = date?.slice(0, DAY_LENGTH) ?? null;
  return { path: showPath(path), lines: formatRange(lines), date: day, value };
}

interface Wanted {
  readonly source: CitedSource;
  readonly path: VaultPath;
  readonly range: LineRange;
  readonly hash: string | null;
  /** As they are quoted; null when they are not. */
  readonly lines: readonly string[] | null;
}

interface Place {
  readonly path: VaultPath;
  readonly range: LineRange;
}

function wantedLines(source: CitedSource): Wanted {
  const { path } = parsePath(source.path);
  const range = rangeOf(source.lines);
  if (range === null) {
    throw new ExpectedError(
      "invalid_argument",
      `${source.path}: the lines ${JSON.stringify(source.lines)} are not of the form "9-14".`,
    );
  }
  const hash = source.sha256?.replace(/^sha256:/u, "").toLowerCase() ?? null;
  const lines = typeof source.text === "string" ? splitLines(`${source.text}\n`) : null;
  if (hash === null && lines === null) {
    throw new ExpectedError(
      "invalid_argument",
      `${source.path}: a source is verified by its sha256, or by its text; give one.`,
    );
  }
  return { source, path, range, hash, lines };
}

/** The lines where they were, else where they stand in the same file, the nearest first. */
async function inOwnFile(
  { path, ...wanted }: Wanted,
  { vault }: VerifyParts,
): Promise<Place | null> {
  const file = await readLineBytes(vault, path);
  if (file === null) return null;
  const { range } = wanted;
  if (isAt(file, range, wanted) || isButStamped(file, range, wanted)) return { path, range };
  const starts = startsIn(file, wanted).toSorted(
    (a, b) => Math.abs(a - range.start) - Math.abs(b - range.start) || a - b,
  );
  const [start] = starts;
  return start === undefined ? null : { path, range: moved(range, start) };
}

/** Looks once through the other notes for all that is missing. */
async function findElsewhere(
  wanted: readonly Wanted[],
  places: (Place | null)[],
  { vault }: VerifyParts,
): Promise<void> {
  const missing = wanted.flatMap((each, at) =>
    (places[at] ?? null) === null ? [{ each, at }] : [],
  );
  if (missing.length === 0) return;
  const found = new Map<number, Place>();
  for await (const { path } of vault.walk("")) {
    const open = missing.filter(({ each, at }) => {
      const known = found.get(at);
      return each.path !== path && (known === undefined || isNearer(path, known.path, each.path));
    });
    if (open.length === 0 || !/\.(?:md|markdown|txt)$/iu.test(path)) continue;
    const file = await readLineBytes(vault, path);
    if (file === null) continue;
    for (const { each, at } of open) {
      const starts = startsIn(file, each, each.lines?.[0]);
      const start = starts.find((line) => isTelling(file, moved(each.range, line)));
      if (start !== undefined) found.set(at, { path, range: moved(each.range, start) });
    }
  }
  for (const [at, place] of found) places[at] = place;
}

/** A file that kept its name was moved; else the first by path. */
function isNearer(path: VaultPath, known: VaultPath, old: VaultPath): boolean {
  const [has, had] = [nameOf(path) === nameOf(old), nameOf(known) === nameOf(old)];
  return has === had ? path < known : has;
}

function moved({ start, end }: LineRange, to: number): LineRange {
  return { start: to, end: to + end - start };
}

/**
 * Where in a file the wanted lines begin.
 * @param first which line they begin with, when that is known: comparing texts is cheaper than hashing
 */
function startsIn(
  file: LineBytes,
  wanted: Pick<Wanted, "range" | "hash" | "lines">,
  first?: string,
): number[] {
  const { range } = wanted;
  const last = file.total - (range.end - range.start);
  const starts: number[] = [];
  for (let start = 1; start <= last; start += 1) {
    if (first !== undefined && file.lines[start - 1] !== first) continue;
    if (isAt(file, moved(range, start), wanted)) starts.push(start);
  }
  return starts;
}

function isAt(
  file: LineBytes,
  range: LineRange,
  { hash, lines }: Pick<Wanted, "hash" | "lines">,
): boolean {
  if (range.end > file.total) return false;
  if (hash !== null) return formsOf(file.of(range)).some((form) => sha256(form) === hash);
  const there = file.lines.slice(range.start - 1, range.end);
  return lines !== null && isSame(there, lines);
}

/** The same lines with other endings: an editor may change them all, and what follows a last line gives it one. */
function formsOf(bytes: Buffer): (Buffer | string)[] {
  const text = bytes.toString("utf8").replaceAll("\r\n", "\n").replace(/\n$/u, "");
  const crlf = text.replaceAll("\n", "\r\n");
  return [bytes, `${text}\n`, text, `${crlf}\r\n`, crlf];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

/** Whether only the keys of the background job differ from what is quoted. */
function isButStamped(
  file: LineBytes,
  range: LineRange,
  { lines }: Pick<Wanted, "lines">,
): boolean {
  if (lines === null || range.end > file.total || range.start > 1) return false;
  const block = frontmatterLines(file.lines);
  return lines.every((line, at) => {
    const there = file.lines[at] ?? "";
    if (line === there) return true;
    const [key = "", old = ""] = [there, line].map((each) => /^(\w+):/u.exec(each)?.[1] ?? "");
    return at < block && key === old && isJobKey(key);
  });
}

function isTelling(file: LineBytes, { start, end }: LineRange): boolean {
  const text = file.lines.slice(start - 1, end).join("");
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= TELLING;
}

async function verified(
  wanted: Wanted,
  place: Place | null,
  { vault, index }: VerifyParts,
): Promise<VerifiedSource> {
  const { source, path, range, hash, lines } = wanted;
  const base = {
    path: showPath(path),
    lines: formatRange(range),
    mark: source.mark ?? null,
    misquoted: false,
    to: null,
    by: null,
  };
  if (place === null) {
    const file = await readLineBytes(vault, path);
    const isThere = file !== null && range.start <= file.total;
    return { ...base, state: isThere ? "changed" : "gone" };
  }
  const file = await readLineBytes(vault, place.path);
  const isHashed = file !== null && hash !== null && isAt(file, place.range, { hash, lines: null });
  const there = file?.lines.slice(place.range.start - 1, place.range.end) ?? [];
  const misquoted = isHashed && lines !== null && !isSame(there, lines);
  const isMoved = place.path !== path || place.range.start !== range.start;
  const to = isMoved ? { path: showPath(place.path), lines: formatRange(place.range) } : null;
  const [newest] = isMarkdown(place.path)
    ? await index.replacements.of(place.path, place.range)
    : [];
  if (newest !== undefined) {
    return { ...base, state: "replaced", to, by: shownReplacement(newest), misquoted };
  }
  return { ...base, state: isMoved ? "moved" : "same", to, misquoted };
}
