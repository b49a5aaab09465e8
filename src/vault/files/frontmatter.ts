import type { Document } from "yaml";

import { isJobKey, JOB_KEYS, jobLine, type JobKey } from "../../text/job-keys.ts";
import { readTime } from "../../text/local-time.ts";
import { tokensForLength } from "../../text/tokens.ts";
import { BOM } from "../../text/utf8.ts";
import { blockLines } from "./job-lines.ts";
import { lineEndingOf, type LineEnding } from "./lines.ts";
import { QUIET, yamlLibrary } from "./yaml.ts";

/** Where the frontmatter stands in a text that begins with it. Offsets in the units of that text. */
export interface FrontmatterBlock {
  /** First character of the YAML, after the opening `---` line. */
  readonly open: number;
  /** First character of the closing line. */
  readonly close: number;
  /** First character after the closing line and its line ending. */
  readonly end: number;
}

/** A block that does not close within this many lines is a text that happens to begin with a rule. */
export const MOST_BLOCK_LINES = 1000;

/** How much of a large file is looked at to find its block. */
export const BLOCK_WINDOW = 256 * 1024;

const FIRST_LINE = /^---[ \t]*\r?\n/u;
const LAST_LINE = /^(?:---|\.\.\.)[ \t]*\r?$/u;

/**
 * Finds the frontmatter of `text`, which starts where the file's text starts (after a byte-order mark).
 * Works as well on bytes read as latin1, where an offset is a byte offset.
 */
export function findBlock(text: string): FrontmatterBlock | null {
  return findBetween(text, FIRST_LINE, LAST_LINE);
}

/** The same for a block between other lines. */
export function findBetween(text: string, first: RegExp, last: RegExp): FrontmatterBlock | null {
  const open = first.exec(text)?.[0].length;
  if (open === undefined) return null;
  for (let at = open, line = 0; at < text.length && line < MOST_BLOCK_LINES; line += 1) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline < 0 ? text.length : newline;
    if (last.test(text.slice(at, lineEnd))) {
      return { open, close: at, end: newline < 0 ? lineEnd : newline + 1 };
    }
    if (newline < 0) return null;
    at = newline + 1;
  }
  return null;
}

/** A text cut at its frontmatter: `bom + opening line + yaml + closing line + body` gives it back. */
export interface SplitText {
  readonly bom: string;
  readonly block: {
    readonly opening: string;
    readonly yaml: string;
    readonly closing: string;
  } | null;
  readonly body: string;
}

export function splitFrontmatter(text: string): SplitText {
  const bom = text.startsWith(BOM) ? BOM : "";
  const rest = text.slice(bom.length);
  const found = findBlock(rest);
  if (found === null) return { bom, block: null, body: rest };
  const block = {
    opening: rest.slice(0, found.open),
    yaml: rest.slice(found.open, found.close),
    closing: rest.slice(found.close, found.end),
  };
  return { bom, block, body: rest.slice(found.end) };
}

/** One top-level key of a YAML block. Offsets are in the block's own text. */
export interface YamlPair {
  readonly key: string;
  /** Start of the line the key stands on. */
  readonly lineStart: number;
  readonly indent: string;
  /** The colon after the key. */
  readonly colon: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Other keys may refer to this value (`&name`), so that changing it would change them. */
  readonly anchored: boolean;
}

/** The top-level keys of a block, or why it cannot be changed safely. */
export function readPairs(yaml: string): YamlPair[] | { readonly problem: string } {
  const { isMap, isNode, isScalar, parseDocument } = yamlLibrary();
  const document = parseDocument(yaml, { ...QUIET, stringKeys: false });
  const error = document.errors[0];
  if (error !== undefined) return { problem: `it is not valid YAML (${error.message})` };
  if (yaml.includes("*") && hasHangingReference(document)) {
    return { problem: "it refers to a value that is not there" };
  }
  const { contents } = document;
  if (contents === null) return [];
  if (!isMap(contents)) return { problem: "it is not a list of keys and values" };
  if (contents.flow === true) return { problem: "it is written in braces; use one key per line" };
  const pairs: YamlPair[] = [];
  for (const { key, value } of contents.items) {
    const keyRange = isScalar(key) ? key.range : null;
    if (!isScalar(key) || keyRange === null || keyRange === undefined) {
      return { problem: "one of its keys is not a plain word" };
    }
    const lineStart = yaml.lastIndexOf("\n", keyRange[0] - 1) + 1;
    const indent = /^[ ]*/u.exec(yaml.slice(lineStart, keyRange[0]))?.[0] ?? "";
    const colon = yaml.indexOf(":", keyRange[1]);
    const range = isNode(value) ? value.range : null;
    // No value: it goes right after the colon, before a comment that may stand there.
    const isEmpty = range === null || range === undefined || range[0] === range[1];
    const valueStart = isEmpty ? colon + 1 : range[0];
    const valueEnd = isEmpty ? colon + 1 : range[1];
    const anchored = isNode(value) && "anchor" in value && value.anchor !== undefined;
    pairs.push({
      key: String(key.value),
      lineStart,
      indent,
      colon,
      valueStart,
      valueEnd,
      anchored,
    });
  }
  return pairs;
}

/** Whether an alias (`*name`) names no anchor; only resolving the values shows it. */
function hasHangingReference(document: Document): boolean {
  try {
    document.toJS();
    return false;
  } catch {
    return true;
  }
}

/** Whether a key of ours has a value that is not in our form: it is the person's. */
function isForeign(yaml: string, pair: YamlPair): boolean {
  const newline = yaml.indexOf("\n", pair.lineStart);
  const end = newline < 0 ? yaml.length : newline;
  return pair.valueEnd > end || jobLine(yaml.slice(pair.lineStart, end)) === null;
}

/** Sets one key, changing no byte of the others. A missing key is added as the last line; one that is the person's stays. */
function setKey(
  yaml: string,
  key: JobKey,
  value: string,
  ending: LineEnding,
): string | { readonly problem: string } {
  const pairs = readPairs(yaml);
  if ("problem" in pairs) return pairs;
  const pair = pairs.find((candidate) => candidate.key === key);
  if (pair === undefined) {
    return `${yaml}${pairs[0]?.indent ?? ""}${key}: ${value}${ending}`;
  }
  if (pair.anchored) return { problem: `other keys may refer to its ${key}` };
  if (isForeign(yaml, pair)) return yaml;
  const old = yaml.slice(pair.valueStart, pair.valueEnd);
  const before = yaml.slice(0, pair.valueStart);
  const gap = /\s$/u.test(before) ? "" : " ";
  // A value over several lines carries the ending of its last one.
  const tail = /\r?\n$/u.exec(old)?.[0] ?? "";
  return `${before}${gap}${value}${tail}${yaml.slice(pair.valueEnd)}`;
}

export const LEFT_REASONS = [
  "toml",
  "json",
  "read-only",
  "invalid",
  "own-key",
  "undone",
  "not-utf8",
] as const;

/** Why a file's frontmatter, or a key of it, is left as it is. */
export interface Left {
  readonly reason: (typeof LEFT_REASONS)[number];
  /** For people. */
  readonly problem: string;
}

export type Stamped =
  /** `left` names keys that are the person's. */
  | { readonly kind: "stamped"; readonly text: string; readonly left: Left | null }
  /** The block is not ours to change: the text is left as it is. */
  | ({ readonly kind: "left" } & Left);

/** Front matter of another kind, as Hugo reads it: a YAML block before it would turn it into text. */
export function otherFrontmatter(text: string): Left | null {
  const start = text.startsWith(BOM) ? text.slice(BOM.length, BLOCK_WINDOW) : text;
  if (/^\+\+\+[ \t]*\r?\n/u.test(start)) return { reason: "toml", problem: "it begins with TOML" };
  if (/^\{\s*["}]/u.test(start)) return { reason: "json", problem: "it begins with JSON" };
  return null;
}

/** The keys of ours that hold something of the person's. */
function foreignKeys(text: string): JobKey[] {
  const { block } = splitFrontmatter(text);
  const pairs = block === null ? [] : readPairs(block.yaml);
  if (block === null || "problem" in pairs) return [];
  return pairs.flatMap((pair) =>
    isJobKey(pair.key) && isForeign(block.yaml, pair) ? [pair.key] : [],
  );
}

/** Why the frontmatter of a text, or a part of it, is the person's in every setting; null when nothing is. */
export function leftIn(text: string): Left | null {
  const other = otherFrontmatter(text);
  // Cheap enough for every file: only a block that names a key of ours is parsed.
  if (other !== null || !JOB_KEYS.some((key) => plainValue(text, key) !== null)) return other;
  return ownKeys(foreignKeys(text));
}

function ownKeys(keys: readonly JobKey[]): Left | null {
  if (keys.length === 0) return null;
  const problem = `its own ${keys.join(" and ")} stay${keys.length === 1 ? "s" : ""} as written`;
  return { reason: "own-key", problem };
}

/** The value of a key of ours in our form; null when there is none, or a person's own, as one under another key is. */
export function jobValue(text: string, key: JobKey): string | null {
  return jobValues(text).get(key) ?? null;
}

/** Whether a text carries all three keys in our form: then the job keeps them right. */
export function carriesKeys(text: string): boolean {
  return jobValues(text).size === JOB_KEYS.length;
}

function jobValues(text: string): Map<JobKey, string> {
  const { block } = splitFrontmatter(text);
  const values = new Map<JobKey, string>();
  for (const { ours } of blockLines(block?.yaml ?? ""))
    if (ours !== null && ours.value !== "" && !values.has(ours.key))
      values.set(ours.key, ours.value);
  return values;
}

/**
 * Writes the job's keys into a text's frontmatter, making a block when there is none, and sets `tokens` to the number
 * that is true of the result. No other byte changes.
 * @param text the whole file, its byte-order mark included
 * @param times local times, `2025-07-14T18:30:00`; a key left out keeps its present value
 */
export function stampFrontmatter(
  text: string,
  times: { readonly created?: string; readonly updated?: string },
): Stamped {
  const other = otherFrontmatter(text);
  if (other !== null) return { kind: "left", ...other };
  const invalid = (problem: string): Stamped => ({
    kind: "left",
    reason: "invalid",
    problem,
  });
  const split = splitFrontmatter(text);
  const ending = lineEndingOf(text);
  const opening = split.block?.opening ?? `---${ending}`;
  const closing = split.block?.closing ?? `---${ending}`;
  const gap =
    split.block === null && split.body !== "" && !/^\r?\n/u.test(split.body) ? ending : "";
  let yaml = split.block?.yaml ?? "";
  const values: [JobKey, string | undefined][] = [
    ["created", times.created],
    ["updated", times.updated],
    ["tokens", "0"],
  ];
  for (const [key, value] of values) {
    if (value === undefined) continue;
    const set = setKey(yaml, key, value, ending);
    if (typeof set !== "string") return invalid(set.problem);
    yaml = set;
  }
  const assemble = (block: string): string =>
    `${split.bom}${opening}${block}${closing}${gap}${split.body}`;
  const foreign = foreignKeys(text);
  const left = ownKeys(foreign);
  const withoutDigits = assemble(yaml).length - 1;
  const tokens = setKey(yaml, "tokens", String(tokensOfItself(withoutDigits)), ending);
  if (typeof tokens !== "string") return invalid(tokens.problem);
  const problem = damage(split.block?.yaml ?? "", tokens, foreign);
  if (problem !== null) return invalid(problem);
  return { kind: "stamped", text: assemble(tokens), left };
}

/** The smallest number that is true of a text holding it: start from no digits, repeat until it is stable. */
export function tokensOfItself(lengthWithoutDigits: number): number {
  let tokens = 0;
  for (let digits = 0; ;) {
    tokens = tokensForLength(lengthWithoutDigits + digits);
    if (String(tokens).length === digits) return tokens;
    digits = String(tokens).length;
  }
}

/** Why a change would alter more of a block than the job's keys; null when it does not. */
function damage(before: string, after: string, foreign: readonly JobKey[]): string | null {
  const [old, now] = [readPairs(before), readPairs(after)];
  if ("problem" in old) return old.problem;
  if ("problem" in now)
    return "its created, updated or tokens cannot be changed without breaking it";
  const others = (yaml: string, pairs: YamlPair[]): string =>
    pairs
      .filter(({ key }) => !isJobKey(key) || foreign.includes(key))
      .map((pair) => `${pair.key}\0${yaml.slice(pair.valueStart, pair.valueEnd).trimEnd()}`)
      .join("\0");
  return others(before, old) === others(after, now)
    ? null
    : "its created, updated or tokens are entangled with other keys";
}

/** The pairs of a block as whole lines, each with the comments above it, and what stands after the last. */
function pairLines(
  yaml: string,
  pairs: readonly YamlPair[],
): { lines: Map<string, string>; tail: string } {
  const lines = new Map<string, string>();
  let start = 0;
  for (const pair of pairs) {
    const end = endOfLine(yaml, pair.valueEnd);
    lines.set(pair.key, yaml.slice(start, end));
    start = end;
  }
  return { lines, tail: yaml.slice(start) };
}

function endOfLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset;
  const newline = text.indexOf("\n", offset);
  return newline < 0 ? text.length : newline + 1;
}

/** The comments that stand above a key in its lines. */
function commentsOf(lines: string): string {
  return /^(?:[ \t]*(?:#.*)?\r?\n)*/u.exec(lines)?.[0] ?? "";
}

/**
 * The frontmatter of a file about to be rewritten. The caller's keys stand; keys of the existing file that the caller did
 * not name stay; `created`, `updated` and `tokens` in our form keep the existing values, whatever the caller says of them.
 * @returns the whole new text, or why the caller's block cannot be used
 */
export function mergeFrontmatter(
  content: string,
  existing: string | null,
): string | { readonly problem: string } {
  const given = splitFrontmatter(content);
  const old = existing === null ? null : splitFrontmatter(existing);
  const bom = old?.bom ?? "";
  if (given.block === null) {
    if (old === null || old.block === null) return bom + given.body;
    const gap = /^\r?\n/u.test(given.body) ? "" : "\n";
    return `${bom}${old.block.opening}${old.block.yaml}${old.block.closing}${gap}${given.body}`;
  }
  const givenPairs = readPairs(given.block.yaml);
  if ("problem" in givenPairs) return givenPairs;
  const oldYaml = old?.block?.yaml ?? "";
  const oldPairs = readPairs(oldYaml);
  const kept =
    "problem" in oldPairs ? new Map<string, string>() : pairLines(oldYaml, oldPairs).lines;
  const { lines, tail } = pairLines(given.block.yaml, givenPairs);
  const foreign = existing === null ? [] : foreignKeys(existing);
  let yaml = "";
  for (const [key, line] of lines) {
    const ours = kept.get(key) ?? (key === "created" ? line : commentsOf(line));
    yaml += isJobKey(key) && !foreign.includes(key) ? ours : line;
  }
  yaml += tail;
  const missing = [...kept].filter(([key]) => !lines.has(key));
  const job = missing.filter(([key]) => isJobKey(key)).map(([, line]) => line);
  const others = missing.filter(([key]) => !isJobKey(key)).map(([, line]) => line);
  yaml = job.join("") + yaml + others.join("");
  if ("problem" in readPairs(yaml))
    return { problem: "it does not fit the keys the file already has" };
  return `${bom}${given.block.opening}${yaml}${given.block.closing}${given.body}`;
}

/** A key's plain value, for showing; null when there is none. Reads lines, not YAML: cheap enough for every file. */
export function plainValue(text: string, key: string): string | null {
  const lines = splitFrontmatter(text).block?.yaml.split("\n");
  const line = lines?.find((each) => each.startsWith(`${key}:`));
  const value = line?.slice(key.length + 1).trim();
  return value?.replace(/^(["'])(.*)\1$/u, "$2") ?? null;
}

/** The local time of the last change, as the frontmatter says; null when it does not. */
export function updatedOf(text: string): string | null {
  return readTime(plainValue(text, "updated") ?? "");
}
