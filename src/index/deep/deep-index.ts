import type { VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { ForwardingIndex } from "../forwarding-index.ts";
import type {
  FileChanges,
  Links,
  LoadStep,
  Replacements,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
} from "../search-index.ts";
import { PartialLinks, VaultLinks } from "../vault-links.ts";
import type { DeepModel } from "./deep-model.ts";
import { EmbeddingQueue, type EmbeddingProgress } from "./embedding-queue.ts";
import { Budget, HybridSearch } from "./hybrid-search.ts";
import { MachineLoad } from "./machine-load.ts";
import { QmdSync } from "./qmd-sync.ts";
import { VectorStore } from "./vectors/vector-store.ts";

/** What `deep` searches with at present. */
export interface DeepStatus extends Omit<EmbeddingProgress, "state"> {
  /** `words` when there is no model. */
  readonly engine: DeepModel["engine"] | "words";
  readonly model: string | null;
  readonly state: EmbeddingProgress["state"] | "words" | "opening";
}

export interface DeepIndexOptions {
  /** Searches by words. Closed together with this index. */
  readonly index: SearchIndex;
  /** Where vectors are kept. */
  readonly folder: string;
  readonly now: () => Date;
  /** Opens what `deep` searches with; null when there is nothing. */
  readonly openModel: () => Promise<DeepModel | null>;
  /** Whose files links may mean; left out, they mean files of the index only. */
  readonly vault?: Pick<VaultReader, "shape">;
  /** Awaited before every search; what it resolves with, if not null, is added to the notes. */
  readonly beforeSearch?: () => Promise<string | null>;
  /** Whether the index was compared with the files; left out, it was. */
  readonly isWhole?: () => boolean;
  /** Whether the text of a file may leave this machine; all may when it is left out. */
  readonly mayLeave?: (path: VaultPath) => Promise<boolean>;
  /** Milliseconds a deep search may take. */
  readonly budget?: number;
  /** Whether other programs need the machine now. */
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
  readonly sync: QmdSync | null;
}

/**
 * An index by words, and a model beside it that finds by meaning. What was indexed is found by words at once, and by meaning when the model
 * has embedded it; a failure of the model never stops a search or an update.
 */
export class DeepIndex extends ForwardingIndex {
  readonly #options: DeepIndexOptions;
  #opening: Promise<void> | null = null;
  #isOpening = false;
  #opened: Opened | null = null;
  #problem: string | null = null;
  #searches = 0;
  #isClosed = false;

  constructor(options: DeepIndexOptions) {
    super(options.index, {
      links: linksAfter(options),
      replacements: replacementsAfter(options),
    });
    this.#options = options;
  }

  /** Opens the model and embeds what is missing. Until then, and without a model, `deep` searches by words. */
  async start(): Promise<void> {
    await this.open();
    await this.#opened?.sync?.catchUp();
    if (this.#isClosed || this.#opened === null) return;
    const sections = await this.sections.within({ scope: null, from: null, to: null });
    this.#opened?.store.keepOnly(sections.map(({ meaning }) => meaning));
    this.#opened?.queue.poke();
  }

  /** Opens the model to search with what is embedded already; embeds nothing. */
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
      const { folder, now, quiet, mayLeave } = this.#options;
      const load = new MachineLoad();
      const isBusy = this.#options.isBusy ?? (() => model.embedder.isLocal && load.isBusy());
      const store = new VectorStore({ folder, model: model.embedder.model, now });
      const queue = new EmbeddingQueue({
        sections: this.sections,
        store,
        embedder: model.embedder,
        isBusy: () => this.#searches > 0 || isBusy(),
        ...(quiet === undefined ? {} : { quiet }),
        // A model that runs in this process keeps what it is given on this machine.
        ...(mayLeave === undefined || model.embedder.isLocal ? {} : { mayEmbed: mayLeave }),
      });
      const sync = model.follower === undefined ? null : new QmdSync(this.inner, model.follower);
      this.#opened = { model, store, queue, sync };
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.#isOpening = false;
    }
  }

  override async move(from: VaultPath, to: VaultPath): Promise<void> {
    await this.inner.move(from, to);
    const moved = await this.inner.file(to);
    await this.#follow({ put: moved === null ? [] : [moved], gone: from === to ? [] : [from] });
  }

  override async apply(changes: FileChanges): Promise<void> {
    await this.inner.apply(changes);
    await this.#follow(changes);
  }

  override async load(steps: AsyncIterable<LoadStep> | Iterable<LoadStep>): Promise<void> {
    await this.inner.load(steps);
    await this.followAll();
  }

  /** Call it after another thread changed the index: the model follows. */
  async followAll(): Promise<void> {
    await this.#opened?.sync?.catchUp();
    this.#opened?.queue.poke();
  }

  override async clear(): Promise<void> {
    await this.inner.clear();
    await this.#opened?.sync?.catchUp();
  }

  async #follow(changes: FileChanges): Promise<void> {
    await this.#opened?.sync?.follow(changes);
    this.#opened?.queue.poke();
  }

  override async search(request: SearchRequest): Promise<SearchOutcome> {
    const note = (await this.#options.beforeSearch?.()) ?? null;
    const outcome = await this.#search(request);
    return note === null ? outcome : { ...outcome, notes: [...outcome.notes, note] };
  }

  async #search(request: SearchRequest): Promise<SearchOutcome> {
    const opened = this.#opened;
    if (opened === null || request.mode === "fast") {
      const outcome = await this.inner.search(request);
      if (request.mode === "fast" || this.#problem === null) return outcome;
      return { ...outcome, notes: [`no model (${this.#problem}): lexical deep search`] };
    }
    this.#searches += 1;
    try {
      const budget = new Budget(this.#options.budget ?? BUDGET);
      return await new HybridSearch(request, { index: this.inner, ...opened, budget }).run();
    } finally {
      this.#searches -= 1;
    }
  }

  async status(): Promise<DeepStatus> {
    const opened = this.#opened;
    if (opened === null) {
      const state = this.#problem === null ? "words" : "failed";
      const none = { engine: "words", model: null, embedded: 0, pending: 0 } as const;
      return { ...none, state: this.#isOpening ? "opening" : state, problem: this.#problem };
    }
    const { model, queue, sync } = opened;
    const progress = await queue.progress();
    const problem = progress.problem ?? sync?.problem ?? null;
    return { engine: model.engine, model: model.embedder.model, ...progress, problem };
  }

  /** Resolves when everything is embedded, or the model fails. */
  async settled(): Promise<void> {
    await this.#opening;
    await this.#opened?.queue.settled();
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    const opened = this.#opened;
    this.#opened = null;
    await opened?.sync?.close();
    await opened?.queue.close();
    await opened?.store.close();
    await opened?.model.close();
    await this.inner.close();
  }
}

/** Links, once what a search waits for is there. */
function linksAfter({ index, vault, beforeSearch, isWhole }: DeepIndexOptions): Links {
  const upToDate = async (): Promise<Links> => {
    const note = (await beforeSearch?.()) ?? null;
    const knowsAll = note === null && (isWhole?.() ?? true);
    return knowsAll ? index.links : new PartialLinks(index.links);
  };
  return new VaultLinks(upToDate, vault ?? null);
}

function replacementsAfter({ index, beforeSearch }: DeepIndexOptions): Replacements {
  const { replacements } = index;
  return {
    of: async (path, lines) => {
      await beforeSearch?.();
      return replacements.of(path, lines);
    },
    stated: async () => {
      await beforeSearch?.();
      return replacements.stated();
    },
    arranged: async (hits, request) => replacements.arranged(hits, request),
  };
}
