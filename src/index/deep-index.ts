import { setImmediate as nextTurn } from "node:timers/promises";

import type { VaultPath } from "../vault/paths.ts";
import { Budget } from "./budget.ts";
import type { DeepModel, FileFollower } from "./deep-model.ts";
import { DeepSearch } from "./deep-search.ts";
import { EmbeddingQueue } from "./embedding-queue.ts";
import { MachineLoad } from "./machine-load.ts";
import type { IndexedFile, SearchIndex, SearchOutcome, SearchRequest } from "./search-index.ts";
import type { SqliteIndex } from "./sqlite-index.ts";
import { VectorStore } from "./vector-store.ts";

/** What `deep` searches with at present. */
export interface DeepStatus {
  /** `words` when there is no model. */
  readonly engine: "qmd" | "endpoint" | "words";
  readonly model: string | null;
  readonly state: "words" | "opening" | "ready" | "embedding" | "paused" | "failed";
  /** Sections that can be found by meaning, and those that cannot yet. */
  readonly embedded: number;
  readonly pending: number;
  readonly problem: string | null;
}

export interface DeepIndexOptions {
  readonly index: SqliteIndex;
  /** Where vectors are kept. */
  readonly folder: string;
  readonly now: () => Date;
  /** Opens what `deep` searches with; null when there is nothing. */
  readonly openModel: () => Promise<DeepModel | null>;
  /** Milliseconds a deep search may take. */
  readonly budget?: number;
  /** Whether others need the machine now. */
  readonly isBusy?: () => boolean;
  /** Milliseconds without a change before its sections are embedded. */
  readonly quiet?: number;
}

const BUDGET = 10_000;
/** Files given to the follower in one go: others wait meanwhile, a millisecond for each. */
const BATCH = 20;
const RETRY = 5000;

type Changes = Parameters<FileFollower["apply"]>[0];

/** A model with what belongs to it. */
interface Opened {
  readonly model: DeepModel;
  readonly store: VectorStore;
  readonly queue: EmbeddingQueue;
}

/**
 * The built-in index, and beside it a model that follows its changes and finds by meaning. What was indexed is found by words at once; the
 * model's part follows when it can, and its failure never stops a search or an update.
 */
export class DeepIndex implements SearchIndex {
  readonly #options: DeepIndexOptions;
  readonly #index: SqliteIndex;
  #opening: Promise<void> | null = null;
  #isOpening = false;
  #opened: Opened | null = null;
  #problem: string | null = null;
  #searches = 0;
  #isClosed = false;
  #catchingUp: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | null = null;

  constructor(options: DeepIndexOptions) {
    this.#options = options;
    this.#index = options.index;
  }

  /** Opens the model, has it catch up, and embeds what is missing. Without it, `deep` searches by words. */
  async start(): Promise<void> {
    await this.open();
    await this.#catchUp();
    if (this.#isClosed) return;
    this.#tidyVectors();
    this.#opened?.queue.poke();
  }

  /** Opens the model to search with what is embedded already, and no more. */
  async open(): Promise<void> {
    this.#opening ??= this.#open();
    await this.#opening;
  }

  async #open(): Promise<void> {
    this.#isOpening = true;
    try {
      const model = await this.#options.openModel();
      if (model === null) return;
      if (this.#isClosed) return await model.close();
      const { folder, now, quiet } = this.#options;
      const load = new MachineLoad();
      const isOthers = this.#options.isBusy ?? (() => model.embedder.isLocal && load.isBusy());
      const store = new VectorStore({ folder, model: model.embedder.model, now });
      const queue = new EmbeddingQueue({
        sections: this.#index.sections,
        store,
        embedder: model.embedder,
        isBusy: () => this.#searches > 0 || isOthers(),
        ...(quiet === undefined ? {} : { quiet }),
      });
      this.#opened = { model, store, queue };
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.#isOpening = false;
    }
  }

  async put(file: IndexedFile): Promise<void> {
    await this.apply({ put: [file], gone: [] });
  }

  async remove(path: VaultPath): Promise<void> {
    await this.apply({ put: [], gone: [path] });
  }

  async move(from: VaultPath, to: VaultPath): Promise<void> {
    await this.#index.move(from, to);
    const moved = this.#index.file(to);
    await this.#follow({ put: moved === null ? [] : [moved], gone: from === to ? [] : [from] });
  }

  /** Several changes at once. */
  async apply(changes: Changes): Promise<void> {
    await this.#index.apply(changes);
    await this.#follow(changes);
  }

  /** Many files at once, see {@link SqliteIndex.load}. */
  async load(...args: Parameters<SqliteIndex["load"]>): Promise<void> {
    await this.#index.load(...args);
    await this.#catchUp();
    this.#opened?.queue.poke();
  }

  signatures(): Map<VaultPath, string> {
    return this.#index.signatures();
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const opened = this.#opened;
    if (request.mode === "fast") return this.#index.search(request);
    if (opened === null) return this.#byWords(request);
    this.#searches += 1;
    try {
      const budget = new Budget(this.#options.budget ?? BUDGET);
      return await new DeepSearch(request, { index: this.#index, ...opened, budget }).run();
    } finally {
      this.#searches -= 1;
    }
  }

  async #byWords(request: SearchRequest): Promise<SearchOutcome> {
    const outcome = await this.#index.search(request);
    if (this.#problem === null) return outcome;
    return { ...outcome, notes: [`no model (${this.#problem}): lexical deep search`] };
  }

  stats(): ReturnType<SqliteIndex["stats"]> {
    return this.#index.stats();
  }

  status(): DeepStatus {
    const opened = this.#opened;
    if (opened === null) {
      const state = this.#problem === null ? "words" : "failed";
      const none = { engine: "words", model: null, embedded: 0, pending: 0 } as const;
      return { ...none, state: this.#isOpening ? "opening" : state, problem: this.#problem };
    }
    const { model, queue } = opened;
    const progress = queue.progress();
    const problem = progress.problem ?? this.#problem;
    return { engine: model.engine, model: model.embedder.model, ...progress, problem };
  }

  /** Resolves when everything is embedded, or the model fails. */
  async settled(): Promise<void> {
    await this.#opening;
    await this.#catchingUp;
    await this.#opened?.queue.settled();
  }

  /** Ends the model's part; the built-in index is closed by who made it. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#opening;
    await this.#catchingUp;
    const opened = this.#opened;
    this.#opened = null;
    await opened?.queue.close();
    await opened?.store.close();
    await opened?.model.close();
  }

  close(): void {
    void this.stop();
    this.#index.close();
  }

  async #follow({ put, gone }: Changes): Promise<void> {
    if (this.#opened === null || put.length + gone.length === 0) return;
    this.#give({ put: put.slice(0, BATCH), gone });
    for (let at = BATCH; at < put.length; at += BATCH) {
      await nextTurn();
      this.#give({ put: put.slice(at, at + BATCH), gone: [] });
    }
    this.#opened?.queue.poke();
  }

  /** What goes wrong is made good by comparing everything, a little later. */
  #give(changes: Changes): void {
    try {
      this.#opened?.model.follower?.apply(changes);
    } catch (error) {
      this.#followingFailed(error);
    }
  }

  #followingFailed(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : String(error);
    if (this.#isClosed) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#catchUp(), RETRY);
    this.#retry.unref();
  }

  async #catchUp(): Promise<void> {
    this.#catchingUp = this.#catchingUp
      .then(() => this.#compare())
      .catch((error: unknown) => this.#followingFailed(error));
    await this.#catchingUp;
  }

  /** Makes the follower's files equal to the index's: whatever changed while it was not there. */
  async #compare(): Promise<void> {
    const follower = this.#opened?.model.follower;
    if (follower === undefined) return;
    this.#problem = null;
    const has = follower.signatures();
    const due: VaultPath[] = [];
    for (const [path, signature] of this.#index.signatures()) {
      if (has.get(path) !== signature) due.push(path);
      has.delete(path);
    }
    const paths = [...due, ...has.keys()];
    for (let at = 0; at < paths.length && !this.#isClosed; at += BATCH) {
      // As they are now: some may have changed since the comparison.
      const now = paths
        .slice(at, at + BATCH)
        .map((path) => ({ path, file: this.#index.file(path) }));
      const put = now.flatMap(({ file }) => file ?? []);
      const gone = now.filter(({ file }) => file === null).map(({ path }) => path);
      this.#give({ put, gone });
      if (this.#problem !== null) return;
      await nextTurn();
    }
  }

  #tidyVectors(): void {
    const all = this.#index.sections.within({ scope: null, from: null, to: null });
    this.#opened?.store.keepOnly(all.map(({ meaning }) => meaning));
  }
}
