/**
 * A vault in PostgreSQL and its index beside those on a disk, in the same run: `npm run bench -- team [--files N] [--data DIR] [--set NAME]
 * [--questions N]`. Starts a PostgreSQL of its own. With labelled questions it also compares what both find.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

import type { z } from "zod";

import { createIndex, createTeamIndex } from "../src/index/create-index.ts";
import { parseScope } from "../src/index/scope.ts";
import type { IndexedFile, SearchIndex, SearchRequest } from "../src/index/search-index.ts";
import { openPostgres } from "../src/storage/postgres/postgres.ts";
import { makeVaultRow } from "../src/vault/postgres/vault-row.ts";
import { PostgresServer } from "../test/team/postgres-server.ts";
import { CleanUp } from "./clean-up.ts";
import { generateVault } from "./generate-vault.ts";
import {
  compare,
  milliseconds,
  optionsOf,
  report,
  seconds,
  type Times,
  type Work,
} from "./measure.ts";
import { Doc, measure, Question, tableHead, tableRow, type Answer } from "./retrieval-measure.ts";
import { makeQueries, requestFor } from "./search-queries.ts";
import { benchTeamVault } from "./team-vault.ts";

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: {
    files: { type: "string", default: "2000" },
    data: {
      type: "string",
      default: path.join(import.meta.dirname, "../../shared/data/retrieval"),
    },
    set: { type: "string" },
    questions: { type: "string", default: "200" },
  },
});

const cleanUp = new CleanUp();
const server = new PostgresServer([]);
cleanUp.add(async () => server.remove());
await server.start();
const database = await openPostgres({ url: server.url("postgres") });
cleanUp.add(async () => database.close());

let made = 0;

/** An empty index in each engine. */
async function bothIndexes(): Promise<{ sqlite: SearchIndex; postgres: SearchIndex }> {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-bench-team-"));
  cleanUp.add(async () => rmSync(folder, { recursive: true, force: true }));
  made += 1;
  const row = await makeVaultRow(database, `bench-${made}`);
  return { sqlite: createIndex({ folder }), postgres: await createTeamIndex(database, row) };
}

/** Runs a work on both in turn, and says how many times as long PostgreSQL takes. */
async function versus(
  what: string,
  work: (index: SearchIndex) => Work,
  { sqlite, postgres }: { sqlite: SearchIndex; postgres: SearchIndex },
  most: number,
): Promise<void> {
  const [ours, theirs] = await compare([work(sqlite), work(postgres)], { rounds: 60 });
  if (ours === undefined || theirs === undefined) return;
  const of = ({ median, p95 }: Times): string => `${milliseconds(median)} / ${milliseconds(p95)}`;
  const ratio = theirs.median / ours.median;
  const figure = `${of(ours)} → ${of(theirs)}, ${ratio.toFixed(1)}×`;
  report(what, figure, `${most}×`, ratio <= most);
}

async function speed(count: number): Promise<void> {
  const files: IndexedFile[] = [...generateVault(count)].map(({ path: place, text }) => ({
    path: place,
    text,
    updated: "2026-03-01T10:00:00",
    signature: place,
  }));
  const both = await bothIndexes();
  for (const [name, index] of Object.entries(both)) {
    const start = performance.now();
    await index.load(files);
    console.log(`load of ${files.length} notes, ${name}: ${seconds(performance.now() - start)}`);
  }
  const queries = makeQueries(60);
  const [folder = ""] = files[0]?.path.split("/") ?? [];
  const scoped = { scope: [parseScope(`vault/${folder}`)] };
  const glob = { scope: [parseScope("vault/**/*a*.md")] };
  const asked: [string, readonly string[], Partial<SearchRequest>][] = [
    ["search, usual words", queries.usual, {}],
    ["search, common words", queries.common, {}],
    ["search, worst words", queries.worst, {}],
    ["search in one folder", queries.usual, scoped],
    ["search in a glob", queries.usual, glob],
  ];
  for (const [what, words, more] of asked) {
    const run = (index: SearchIndex): Work => {
      let turn = 0;
      return async () => {
        turn += 1;
        await index.search({ ...requestFor(words[turn % words.length] ?? ""), ...more });
      };
    };
    await versus(what, run, both, 3);
  }
  const replace = (index: SearchIndex): Work => {
    let turn = 0;
    return async () => {
      turn += 1;
      const file = files[(turn * 7) % files.length];
      if (file !== undefined) await index.put({ ...file, text: `${file.text}\nturn ${turn}\n` });
    };
  };
  await versus("replace a note", replace, both, 5);
  await both.sqlite.close();
}

function parseLines<T>(text: string, schema: z.ZodType<T>): T[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => schema.parse(JSON.parse(line)));
}

async function retrieval(folder: string, most: number): Promise<void> {
  const docs = parseLines(
    gunzipSync(readFileSync(path.join(folder, "docs.jsonl.gz"))).toString(),
    Doc,
  );
  const all = parseLines(readFileSync(path.join(folder, "queries.jsonl"), "utf8"), Question);
  const step = Math.max(1, Math.floor(all.length / most));
  const questions = all.filter((_, at) => at % step === 0).slice(0, most);
  const indexes = await bothIndexes();
  console.log(`${path.basename(folder)}: ${docs.length} notes, ${questions.length} questions`);
  console.log(tableHead());
  for (const [name, index] of Object.entries(indexes)) {
    await index.load(
      docs.map((doc) => ({ ...doc, updated: "2026-03-01T10:00:00", signature: doc.path })),
    );
    const answers = new Map<string, Answer>();
    for (const { query } of questions) {
      const { hits } = await index.search({ ...requestFor(query.slice(0, 1000)), limit: 50 });
      answers.set(query, {
        files: [...new Set(hits.map((hit) => hit.path))],
        shown: [],
        tokens: 0,
      });
    }
    const answer = (query: string): Answer =>
      answers.get(query) ?? { files: [], shown: [], tokens: 0 };
    console.log(tableRow(name, measure(questions, new Map(), answer)));
  }
  await indexes.sqlite.close();
}

try {
  await speed(Number(values.files));
  const url = server.url("postgres");
  await benchTeamVault({ database, url, files: Number(values.files), cleanUp });
  const sets = values.set === undefined ? ["piaf-dev", "scifact"] : [values.set];
  for (const set of sets) {
    const folder = path.join(values.data, set);
    if (existsSync(folder)) await retrieval(folder, Number(values.questions));
  }
} finally {
  await cleanUp.run();
}
