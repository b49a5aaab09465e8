/**
 * An embedding server for the benchmarks: a local model behind OpenAI's `/embeddings`. `node bench/embedding-server.ts MODEL.gguf CACHE FOLDER`, where
 * FOLDER has node-llama-cpp in its `node_modules` (`npm ci --prefix test/qmd`). Prints its address as JSON. Vectors are kept in the file
 * CACHE, so that a second run costs nothing.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

import { z } from "zod";

const Asked = z.object({ input: z.array(z.string()) });
const Cached = z.object({ key: z.string(), vector: z.array(z.number()) });

/** What is used of node-llama-cpp. */
interface Llama {
  loadModel(options: { modelPath: string }): Promise<{
    createEmbeddingContext(options: { threads: number }): Promise<{
      getEmbeddingFor(text: string): Promise<{ readonly vector: readonly number[] }>;
    }>;
  }>;
}
interface LlamaModule {
  getLlama(options: { gpu: false; build: "never"; logLevel: "error" }): Promise<Llama>;
}

/** Characters that the model reads: it was trained on 256 tokens. */
const LONGEST = 1000;

const [model = "", cache = "", folder = ""] = process.argv.slice(2);
const entry = path.join(folder, "node_modules/node-llama-cpp/dist/index.js");
const module: LlamaModule = await import(pathToFileURL(path.resolve(entry)).href);
const llama = await module.getLlama({ gpu: false, build: "never", logLevel: "error" });
const context = await (
  await llama.loadModel({ modelPath: model })
).createEmbeddingContext({
  // Several threads wait for each other, which takes seconds on a busy machine.
  threads: 1,
});

const known = new Map<string, readonly number[]>();
if (existsSync(cache)) {
  for (const line of readFileSync(cache, "utf8").split("\n")) {
    if (line === "") continue;
    const { key, vector } = Cached.parse(JSON.parse(line));
    known.set(key, vector);
  }
}

async function embed(text: string): Promise<readonly number[]> {
  const key = createHash("sha1").update(text).digest("base64");
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const { vector } = await context.getEmbeddingFor(text.slice(0, LONGEST));
  const rounded = vector.map((value) => Math.round(value * 1e5) / 1e5);
  known.set(key, rounded);
  appendFileSync(cache, `${JSON.stringify({ key, vector: rounded })}\n`);
  return rounded;
}

const server = createServer((request, response) => {
  const answer = async (): Promise<void> => {
    const { input } = Asked.parse(await json(request));
    const data = [];
    for (const [index, text] of input.entries()) data.push({ index, embedding: await embed(text) });
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  };
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }));
});
