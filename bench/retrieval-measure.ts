import { DatabaseSync } from "node:sqlite";

import { z } from "zod";

import { countTokens } from "../src/text/tokens.ts";

const EVIDENCE_TOKENS = 2000;

const Expected = z.object({
  file: z.string(),
  start: z.number(),
  end: z.number(),
  rel: z.number(),
});
export const Question = z.object({
  id: z.string(),
  query: z.string(),
  expected: z.array(Expected),
});
export const Doc = z.object({ path: z.string(), text: z.string() });
export type Question = z.infer<typeof Question>;
export type Doc = z.infer<typeof Doc>;

/** What a search gave: files in rank order, and the lines shown, each with its cost in tokens. */
export interface Answer {
  readonly files: readonly string[];
  readonly shown: readonly { file: string; line: number; tokens: number }[];
  /** Of the answer as a model gets it by default. */
  readonly tokens: number;
}

const NO_FIGURES = {
  ndcg: 0,
  any5: 0,
  all5: 0,
  first: 0,
  mrr: 0,
  empty: 0,
  evidence: 0,
  tokens: 0,
};
type Figures = typeof NO_FIGURES;

/** The figures of one engine on one set of questions. */
export interface RetrievalFigures {
  readonly set: string;
  readonly name: string;
  readonly figures: Figures;
}

/** Labels of lines that their file does not have, or that are empty there, as scifact has them, say nothing about lines. */
export function labelledLines(
  questions: readonly Question[],
  docs: readonly Doc[],
): ReadonlyMap<string, Question["expected"]> {
  const texts = new Map(docs.map(({ path, text }) => [path, text.split("\n")]));
  const isThere = ({ file, start, end }: Question["expected"][number]): boolean =>
    texts
      .get(file)
      ?.slice(start - 1, end)
      .some((line) => line.trim() !== "") === true;
  return new Map(questions.map(({ id, expected }) => [id, expected.filter(isThere)]));
}

/** The heads of the columns, in the order of {@link tableRow}. */
const HEADS = ["nDCG@10", "any@5", "all@5", "first", "MRR", "empty", "evid@2k", "tokens"];

export function tableHead(): string {
  return `${"".padEnd(22)}${HEADS.map((head) => head.padStart(9)).join("")}`;
}

export function tableRow(name: string, { tokens, ...shares }: Figures): string {
  const cells = [
    ...Object.values(shares).map((share) => (Number.isNaN(share) ? "-" : share.toFixed(3))),
    tokens.toFixed(0),
  ];
  return `${name.padEnd(22)}${cells.map((cell) => cell.padStart(9)).join("")}`;
}

/** Averages over the questions; `all5` is the share of those with every labelled file among the first five; of evidence, over those that have labelled lines: not a number when none has. */
export function measure(
  questions: readonly Question[],
  lines: ReturnType<typeof labelledLines>,
  answer: (question: string) => Answer,
): Figures {
  const sum = { ...NO_FIGURES };
  let labelled = 0;
  for (const { id, query, expected } of questions) {
    const { files, shown, tokens } = answer(query);
    const gains = new Map<string, number>();
    for (const { file, rel } of expected) gains.set(file, Math.max(gains.get(file) ?? 0, rel));
    const ideal = gainOf([...gains.values()].toSorted((a, b) => b - a));
    sum.ndcg += ideal === 0 ? 0 : gainOf(files.map((file) => gains.get(file) ?? 0)) / ideal;
    const first = files.findIndex((file) => gains.has(file));
    sum.any5 += first >= 0 && first < 5 ? 1 : 0;
    const top = new Set(files.slice(0, 5));
    sum.all5 += [...gains.keys()].every((file) => top.has(file)) ? 1 : 0;
    sum.first += first === 0 ? 1 : 0;
    sum.mrr += first >= 0 ? 1 / (first + 1) : 0;
    sum.empty += files.length === 0 ? 1 : 0;
    const wanted = lines.get(id) ?? [];
    labelled += wanted.length > 0 ? 1 : 0;
    sum.evidence += evidence(wanted, shown);
    sum.tokens += tokens;
  }
  const share = (value: number): number => value / questions.length;
  return {
    ndcg: share(sum.ndcg),
    any5: share(sum.any5),
    all5: share(sum.all5),
    first: share(sum.first),
    mrr: share(sum.mrr),
    empty: share(sum.empty),
    evidence: sum.evidence / labelled,
    tokens: share(sum.tokens),
  };
}

/** Discounted cumulative gain of the first ten. */
function gainOf(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((total, gain, at) => total + gain / Math.log2(at + 2), 0);
}

/** The share of the labelled lines among those shown in the first 2,000 tokens. */
function evidence(expected: Question["expected"], shown: Answer["shown"]): number {
  const seen = new Map<string, Set<number>>();
  let tokens = 0;
  for (const { file, line, tokens: cost } of shown) {
    tokens += cost;
    if (tokens > EVIDENCE_TOKENS) break;
    const lines = seen.get(file) ?? new Set();
    seen.set(file, lines.add(line));
  }
  let wanted = 0;
  let found = 0;
  for (const { file, start, end } of expected) {
    wanted += end - start + 1;
    for (const line of seen.get(file) ?? []) found += line >= start && line <= end ? 1 : 0;
  }
  return wanted === 0 ? 0 : found / wanted;
}

/** The least that SQLite can do: porter stems, words joined with OR, a row for each file; and one for each line as evidence. */
export function plainFts(docs: readonly Doc[]): (query: string) => Answer {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE files USING fts5(path UNINDEXED, text, tokenize='porter unicode61')",
  );
  database.exec(
    "CREATE VIRTUAL TABLE lines USING fts5(path UNINDEXED, line UNINDEXED, text, tokenize='porter unicode61')",
  );
  database.exec("BEGIN");
  const file = database.prepare("INSERT INTO files VALUES (?, ?)");
  const line = database.prepare("INSERT INTO lines VALUES (?, ?, ?)");
  for (const doc of docs) {
    file.run(doc.path, doc.text);
    for (const [at, text] of doc.text.split("\n").entries())
      if (text.trim() !== "") line.run(doc.path, at + 1, text);
  }
  database.exec("COMMIT");
  const files = database.prepare(
    "SELECT path FROM files WHERE files MATCH ? ORDER BY rank LIMIT 50",
  );
  const lines = database.prepare(
    "SELECT path, line, text FROM lines WHERE lines MATCH ? ORDER BY rank LIMIT 100",
  );
  return (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    const match = words.map((word) => `"${word}"`).join(" OR ");
    if (match === "") return { files: [], shown: [], tokens: 0 };
    const shown = lines.all(match).map((row) => ({
      file: String(row["path"]),
      line: Number(row["line"]),
      tokens: countTokens(String(row["text"])),
    }));
    const tokens = shown.slice(0, 10).reduce((sum, each) => sum + each.tokens, 0);
    return { files: files.all(match).map((row) => String(row["path"])), shown, tokens };
  };
}
