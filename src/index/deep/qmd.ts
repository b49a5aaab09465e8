import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { z } from "zod";

import { nameOf, type VaultPath } from "../../vault/paths.ts";
import type { DeepModel, Embedder, Expansion, FileFollower, ModelText } from "./deep-model.ts";
import type { FileChanges, IndexedFile } from "../search-index.ts";

/*
 * QMD (https://github.com/tobi/qmd), through its SDK; no other file uses it. It is loaded on demand, because it is an optional install. Its
 * own type declarations do not compile with our TypeScript settings, so the parts we use are declared here.
 */

/** The versions of QMD that the tests were run with. */
export const TESTED = { from: "2.8.3", below: "2.9.0" };

interface Statement {
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): readonly Readonly<Record<string, unknown>>[];
}

interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  transaction(work: () => void): () => void;
}

interface Llm {
  embedBatch(
    texts: string[],
  ): Promise<readonly ({ readonly embedding: readonly number[] } | null)[]>;
}

interface InternalStore {
  readonly db: Database;
  readonly llm: Llm;
  insertContent(hash: string, text: string, createdAt: string): void;
  insertDocument(
    collection: string,
    path: string,
    title: string,
    hash: string,
    createdAt: string,
    modifiedAt: string,
  ): void;
  findActiveDocument(
    collection: string,
    path: string,
  ): { readonly id: number; readonly hash: string } | null;
  updateDocument(id: number, title: string, hash: string, modifiedAt: string): void;
  deactivateDocument(collection: string, path: string): void;
  searchFTS(query: string, limit: number): readonly { readonly filepath: string }[];
  expandQuery(
    query: string,
  ): Promise<readonly { readonly type: Expansion["kind"]; readonly query: string }[]>;
  rerank(
    query: string,
    documents: { file: string; text: string }[],
  ): Promise<readonly { readonly file: string; readonly score: number }[]>;
}

interface Store {
  readonly internal: InternalStore;
  close(): Promise<void>;
}

interface Qmd {
  createStore(options: {
    dbPath: string;
    config: {
      collections: Record<string, { path: string; pattern: string }>;
      models: { embed: string; rerank?: string; generate?: string };
    };
  }): Promise<Store>;
}

/** QMD as it is installed. */
export interface InstalledQmd {
  readonly version: string;
  readonly entry: string;
  readonly isTested: boolean;
}

const Package = z.object({
  version: z.string(),
  exports: z.object({ ".": z.object({ import: z.string() }) }),
});

/**
 * Where QMD is; null when it is not installed. Nothing of it is loaded.
 * @param folder a folder whose `node_modules` has it; null to look where this program is installed
 */
export function findQmd(folder: string | null): InstalledQmd | null {
  let at = folder ?? path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const home = path.join(at, "node_modules", "@tobilu", "qmd");
    if (existsSync(path.join(home, "package.json"))) return describe(home);
    const above = path.dirname(at);
    if (above === at || folder !== null) return null;
    at = above;
  }
}

function describe(home: string): InstalledQmd {
  const text = readFileSync(path.join(home, "package.json"), "utf8");
  const { version, exports } = Package.parse(JSON.parse(text));
  const isTested =
    compareVersions(version, TESTED.from) >= 0 && compareVersions(version, TESTED.below) < 0;
  return { version, isTested, entry: path.join(home, exports["."].import) };
}

function compareVersions(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map((version) => version.split(".").map(Number));
  return (
    left.map((part, at) => part - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0
  );
}

export interface QmdOptions {
  readonly installed: InstalledQmd;
  /** Where its database is kept; made when missing. */
  readonly folder: string;
  /** Name of the embedding model, which stays the same when its file moves. */
  readonly model: string;
  /** The files of the models; null for those that are not there. */
  readonly files: {
    readonly embed: string;
    readonly rerank: string | null;
    readonly generate: string | null;
  };
}

/** Opens QMD's store. QMD loads its models on first use, and unloads them after some minutes without use. */
export async function openQmd({ installed, folder, model, files }: QmdOptions): Promise<DeepModel> {
  const loaded: unknown = await import(pathToFileURL(installed.entry).href);
  if (!isQmd(loaded)) throw new Error(`QMD ${installed.version} has no createStore.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const store = await loaded.createStore({
    dbPath: path.join(folder, "qmd.sqlite"),
    config: {
      // Never scanned: every file is put into the store by us.
      collections: { [COLLECTION]: { path: folder, pattern: "**/*.md" } },
      models: {
        embed: files.embed,
        ...(files.rerank === null ? {} : { rerank: files.rerank }),
        ...(files.generate === null ? {} : { generate: files.generate }),
      },
    },
  });
  const { internal } = store;
  return {
    engine: "qmd",
    embedder: embedderOf(internal.llm, model),
    follower: new QmdFiles(internal),
    filesWith: (...wanted) => filesWith(internal, ...wanted),
    ...(files.generate === null ? {} : { expand: async (query) => expand(internal, query) }),
    ...(files.rerank === null
      ? {}
      : { rerank: async (query, texts) => rerank(internal, query, texts) }),
    close: async () => store.close(),
  };
}

function isQmd(loaded: unknown): loaded is Qmd {
  return (
    typeof loaded === "object" &&
    loaded !== null &&
    "createStore" in loaded &&
    typeof loaded.createStore === "function"
  );
}

const COLLECTION = "vault";
const SIGNATURES =
  "CREATE TABLE IF NOT EXISTS coffre_files (path TEXT PRIMARY KEY, signature TEXT NOT NULL)";

/** The files in QMD's store, each with its signature. */
class QmdFiles implements FileFollower {
  readonly #store: InternalStore;

  constructor(store: InternalStore) {
    this.#store = store;
    // What a power cut loses is restored by the next comparison.
    store.db.exec(`PRAGMA synchronous = NORMAL; ${SIGNATURES};`);
  }

  signatures(): Map<VaultPath, string> {
    const rows = this.#store.db.prepare("SELECT path, signature FROM coffre_files").all();
    return new Map(rows.map((row) => [String(row["path"]), String(row["signature"])]));
  }

  apply(changes: FileChanges): void {
    const change = this.#store.db.transaction(() => {
      for (const file of changes.gone) this.#remove(file);
      for (const file of changes.put) this.#put(file);
    });
    change();
  }

  #put({ path: file, text, updated, signature }: IndexedFile): void {
    const hash = createHash("sha256").update(text).digest("hex");
    const time = updated ?? "";
    const title = /^##?\s+(.+)$/mu.exec(text)?.[1]?.trim() ?? nameOf(file).replace(/\.md$/u, "");
    const known = this.#store.findActiveDocument(COLLECTION, file);
    this.#store.insertContent(hash, text, time);
    if (known === null) this.#store.insertDocument(COLLECTION, file, title, hash, time, time);
    else {
      this.#store.updateDocument(known.id, title, hash, time);
      this.#forget(known.hash);
    }
    this.#store.db
      .prepare("INSERT OR REPLACE INTO coffre_files VALUES (?, ?)")
      .run(file, signature);
  }

  #remove(file: VaultPath): void {
    const known = this.#store.findActiveDocument(COLLECTION, file);
    this.#store.deactivateDocument(COLLECTION, file);
    // QMD keeps removed files until a clean-up; the vault has its own history.
    this.#store.db
      .prepare("DELETE FROM documents WHERE collection = ? AND path = ? AND active = 0")
      .run(COLLECTION, file);
    if (known !== null) this.#forget(known.hash);
    this.#store.db.prepare("DELETE FROM coffre_files WHERE path = ?").run(file);
  }

  /** Deletes a text that no file has any more. */
  #forget(hash: string): void {
    this.#store.db
      .prepare(
        "DELETE FROM content WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.hash = content.hash)",
      )
      .run(hash);
  }
}

function embedderOf(llm: Llm, model: string): Embedder {
  return {
    model,
    // Small: the service waits for a started batch when it ends.
    batch: 4,
    isLocal: true,
    embed: async (texts, purpose) => {
      const answers = await llm.embedBatch(texts.map((text) => promptOf(text, purpose, model)));
      return texts.map((_, at) => {
        const answer = answers[at] ?? null;
        if (answer === null) throw new Error(`The embedding model ${model} gave no vector.`);
        return Float32Array.from(answer.embedding);
      });
    },
  };
}

/** The prompts that QMD uses: each model was trained with its own. */
function promptOf({ title, text }: ModelText, purpose: "query" | "section", model: string): string {
  const isQwen = /qwen.*embed|embed.*qwen/iu.test(model);
  if (purpose === "query") {
    return isQwen
      ? `Instruct: Retrieve relevant documents for the given query\nQuery: ${text}`
      : `task: search result | query: ${text}`;
  }
  if (isQwen) return title === "" ? text : `${title}\n${text}`;
  return `title: ${title || "none"} | text: ${text}`;
}

/** QMD's search by words has no scope: raises the limit until enough results are wanted, or there are no more. */
function filesWith(
  store: InternalStore,
  ...[query, isWanted, most]: Parameters<NonNullable<DeepModel["filesWith"]>>
): VaultPath[] {
  const prefix = `qmd://${COLLECTION}/`;
  for (let limit = most; ; limit *= 8) {
    const found = store.searchFTS(query, limit);
    const wanted = found.map((each) => each.filepath.slice(prefix.length)).filter(isWanted);
    if (wanted.length >= most || found.length < limit) return wanted.slice(0, most);
  }
}

async function expand(store: InternalStore, query: string): Promise<Expansion[]> {
  const expanded = await store.expandQuery(query);
  return expanded.map(({ type, query: text }) => ({ kind: type, text }));
}

async function rerank(
  store: InternalStore,
  query: string,
  texts: readonly string[],
): Promise<number[]> {
  const documents = texts.map((text, at) => ({ file: String(at), text }));
  const ranked = await store.rerank(query, documents);
  const scores = new Map(ranked.map(({ file, score }) => [file, score]));
  return texts.map((_, at) => Math.min(1, Math.max(0, scores.get(String(at)) ?? 0)));
}
