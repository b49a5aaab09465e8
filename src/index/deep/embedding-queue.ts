import { setTimeout as pause } from "node:timers/promises";

import type { VaultPath } from "../../vault/paths.ts";
import type { Sections, SectionText } from "../search-index.ts";
import type { Embedder } from "./deep-model.ts";
import type { VectorStore } from "./vectors/vector-store.ts";

/** Milliseconds without a change before its sections are embedded: a file is often written twice. */
const QUIET = 1000;
/** Milliseconds between checks whether the machine is still busy. */
const BUSY_CHECK = 1000;
/** After this pause a batch is embedded on a busy machine too. */
const LONGEST_PAUSE = 20_000;
const FIRST_RETRY = 2000;
const LAST_RETRY = 5 * 60_000;
const ALL = { scope: null, from: null, to: null };

export interface EmbeddingQueueOptions {
  readonly sections: Sections;
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /** True while the machine is needed for something else. */
  readonly isBusy: () => boolean;
  /** Whether the text of a file may be given to the embedder; all may when it is left out. */
  readonly mayEmbed?: (path: VaultPath) => Promise<boolean>;
  readonly quiet?: number;
  /** Milliseconds to pause at most before each batch. */
  readonly longestPause?: number;
}

/** Progress of the embedding. */
export interface EmbeddingProgress {
  readonly state: "ready" | "embedding" | "paused" | "failed";
  /** Sections that have a vector, and those that do not yet. */
  readonly embedded: number;
  readonly pending: number;
  readonly problem: string | null;
}

/**
 * Embeds the sections that have no vector yet, in the background. It stores no list of them: it compares the present sections with the
 * present vectors, so a crash loses nothing, and outdated text is never embedded.
 */
export class EmbeddingQueue {
  readonly #options: EmbeddingQueueOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #isPoked = false;
  #timer: NodeJS.Timeout | null = null;
  #state: EmbeddingProgress["state"] = "ready";
  #problem: string | null = null;
  #retry = FIRST_RETRY;
  /** The sections that the embedder was not given, and will not be. */
  #withheld: ReadonlySet<string> = new Set();

  constructor(options: EmbeddingQueueOptions) {
    this.#options = options;
  }

  /** Call after a change of the index. */
  poke(): void {
    this.#isPoked = true;
    this.#startIn(this.#options.quiet ?? QUIET);
  }

  async progress(): Promise<EmbeddingProgress> {
    const { sections, store } = this.#options;
    const all = (await sections.within(ALL)).filter(({ meaning }) => !this.isWithheld(meaning));
    const pending = all.filter(({ meaning }) => !store.has(meaning)).length;
    const embedded = all.length - pending;
    return { state: this.#state, embedded, pending, problem: this.#problem };
  }

  /** Whether a section is kept from the embedder, and so found by words only. */
  isWithheld(meaning: string): boolean {
    return this.#withheld.has(meaning);
  }

  /** Resolves when nothing is missing, or the embedder fails. */
  async settled(): Promise<void> {
    while (this.#isPoked || this.#running !== null) {
      if (this.#running !== null) await this.#running;
      else if (this.#problem === null) this.#start();
      else return;
    }
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#isPoked = false;
    this.#stop.abort();
    await this.#running;
  }

  #startIn(milliseconds: number): void {
    if (this.#stop.signal.aborted || this.#running !== null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), milliseconds);
    this.#timer.unref();
  }

  #start(): void {
    if (this.#stop.signal.aborted || this.#running !== null) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#problem !== null) this.#startIn(this.#retry);
      else if (this.#isPoked) this.#startIn(this.#options.quiet ?? QUIET);
    });
  }

  async #run(): Promise<void> {
    this.#isPoked = false;
    try {
      await this.#embedMissing();
      this.#state = "ready";
      this.#problem = null;
      this.#retry = FIRST_RETRY;
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#state = "failed";
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#retry = Math.min(LAST_RETRY, this.#retry * 2);
      this.#isPoked = true;
    }
  }

  async #embedMissing(): Promise<void> {
    const { sections, store, embedder } = this.#options;
    const missing = new Map<string, number>();
    for (const { id, meaning } of await sections.within(ALL))
      if (!store.has(meaning)) missing.set(meaning, id);
    const ids = [...missing.values()];
    const withheld = new Set<string>();
    for (let at = 0; at < ids.length; at += embedder.batch) {
      await this.#untilFree();
      if (this.#stop.signal.aborted) return;
      this.#state = "embedding";
      const batch = await sections.texts(ids.slice(at, at + embedder.batch));
      const texts: SectionText[] = [];
      for (const text of batch.filter(({ meaning }) => !store.has(meaning))) {
        if (await this.#mayEmbed(text)) texts.push(text);
        else withheld.add(text.meaning);
      }
      if (texts.length === 0) continue;
      const vectors = await embedder.embed(texts, "section", this.#stop.signal);
      store.add(
        texts.flatMap(({ meaning }, place) => {
          const vector = vectors[place];
          return vector === undefined ? [] : [{ meaning, vector }];
        }),
      );
    }
    this.#withheld = withheld;
  }

  async #mayEmbed({ path }: SectionText): Promise<boolean> {
    const { mayEmbed } = this.#options;
    return mayEmbed === undefined || (await mayEmbed(path));
  }

  async #untilFree(): Promise<void> {
    const { isBusy, longestPause = LONGEST_PAUSE } = this.#options;
    const started = performance.now();
    while (!this.#stop.signal.aborted && isBusy()) {
      if (performance.now() - started > longestPause) return;
      this.#state = "paused";
      await pause(BUSY_CHECK, undefined, { ref: false, signal: this.#stop.signal }).catch(() => {});
    }
  }
}
