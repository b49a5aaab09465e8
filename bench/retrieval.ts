/**
 * How well `search` finds, on labelled questions: `npm run bench -- retrieval [--data DIR] [--set NAME]`.
 * Ours goes through the shipped tool; beside it plain FTS5 (porter, words joined with OR), in the same run.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

import { z } from "zod";

import { createIndex } from "../src/index/create-index.ts";
import { readIndexable } from "../src/index/fill-index.ts";
import { callTool } from "../src/tools/call.ts";
import { createSession } from "../src/tools/session.ts";
import { countTokens } from "../src/text/tokens.ts";
import { createVault } from "../src/vault/vault.ts";
import { optionsOf } from "./measure.ts";

const EVIDENCE_TOKENS = 2000;

const Expected = z.object({
  file: z.string(),
  start: z.number(),
  end: z.number(),
  rel: z.number(),
});
const Question = z.object({ id: z.string(), query: z.string(), expected: z.array(Expected) });
const Doc = z.object({ path: z.string(), text: z.string() });
const Results = z.array(z.object({ path: z.string(), chunk_with_context: z.string() }));
type Question = z.infer<typeof Question>;
type Doc = z.infer<typeof Doc>;

/** What a search gave: files in rank order, and the lines shown, each with its cost in tokens. */
interface Answer {
  readonly files: readonly string[];
  readonly shown: readonly { file: string; line: number; tokens: number }[];
}

interface Figures {
  ndcg: number;
  any5: number;
  mrr: number;
  empty: number;
  evidence: number;
}

function parseLines<T>(text: string, schema: z.ZodType<T>): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

function measure(questions: readonly Question[], answer: (question: string) => Answer): Figures {
  const sum: Figures = { ndcg: 0, any5: 0, mrr: 0, empty: 0, evidence: 0 };
  for (const { query, expected } of questions) {
    const { files, shown } = answer(query);
    const gains = new Map<string, number>();
    for (const { file, rel } of expected) gains.set(file, Math.max(gains.get(file) ?? 0, rel));
    const dcg = files
      .slice(0, 10)
      .reduce((total, file, at) => total + (gains.get(file) ?? 0) / Math.log2(at + 2), 0);
    const ideal = [...gains.values()]
      .toSorted((a, b) => b - a)
      .slice(0, 10)
      .reduce((total, gain, at) => total + gain / Math.log2(at + 2), 0);
    sum.ndcg += ideal === 0 ? 0 : dcg / ideal;
    const first = files.findIndex((file) => gains.has(file));
    sum.any5 += first >= 0 && first < 5 ? 1 : 0;
    sum.mrr += first >= 0 ? 1 / (first + 1) : 0;
    sum.empty += files.length === 0 ? 1 : 0;
    sum.evidence += evidence(expected, shown);
  }
  const share = (value: number): number => value / questions.length;
  return {
    ndcg: share(sum.ndcg),
    any5: share(sum.any5),
    mrr: share(sum.mrr),
    empty: share(sum.empty),
    evidence: share(sum.evidence),
  };
}

/** The share of the labelled lines among those shown in the first 2,000 tokens. */
function evidence(expected: Question["expected"], shown: Answer["shown"]): number {
  const seen = new Set<string>();
  let tokens = 0;
  for (const line of shown) {
    tokens += line.tokens;
    if (tokens > EVIDENCE_TOKENS) break;
    seen.add(`${line.file}:${line.line}`);
  }
  let wanted = 0;
  let found = 0;
  for (const { file, start, end } of expected) {
    for (let line = start; line <= end; line += 1) {
      wanted += 1;
      if (seen.has(`${file}:${line}`)) found += 1;
    }
  }
  return wanted === 0 ? 0 : found / wanted;
}

function plainFts(docs: readonly Doc[]): (query: string) => Answer {
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
    if (match === "") return { files: [], shown: [] };
    return {
      files: files.all(match).map((row) => String(row["path"])),
      shown: lines.all(match).map((row) => ({
        file: String(row["path"]),
        line: Number(row["line"]),
        tokens: countTokens(String(row["text"])),
      })),
    };
  };
}

async function ours(
  docs: readonly Doc[],
  folder: string,
): Promise<(query: string, mode: string) => Promise<Answer>> {
  const root = path.join(folder, "vault");
  for (const doc of docs) {
    const file = path.join(root, doc.path);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, doc.text);
  }
  const vault = createVault({ root, state: path.join(folder, "state") });
  const index = createIndex({ folder: path.join(folder, "index") });
  await index.load(readIndexable(vault));
  const context = {
    profile: "search",
    vault,
    index,
    session: createSession("bench"),
    now: () => new Date(),
  } as const;
  return async (query, mode) => {
    const result = await callTool(
      "search",
      { queries: [query.slice(0, 1000)], mode, limit: 50 },
      context,
    );
    if (result.isError) return { files: [], shown: [] };
    const results = Results.parse(result.structured);
    const files = [...new Set(results.map((each) => each.path.replace(/^vault\//u, "")))];
    const shown = results.flatMap((each) =>
      each.chunk_with_context.split("\n").map((text) => ({
        file: each.path.replace(/^vault\//u, ""),
        line: Number(/^\d+/u.exec(text)?.[0]),
        tokens: text.length / 4,
      })),
    );
    return { files, shown };
  };
}

function tableRow(name: string, figures: Figures): string {
  const cells = [figures.ndcg, figures.any5, figures.mrr, figures.empty, figures.evidence];
  return `${name.padEnd(22)}${cells.map((cell) => cell.toFixed(3).padStart(12)).join("")}`;
}

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: {
    data: {
      type: "string",
      default: path.join(import.meta.dirname, "../../shared/data/retrieval"),
    },
    set: { type: "string" },
  },
});
if (!existsSync(values.data)) {
  console.log(`        no labelled questions in ${values.data}: give their folder with --data`);
} else {
  const sets = readdirSync(values.data, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of sets.filter(
    (entry) => values.set === undefined || entry.name === values.set,
  )) {
    const base = path.join(values.data, name);
    const docs = parseLines(
      gunzipSync(readFileSync(path.join(base, "docs.jsonl.gz"))).toString("utf8"),
      Doc,
    );
    const questions = parseLines(readFileSync(path.join(base, "queries.jsonl"), "utf8"), Question);
    const folder = mkdtempSync(path.join(tmpdir(), "coffre-retrieval-"));
    try {
      const search = await ours(docs, folder);
      const answers = new Map<string, Map<string, Answer>>();
      for (const mode of ["fast", "deep"]) {
        const byQuery = new Map<string, Answer>();
        for (const { query } of questions) byQuery.set(query, await search(query, mode));
        answers.set(mode, byQuery);
      }
      console.log(`${name}: ${docs.length} files, ${questions.length} questions`);
      console.log(
        `${"".padEnd(22)}${["nDCG@10", "any@5", "MRR", "empty", "evidence@2k"].map((head) => head.padStart(12)).join("")}`,
      );
      console.log(tableRow("plain FTS5", measure(questions, plainFts(docs))));
      for (const [mode, byQuery] of answers) {
        console.log(
          tableRow(
            `ours, ${mode}`,
            measure(questions, (query) => byQuery.get(query) ?? { files: [], shown: [] }),
          ),
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
