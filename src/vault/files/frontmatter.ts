import { isMap, isNode, isScalar, parseDocument } from "yaml";

import { readTime } from "../../text/local-time.ts";
import { tokensForLength } from "../../text/tokens.ts";
import { BOM } from "../../text/utf8.ts";
import { findBlock, isJobKey, type JobKey } from "./frontmatter-block.ts";
import { lineEndingOf, type LineEnding } from "./lines.ts";

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
interface YamlPair {
  readonly key: string;
  /** Start of the line the key stands on. */
  readonly lineStart: number;
  readonly indent: string;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Other keys may refer to this value (`&name`), so that changing it would change them. */
  readonly anchored: boolean;
}

/** The top-level keys of a block, or why it cannot be changed safely. */
export function readPairs(yaml: string): YamlPair[] | { readonly problem: string } {
  const document = parseDocument(yaml, { stringKeys: false, prettyErrors: false });
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
    pairs.push({ key: String(key.value), lineStart, indent, valueStart, valueEnd, anchored });
  }
  return pairs;
}

/** Whether an alias (`*name`) names no anchor; only resolving the values shows it. */
function hasHangingReference(document: ReturnType<typeof parseDocument>): boolean {
  try {
    document.toJS();
    return false;
  } catch {
    return true;
  }
}

/** Sets one key, changing no byte of the others. A missing key is added as the last line. */
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
  const old = yaml.slice(pair.valueStart, pair.valueEnd);
  const before = yaml.slice(0, pair.valueStart);
  const gap = /\s$/u.test(before) ? "" : " ";
  // A value over several lines carries the ending of its last one.
  const tail = /\r?\n$/u.exec(old)?.[0] ?? "";
  return `${before}${gap}${value}${tail}${yaml.slice(pair.valueEnd)}`;
}

export type Stamped =
  | { readonly kind: "stamped"; readonly text: string }
  /** The block is not ours to change: the text is left as it is. */
  | { readonly kind: "left"; readonly problem: string };

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
    if (typeof set !== "string") return { kind: "left", problem: set.problem };
    yaml = set;
  }
  const assemble = (block: string): string =>
    `${split.bom}${opening}${block}${closing}${gap}${split.body}`;
  const withoutDigits = assemble(yaml).length - 1;
  const tokens = setKey(yaml, "tokens", String(tokensOfItself(withoutDigits)), ending);
  if (typeof tokens !== "string") return { kind: "left", problem: tokens.problem };
  const problem = damage(split.block?.yaml ?? "", tokens);
  if (problem !== null) return { kind: "left", problem };
  return { kind: "stamped", text: assemble(tokens) };
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
function damage(before: string, after: string): string | null {
  const [old, now] = [readPairs(before), readPairs(after)];
  if ("problem" in old) return old.problem;
  if ("problem" in now)
    return "its created, updated or tokens cannot be changed without breaking it";
  const others = (yaml: string, pairs: YamlPair[]): string =>
    pairs
      .filter((pair) => !isJobKey(pair.key))
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
 * not name stay; `created`, `updated` and `tokens` keep the existing values, whatever the caller says of them.
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
  let yaml = "";
  for (const [key, line] of lines) {
    const ours = kept.get(key) ?? (key === "created" ? line : commentsOf(line));
    yaml += isJobKey(key) ? ours : line;
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
  const { block } = splitFrontmatter(text);
  if (block === null) return null;
  for (const line of block.yaml.split("\n")) {
    if (line.startsWith(`${key}:`)) {
      return line
        .slice(key.length + 1)
        .trim()
        .replace(/^(["'])(.*)\1$/u, "$2");
    }
  }
  return null;
}

/** The local time of the last change, as the frontmatter says; null when it does not. */
export function updatedOf(text: string): string | null {
  return readTime(plainValue(text, "updated") ?? "");
}
