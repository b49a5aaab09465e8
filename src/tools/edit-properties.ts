import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { isJobKey, jobLine } from "../text/job-keys.ts";
import {
  otherFrontmatter,
  readPairs,
  splitFrontmatter,
  type YamlPair,
} from "../vault/files/frontmatter.ts";
import { QUIET, yamlLibrary } from "../vault/files/yaml.ts";
import { lineEndingOf } from "../vault/files/lines.ts";

/** Lines, or an object of keys and values. */
export const Properties = z.strictObject({
  set: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown())])
    .nullish()
    .describe('Like ["status: done", "tags: [a, b]"].'),
  remove: z.array(z.string()).nullish().describe("Keys."),
});

export type Properties = z.infer<typeof Properties>;

/** A key and what it is to hold: as YAML on one line, and as it is read back. */
interface Wanted {
  readonly key: string;
  readonly value: unknown;
  readonly yaml: string;
}

/**
 * A text with keys of its frontmatter set and removed. No other byte changes; a block is made when there is none.
 * @param text the file without byte-order mark
 * @param shown the path, for errors
 */
export function editProperties(text: string, { set, remove }: Properties, shown: string): string {
  const wanted = wantedKeys(set ?? []);
  const gone = [...new Set((remove ?? []).map((key) => key.trim()))];
  const both = gone.find((key) => wanted.has(key));
  if (both !== undefined) throw refused(`${JSON.stringify(both)} is both set and removed`);
  if (wanted.size + gone.length === 0) throw refused("it neither sets nor removes a key");
  const other = otherFrontmatter(text);
  if (other !== null) throw unusable(shown, other.problem);
  const { block, body } = splitFrontmatter(text);
  const ending = lineEndingOf(text);
  const before = block?.yaml ?? "";
  let yaml = before;
  for (const key of gone) yaml = without(yaml, key, shown);
  for (const each of wanted.values()) yaml = withKey(yaml, each, ending, shown);
  checkOthers(before, yaml, { wanted, gone }, shown);
  if (yaml === before) return text;
  if (block !== null) return block.opening + yaml + block.closing + body;
  const gap = body === "" || /^\r?\n/u.test(body) ? "" : ending;
  return `---${ending}${yaml}---${ending}${gap}${body}`;
}

/**
 * Whether a key that is to be set or removed holds something else in one text than in another.
 * @param seen a text that begins with the frontmatter as it was read; what is below it does not count
 */
export function isOtherNow(seen: string, present: string, { set, remove }: Properties): boolean {
  const keys = [...wantedKeys(set ?? []).keys(), ...(remove ?? []).map((key) => key.trim())];
  const [was, now] = [readAll(seen), readAll(present)];
  return keys.some((key) => !isDeepStrictEqual(was.get(key), now.get(key)));
}

function wantedKeys(set: NonNullable<Properties["set"]>): ReadonlyMap<string, Wanted> {
  const all = Array.isArray(set)
    ? set.map((line) => wantedLine(line))
    : Object.entries(set).map(([key, value]) => wantedValue(key.trim(), value));
  for (const { key } of all) {
    if (key === "" || /[\r\n]/u.test(key)) throw refused(`${JSON.stringify(key)} is not a key`);
  }
  return new Map(all.map((each) => [each.key, each]));
}

/** `key: value` as a person writes it: kept to the letter where it is YAML on one line, else taken as text. */
function wantedLine(line: string): Wanted {
  const colon = line.search(/:(?:\s|$)/u);
  if (colon < 1) throw refused(`${JSON.stringify(line)} is not a line like "status: done"`);
  const key = line.slice(0, colon).trim();
  const text = line.slice(colon + 1).trim();
  if (text === "") return { key, value: null, yaml: "" };
  const document = yamlLibrary().parseDocument(`v: ${text}`, QUIET);
  // A comment, an anchor or a link like [[note]] would be YAML too, and is not what was meant.
  const isPlain = document.errors.length === 0 && !/[\r\n]|(?:^|\s)#|^(?:[&*!|>]|\[\[)/u.test(text);
  return isPlain
    ? { key, value: readValue(`v: ${text}`, "v"), yaml: text }
    : wantedValue(key, text);
}

function wantedValue(key: string, value: unknown): Wanted {
  if (value === null) return { key, value, yaml: "" };
  // A text of several lines on one: what stands around it needs no indentation then.
  const yaml =
    typeof value === "string" && /[\r\n]/u.test(value)
      ? JSON.stringify(value)
      : yamlLibrary().stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  return { key, value, yaml };
}

function without(yaml: string, key: string, shown: string): string {
  const pair = ownPair(yaml, key, shown);
  if (pair === null) return yaml;
  return yaml.slice(0, pair.lineStart) + yaml.slice(lineEnd(yaml, pair.valueEnd));
}

function withKey(
  yaml: string,
  { key, value, yaml: text }: Wanted,
  ending: string,
  shown: string,
): string {
  const pair = ownPair(yaml, key, shown);
  const space = text === "" ? "" : " ";
  if (pair === null) {
    const indent = pairsOf(yaml, shown)[0]?.indent ?? "";
    const start = yaml === "" || yaml.endsWith("\n") ? yaml : yaml + ending;
    return `${start}${indent}${yamlLibrary().stringify(key).trimEnd()}:${listLines(value, indent, ending) ?? space + text}${ending}`;
  }
  if (isDeepStrictEqual(readValue(yaml, key), value)) return yaml;
  const head = yaml.slice(pair.colon + 1, pair.valueStart);
  const isBelow = head.includes("\n");
  const tail = yaml.slice(pair.valueEnd);
  const old = yaml.slice(pair.valueStart, pair.valueEnd);
  const closing = /\r?\n$/u.exec(old)?.[0] ?? "";
  const before = yaml.slice(0, pair.colon + 1);
  const comment = /^[ \t]*(#[^\r\n]*)/u.exec(head)?.[1];
  if (!isBelow) return `${before}${space}${text}${closing}${tail}`;
  // The value stands on lines of its own: a list stays one, anything else goes to the line of its key.
  const indent = /[ \t]*$/u.exec(head)?.[0] ?? "";
  const list = listLines(value, indent, ending, "");
  const kept = comment === undefined ? "" : ` ${comment}`;
  return list === null
    ? `${before}${space}${text}${kept}${closing}${tail}`
    : `${before}${kept}${list}${closing}${tail}`;
}

/** A list of plain values as people write it, one a line; null for anything else. */
function listLines(value: unknown, indent: string, ending: string, more = "  "): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const items: unknown[] = value;
  const isPlain = (item: unknown): boolean =>
    typeof item === "string" ? !/[\r\n]/u.test(item) : typeof item !== "object";
  if (!items.every(isPlain)) return null;
  return items
    .map(
      (item) =>
        `${ending}${indent}${more}- ${yamlLibrary().stringify(item, { lineWidth: 0 }).trimEnd()}`,
    )
    .join("");
}

function readValue(yaml: string, key: string): unknown {
  return valuesOf(yamlLibrary().parse(yaml, QUIET)).get(key);
}

/** All keys of a text with their values; none where they cannot be read. */
function readAll(text: string): ReadonlyMap<string, unknown> {
  try {
    return valuesOf(yamlLibrary().parse(splitFrontmatter(text).block?.yaml ?? "", QUIET));
  } catch {
    return new Map();
  }
}

function valuesOf(read: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof read === "object" && read !== null ? Object.entries(read) : []);
}

/** The pair of a key that a caller may change; null when there is none. */
function ownPair(yaml: string, key: string, shown: string): YamlPair | null {
  const pair = pairsOf(yaml, shown).find((each) => each.key === key) ?? null;
  // A value of the person's own under such a name is theirs.
  const [line = ""] = pair === null ? [] : yaml.slice(pair.lineStart).split(/\r?\n/u, 1);
  if (isJobKey(key) && (pair === null || jobLine(line) !== null)) {
    throw new ExpectedError(
      "protected",
      `${key} belongs to the program, which keeps created, updated and tokens right by itself. Leave it out.`,
    );
  }
  if (pair?.anchored === true) throw unusable(shown, `other keys may refer to its ${key}`);
  return pair;
}

function pairsOf(yaml: string, shown: string): readonly YamlPair[] {
  const pairs = readPairs(yaml);
  if ("problem" in pairs) throw unusable(shown, pairs.problem);
  return pairs;
}

/** The proof that no other key was touched, and that the wanted ones say what they should. */
function checkOthers(
  before: string,
  after: string,
  { wanted, gone }: { wanted: ReadonlyMap<string, Wanted>; gone: readonly string[] },
  shown: string,
): void {
  const others = (yaml: string): string[] =>
    pairsOf(yaml, shown)
      .filter(({ key }) => !wanted.has(key) && !gone.includes(key))
      .map((pair) => `${pair.key}\0${yaml.slice(pair.valueStart, pair.valueEnd).trimEnd()}`);
  const isRight =
    isDeepStrictEqual(others(before), others(after)) &&
    [...wanted.values()].every(({ key, value }) => isDeepStrictEqual(readValue(after, key), value));
  if (!isRight) throw unusable(shown, "its keys cannot be changed without touching others");
}

function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset;
  const newline = text.indexOf("\n", offset);
  return newline < 0 ? text.length : newline + 1;
}

function refused(why: string): ExpectedError {
  return new ExpectedError("invalid_argument", `properties: ${why}.`);
}

function unusable(shown: string, problem: string): ExpectedError {
  return new ExpectedError(
    "conflict",
    `The frontmatter of ${shown} cannot be changed key by key: ${problem}. Nothing was changed. Use old_content.`,
  );
}
