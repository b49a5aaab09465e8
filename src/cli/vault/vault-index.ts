import path from "node:path";

import type { DeepIndex } from "../../index/deep/deep-index.ts";
import type {
  IndexedFile,
  IndexStats,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
} from "../../index/search-index.ts";
import type { SqliteIndex } from "../../index/lexical/sqlite-index.ts";
import type { Vault } from "../../vault/vault.ts";
import type { CommandContext } from "../table/command.ts";
import type { Screen } from "../output/screen.ts";

/** Opens the index that is kept in the vault's state folder. */
export async function openSqliteIndex(vault: Vault): Promise<SqliteIndex> {
  const { SqliteIndex } = await import("../../index/lexical/sqlite-index.ts");
  return new SqliteIndex(path.join(vault.state, "index"));
}

/** Brings the index up to date with the vault, showing how far it is. */
export async function bringUpToDate(
  vault: Vault,
  index: SqliteIndex,
  screen: Screen,
): Promise<{ put: number; removed: number }> {
  const { reconcile } = await import("../../index/reconcile.ts");
  if (index.rebuilt !== null) screen.warn(`The search index is made anew: ${index.rebuilt}.`);
  try {
    return await reconcile(vault, index, (done, total) => {
      if (done % 50 === 0 || done === total) screen.progress(progressBar(done, total));
    });
  } finally {
    screen.progress(null);
  }
}

function progressBar(done: number, total: number): string {
  const width = 30;
  const filled = Math.round((width * done) / Math.max(1, total));
  return `Indexing [${"#".repeat(filled)}${".".repeat(width - filled)}] ${done} of ${total} files`;
}

type Context = Pick<CommandContext, "screen" | "environment" | "now">;

/**
 * The index as the tools see it in the shell: nothing is opened until the first search, which first looks at what changed in
 * the vault. Without a state folder that can be written, the whole vault is read instead.
 */
export class LazyIndex implements SearchIndex {
  readonly #vault: Vault;
  readonly #context: Context;
  #opened: Promise<SearchIndex> | null = null;
  #builtIn: SqliteIndex | null = null;
  #deep: DeepIndex | null = null;

  constructor(vault: Vault, context: Context) {
    this.#vault = vault;
    this.#context = context;
  }

  async #open(): Promise<SearchIndex> {
    let index: SqliteIndex;
    try {
      index = await openSqliteIndex(this.#vault);
    } catch {
      const { MemoryIndex } = await import("../../index/memory-index.ts");
      const { fillIndex } = await import("../../index/fill-index.ts");
      const memory = new MemoryIndex();
      await fillIndex(this.#vault, memory);
      return memory;
    }
    await bringUpToDate(this.#vault, index, this.#context.screen);
    this.#builtIn = index;
    return index;
  }

  /** With what a service has embedded so far: the rest is not for a command to wait for. */
  async #openDeep(index: SqliteIndex): Promise<DeepIndex> {
    const { environment, now } = this.#context;
    const { deepSettings } = await import("../../deep-config.ts");
    const { openDeepIndex } = await import("../../index/deep/choose-engine.ts");
    const deep = deepSettings(this.#vault.state, environment);
    this.#deep ??= openDeepIndex(index, this.#vault.state, { now, deep });
    await this.#deep.open();
    return this.#deep;
  }

  async #index(): Promise<SearchIndex> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const index = await this.#index();
    if (request.mode === "fast" || this.#builtIn === null) return index.search(request);
    return (await this.#openDeep(this.#builtIn)).search(request);
  }

  async put(file: IndexedFile): Promise<void> {
    await (await this.#index()).put(file);
  }

  async remove(file: string): Promise<void> {
    await (await this.#index()).remove(file);
  }

  async move(from: string, to: string): Promise<void> {
    await (await this.#index()).move(from, to);
  }

  stats(): IndexStats {
    return { engine: "built-in", files: 0, chunks: 0 };
  }

  close(): void {
    void this.#deep?.stop();
    void this.#opened?.then((index) => index.close());
  }
}
