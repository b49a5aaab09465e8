import type { Random } from "../../src/testing/random.ts";

/** Texts that programs trip over. */
const TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "\n",
  "\r\n",
  "\u2028",
  "\uFEFF",
  "\uD800",
  "\uDFFF\uD800",
  "\u202Etxt.md",
  "e\u0301".repeat(50),
  "👩‍👩‍👧‍👦",
  "İıſK",
  "..",
  "../../etc/passwd",
  "..%2f..%2fetc/passwd",
  "vault/../../outside/secret.md",
  "vault/link/secret.md",
  "vault/link.md",
  "/etc/passwd",
  String.raw`C:\Windows\x`,
  String.raw`\\server\share`,
  "file:///etc/passwd",
  "vault//a///b",
  "vault/./a.md",
  "vault/.git/config",
  "vault/.coffre-tmp-1/a.md",
  "vault/tree.md",
  "vault/tree.md/x.md",
  "vault/drop/x.md",
  "vault/a.md/b.md",
  "CON",
  "a.md.",
  "vault/*",
  "**/**/**/*",
  "{a,b}{c,d}",
  "[!a-",
  "(",
  "a{1,99999}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "true",
  "NaN",
  "-1",
  "1e999",
  "0x10",
  "9-3",
  "1-",
  "0-0",
  "99999999999999999999-1",
  "2026-13-45",
  "0000-00-00",
  "7 days ago",
  "999999999999 years ago",
  "-5 days ago",
  "' OR 1=1 --",
  'a" OR "b',
  "NEAR(a b)",
  "a AND",
  "NOT",
  "-",
  '"',
  '""',
  "*",
  "^a",
  "tag:",
  ":x",
  "path:..",
  'status:"',
  "col:a:b",
  "$(id)",
  "`id`",
  "%s%n",
  "{{x}}",
  "<script>alert(1)</script>",
  "1  | a\n2  | b",
  "```\nvault/a.md",
  "---\na: [\n---\n",
  "---\n? !!js/function x\n---",
  "---\na: &a [*a]\n---\n",
  "# ",
  "######## x",
  "[[x|y]]",
  "[[",
  "![](",
];

const NUMBERS: readonly number[] = [
  0, -0, -1, 1, 2, 0.5, 1e-7, 50, 51, 1000, 2147483647, 2147483648, 9007199254740991,
  9007199254740992, 1e21, 1e308, -1e308,
];

/** Any JSON value, most of them in no place where one is expected. */
export function anyValue(random: Random, depth = 0): unknown {
  return random.weighed<() => unknown>([
    [6, () => anyText(random)],
    [2, () => random.pick(NUMBERS)],
    [1, () => random.isChance(0.5)],
    [1, () => null],
    [depth > 3 ? 0 : 1, () => list(random, depth)],
    [depth > 3 ? 0 : 1, () => record(random, depth)],
    [0.1, () => deep(random)],
    [0.1, () => Array.from({ length: 3000 }, () => "x")],
  ])?.();
}

function list(random: Random, depth: number): unknown[] {
  return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
}

function record(random: Random, depth: number): unknown {
  const entries = Array.from({ length: random.below(4) }, () => [
    anyText(random),
    anyValue(random, depth + 1),
  ]);
  // As JSON.parse makes it: a key `__proto__` is a key.
  return JSON.parse(
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`).join(",")}}`,
  );
}

function deep(random: Random): unknown {
  const levels = 10 + random.below(2000);
  return JSON.parse("[".repeat(levels) + "]".repeat(levels));
}

export function anyText(random: Random): string {
  const one = random.pick(TEXTS) ?? "";
  return (
    random.weighed<() => string>([
      [6, () => one],
      [2, () => one + (random.pick(TEXTS) ?? "")],
      [1, () => spliced(one, random)],
      [0.5, () => one.repeat(random.below(300))],
      [0.2, () => "a".repeat(random.below(100_000))],
      [1, () => noise(random)],
    ])?.() ?? one
  );
}

function noise(random: Random): string {
  return String.fromCodePoint(
    ...Array.from({ length: 1 + random.below(30) }, () =>
      random.below(random.isChance(0.7) ? 128 : 0x2_ff_ff),
    ),
  );
}

/** A text with something of another in it. */
export function spliced(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const cut = random.isChance(0.5) ? at : Math.min(text.length, at + random.below(20));
  return text.slice(0, at) + (random.pick(TEXTS) ?? "") + text.slice(cut);
}

/** A JSON value with one thing wrong somewhere in it. */
export function mutatedValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    if (value.length === 0 || random.isChance(0.3)) return value.toSpliced(at, 0, anyValue(random));
    return value.map((each, index) =>
      index === at % value.length ? mutatedValue(each, random) : each,
    );
  }
  if (typeof value === "object" && value !== null && random.isChance(0.9))
    return mutatedRecord(Object.entries(value), random);
  return (
    random.weighed<() => unknown>([
      [4, () => (typeof value === "string" ? spliced(value, random) : anyValue(random))],
      [3, () => anyValue(random)],
      [1, () => [value]],
      [1, () => JSON.stringify(value)],
      [0.5, () => null],
    ])?.() ?? null
  );
}

function mutatedRecord(entries: readonly [string, unknown][], random: Random): unknown {
  const at = random.below(Math.max(1, entries.length));
  const changed =
    random.weighed<() => [string, unknown][]>([
      [
        6,
        () =>
          entries.map(([key, value], index) =>
            index === at ? [key, mutatedValue(value, random)] : [key, value],
          ),
      ],
      [1, () => entries.filter((_, index) => index !== at)],
      [1, () => [...entries, [anyText(random), anyValue(random)]]],
    ])?.() ?? [];
  return JSON.parse(
    `{${changed.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`).join(",")}}`,
  );
}
