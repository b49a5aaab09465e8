/**
 * How well `search` finds, on labelled questions: `npm run bench -- retrieval [--data DIR] [--set NAME] [--questions N] [--mode fast] [--embed MODEL.gguf | --qmd MODEL.gguf]
 * [--cache DIR] [--json FILE]`. Ours is a running `coffre serve`, asked over HTTP; beside it plain FTS5 (porter, words joined with OR), in the same run. With a model,
 * `deep` embeds through a server of the benchmark's own, or through QMD; both need `npm ci --prefix test/qmd` (or `--llama DIR`).
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
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

import { z } from "zod";

import { countTokens } from "../src/text/tokens.ts";
import { CleanUp } from "./clean-up.ts";
import { optionsOf } from "./measure.ts";
import {
  Doc,
  labelledLines,
  measure,
  plainFts,
  Question,
  tableHead,
  tableRow,
  type Answer,
  type RetrievalFigures,
} from "./retrieval-measure.ts";
import { startServer } from "./server-process.ts";

const Results = z.array(z.object({ path: z.string(), chunk_with_context: z.string() }));
const ToolAnswer = z.object({
  content: z.array(z.object({ text: z.string() })),
  structured: z.unknown(),
  isError: z.boolean(),
});
const Served = z.object({ address: z.string() });
const Status = z.object({
  index: z.object({ files: z.number(), pending: z.number() }),
  deep: z.object({ engine: z.string(), state: z.string(), pending: z.number() }),
});

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: {
    data: {
      type: "string",
      default: path.join(import.meta.dirname, "../../shared/data/retrieval"),
    },
    set: { type: "string" },
    questions: { type: "string" },
    /** Only this one. */
    mode: { type: "string" },
    embed: { type: "string" },
    /** The same as QMD runs it, with its prompts and its own search by words. */
    qmd: { type: "string" },
    cache: { type: "string" },
    /** Where the figures are written, too. */
    json: { type: "string" },
    llama: { type: "string", default: path.join(import.meta.dirname, "../test/qmd") },
  },
});

function parseLines<T>(text: string, schema: z.ZodType<T>): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

/** Every n-th, so that as many are left. */
function sampleOf<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

interface Running {
  readonly root: string;
  readonly address: string;
  readonly token: string;
}

async function post(running: Running, args: object): Promise<z.infer<typeof ToolAnswer>> {
  const response = await fetch(`${running.address}/api/tools/search?profile=search`, {
    method: "POST",
    headers: { authorization: `Bearer ${running.token}`, "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  return ToolAnswer.parse(await response.json());
}

/** Writes the files, starts a service on them, and waits until all is indexed and embedded. */
async function serve(
  docs: readonly Doc[],
  folder: string,
  cleanUp: CleanUp,
  embedUrl: string | null,
): Promise<Running> {
  const [root, state] = [path.join(folder, "vault"), path.join(folder, "state")];
  for (const doc of docs) {
    const file = path.join(root, doc.path);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, doc.text);
  }
  const program = path.join(import.meta.dirname, "../src/cli/main.ts");
  const words = ["serve", "--json", "--port", "0", "--vault", root, "--state", state];
  const embedding = { COFFRE_EMBED_URL: embedUrl ?? "", COFFRE_EMBED_MODEL: "bench" };
  if (values.qmd !== undefined) {
    const deep = { engine: "qmd", models: { embed: path.resolve(values.qmd) } };
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(state, "coffre.json"), JSON.stringify({ deep }));
  }
  const server = await startServer([program, ...words], {
    ...process.env,
    ...(embedUrl === null ? {} : embedding),
    ...(values.qmd === undefined ? {} : { COFFRE_QMD: path.resolve(values.llama) }),
  });
  cleanUp.add(server.stop);
  const token = readFileSync(path.join(state, "token"), "utf8").trim();
  const running = { root, token, address: Served.parse(server.ready).address };
  for (;;) {
    const response = await fetch(`${running.address}/api/status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { index, deep } = Status.parse(await response.json());
    const isIndexed = index.pending === 0 && index.files >= docs.length;
    if (values.qmd !== undefined && deep.engine !== "qmd")
      throw new Error(`QMD is not in ${values.llama}: npm ci --prefix test/qmd`);
    if (isIndexed && deep.state !== "opening" && deep.pending === 0) return running;
    await wait(500);
  }
}

/** How many lines the service put above the text of a file: labels count without them. */
function linesAbove({ root }: Running, docs: readonly Doc[]): Map<string, number> {
  const lines = (text: string): number => text.split("\n").length;
  return new Map(
    docs.map((doc) => {
      const now = readFileSync(path.join(root, doc.path), "utf8");
      return [doc.path, lines(now) - lines(doc.text)];
    }),
  );
}

async function ask(
  running: Running,
  above: ReadonlyMap<string, number>,
  query: string,
  mode: string,
): Promise<Answer> {
  const queries = [query.slice(0, 1000)];
  const usual = await post(running, { queries, mode });
  const tokens = countTokens(usual.content.map(({ text }) => text).join("\n"));
  const all = await post(running, { queries, mode, limit: 50 });
  if (all.isError) return { files: [], shown: [], tokens };
  const results = Results.parse(all.structured).map((each) => ({
    ...each,
    file: each.path.replace(/^vault\//u, ""),
  }));
  const shown = results.flatMap(({ file, chunk_with_context }) =>
    chunk_with_context.split("\n").map((text) => ({
      file,
      line: Number(/^\d+/u.exec(text)?.[0]) - (above.get(file) ?? 0),
      tokens: text.length / 4,
    })),
  );
  return { files: [...new Set(results.map(({ file }) => file))], shown, tokens };
}

const found: RetrievalFigures[] = [];

function tell(set: string, name: string, figures: RetrievalFigures["figures"]): void {
  console.log(tableRow(name, figures));
  found.push({ set, name, figures });
}

async function benchSet(name: string, embedUrl: string | null): Promise<void> {
  const base = path.join(values.data, name);
  const packed = readFileSync(path.join(base, "docs.jsonl.gz"));
  const docs = parseLines(gunzipSync(packed).toString("utf8"), Doc);
  const every = parseLines(readFileSync(path.join(base, "queries.jsonl"), "utf8"), Question);
  const questions = sampleOf(every, Number(values.questions ?? every.length));
  const cleanUp = new CleanUp();
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-retrieval-"));
  cleanUp.add(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const lines = labelledLines(questions, docs);
    const withLines = [...lines.values()].filter((labels) => labels.length > 0).length;
    console.log(
      `${name}: ${docs.length} files, ${questions.length} questions, ${withLines} with lines that their file has`,
    );
    console.log(tableHead());
    tell(name, "plain FTS5", measure(questions, lines, plainFts(docs)));
    const running = await serve(docs, folder, cleanUp, embedUrl);
    const above = linesAbove(running, docs);
    for (const mode of values.mode === undefined ? ["fast", "deep"] : [values.mode]) {
      const answers = new Map<string, Answer>();
      for (const { query } of questions) answers.set(query, await ask(running, above, query, mode));
      const none = { files: [], shown: [], tokens: 0 };
      const figures = measure(questions, lines, (query) => answers.get(query) ?? none);
      tell(name, `ours, ${mode}`, figures);
    }
  } finally {
    await cleanUp.run();
  }
}

/** Null without a model to embed with. */
async function startEmbedding(cleanUp: CleanUp): Promise<string | null> {
  const { embed, llama, cache = tmpdir() } = values;
  if (embed === undefined) return null;
  const program = path.join(import.meta.dirname, "embedding-server.ts");
  const vectors = path.join(cache, "coffre-retrieval-vectors.jsonl");
  const server = await startServer([program, embed, vectors, llama]);
  cleanUp.add(server.stop);
  return Served.parse(server.ready).address;
}

if (values.embed !== undefined && values.qmd !== undefined)
  throw new Error("One way to embed in a run: --embed or --qmd.");
if (!existsSync(values.data)) {
  console.log(`        no labelled questions in ${values.data}: give their folder with --data`);
} else {
  const cleanUp = new CleanUp();
  try {
    const embedUrl = await startEmbedding(cleanUp);
    const sets = readdirSync(values.data, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    for (const name of sets)
      if (values.set === undefined || values.set === name) await benchSet(name, embedUrl);
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(found));
  } finally {
    await cleanUp.run();
  }
}
