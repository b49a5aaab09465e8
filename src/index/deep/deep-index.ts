import type { VaultPath } from "../../vault/paths.ts";
import { Budget } from "./time-budget.ts";
import type { DeepModel, FileChanges } from "./deep-model.ts";
import { DeepSearch } from "./hybrid-search.ts";
import { EmbeddingQueue } from "./embedding-queue.ts";
import { Following } from "./qmd-sync.ts";
import { MachineLoad } from "./machine-load.ts";
import type { IndexedFile, SearchIndex, SearchOutcome, SearchRequest } from "../search-index.ts";
import type { SqliteIndex } from "../lexical/sqlite-index.ts";
import { VectorStore } from "./vectors/vector-store.ts";

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

/** A model with what belongs to it. */
interface Opened {
  readonly model: DeepModel;
  readonly store: VectorStore;
  readonly queue: EmbeddingQueue;
  /** Null when the model keeps no files. */
  readonly following: Following | null;
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

  constructor(options: DeepIndexOptions) {
    this.#options = options;
    this.#index = options.index;
  }

  /** Opens the model, has it catch up, and embeds what is missing. Without it, `deep` searches by words. */
  async start(): Promise<void> {
    await this.open();
    await this.#opened?.following?.catchUp();
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
      const { follower } = model;
      const following = follower === undefined ? null : new Following(this.#index, follower);
      this.#opened = { model, store, queue, following };
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
  async apply(changes: FileChanges): Promise<void> {
    await this.#index.apply(changes);
    await this.#follow(changes);
  }

  /** Many files at once, see {@link SqliteIndex.load}. */
  async load(...args: Parameters<SqliteIndex["load"]>): Promise<void> {
    await this.#index.load(...args);
    await this.#opened?.following?.catchUp();
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
    const { model, queue, following } = opened;
    const progress = queue.progress();
    const problem = progress.problem ?? following?.problem ?? null;
    return { engine: model.engine, model: model.embedder.model, ...progress, problem };
  }

  /** Resolves when everything is embedded, or the model fails. */
  async settled(): Promise<void> {
    await this.#opening;
    await this.#opened?.queue.settled();
  }

  /** Ends the model's part; the built-in index is closed by who made it. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    const opened = this.#opened;
    this.#opened = null;
    await opened?.following?.close();
    await opened?.queue.close();
    await opened?.store.close();
    await opened?.model.close();
  }

  close(): void {
    void this.stop();
    this.#index.close();
  }

  async #follow(changes: FileChanges): Promise<void> {
    await this.#opened?.following?.follow(changes);
    this.#opened?.queue.poke();
  }

  #tidyVectors(): void {
    const all = this.#index.sections.within({ scope: null, from: null, to: null });
    this.#opened?.store.keepOnly(all.map(({ meaning }) => meaning));
  }
}
