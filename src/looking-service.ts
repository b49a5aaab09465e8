import type { Memory, RecallOptions } from "./agents/memory.ts";
import type { RecallAnswer } from "./agents/contract.ts";
import type { ExpectedError } from "./errors.ts";
import type { DeepIndex } from "./index/deep/deep-index.ts";
import type {
  IndexReader,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
} from "./index/search-index.ts";
import { KnownTimes } from "./jobs/known-times.ts";
import { leftFacts } from "./jobs/stamping/left-facts.ts";
import { VaultLinks } from "./index/vault-links.ts";
import type { ServiceSettings } from "./settings.ts";
import type { ServiceStatus } from "./service-status.ts";
import { countIgnored, ignoredAmong } from "./vault/scan.ts";
import type { Left } from "./vault/files/frontmatter.ts";
import type { VaultPath } from "./vault/paths.ts";
import { createVault, type LocalVault } from "./vault/vault.ts";

export interface LookingOptions {
  readonly root: string;
  readonly state: string;
  readonly now: () => Date;
  /** Null when this process holds the owner lock, so it may bring the index on disk up to date; else a search fills one in memory. */
  readonly whyNotOwned: ExpectedError | null;
  /** Called when first needed: an invalid model setting must not prevent reading a file. */
  readonly settings: () => Promise<ServiceSettings>;
  readonly onBug: (error: unknown, asked: string) => void;
  /** Called with how many files were read into the index, of how many. */
  readonly onIndexing: (done: number, total: number) => void;
  /** Called when the index on disk could not be used and is built from scratch. */
  readonly onRebuild: (why: string) => void;
}

/**
 * A vault to read and search, without watcher and background job: it changes no note, and needs no writable state folder. Every search
 * first brings the index up to date.
 */
export class LookingService {
  readonly vault: LocalVault;
  readonly index: IndexReader;
  readonly #options: LookingOptions;
  #opened: Promise<SearchIndex> | null = null;
  #deep: Promise<DeepIndex> | null = null;
  readonly #times: KnownTimes;

  constructor(options: LookingOptions) {
    this.#options = options;
    this.#times = new KnownTimes(options.state);
    this.vault = createVault({ ...options, knownTime: this.#times.of });
    this.index = {
      search: async (request) => this.#search(request),
      completions: async (typed, most) => {
        const index = await this.#open();
        await this.#bringUpToDate(index);
        return index.completions(typed, most);
      },
      lines: async (path, range) => (await this.#open()).lines(path, range),
      stats: async () => (await this.#open()).stats(),
      tags: async () => (await this.#open()).tags(),
      places: {
        find: async (text, limit) => (await this.#open()).places.find(text, limit),
        values: async (key, begun, limit) => (await this.#open()).places.values(key, begun, limit),
      },
      links: new VaultLinks(async () => {
        const index = await this.#open();
        await this.#bringUpToDate(index);
        return index.links;
      }, this.vault),
      replacements: {
        of: async (path, lines) => {
          const index = await this.#open();
          await this.#bringUpToDate(index);
          return index.replacements.of(path, lines);
        },
        stated: async () => {
          const index = await this.#open();
          await this.#bringUpToDate(index);
          return index.replacements.stated();
        },
      },
    };
  }

  readonly recaller: Pick<Memory, "recall" | "inbox"> = {
    recall: async (question, options) => this.#recall(question, options),
    inbox: {
      list: async () => (await import("./agents/inbox/inbox.ts")).inboxItems(this.vault),
      show: async (ref) => (await import("./agents/inbox/inbox.ts")).inboxItem(this.vault, ref),
      count: async () => 0,
    },
  };

  /** Nothing runs in the background: every call reads the disk. */
  async surveyed(): Promise<boolean> {
    return true;
  }

  async settle(): Promise<void> {}

  async settled(): Promise<void> {}

  onDone(): () => void {
    return () => {};
  }

  /** Builds the index from scratch. `busy` when another process owns the vault. */
  async rescan(): Promise<{ changed: number; gone: number }> {
    if (this.#options.whyNotOwned !== null) throw this.#options.whyNotOwned;
    const index = await this.#open();
    await index.clear();
    await this.#bringUpToDate(index);
    return { changed: (await index.stats()).files, gone: 0 };
  }

  async status(): Promise<ServiceStatus> {
    const { settings } = this.#options;
    const { changesOf } = await import("./index/fill-index.ts");
    const { chooseDeep } = await import("./index/deep/choose-engine.ts");
    const index = await this.#open();
    const { changed, gone } = await changesOf(this.vault, await index.signatures());
    const { engine } = chooseDeep((await settings()).deep);
    const { counts, named: left } = leftFacts(await this.#left());
    return {
      vault: this.vault.root,
      index: { ...(await index.stats()), pending: changed.length + gone.length },
      deep: { engine, model: null, state: "words", embedded: 0, pending: 0, problem: null },
      watcher: { alive: false, folders: 0, unwatched: 0, lastEvent: null, heartbeat: null },
      lastError: null,
      alarms: this.vault.ignore.problems,
      model: null,
      spent: await this.#spent(),
      inbox: 0,
      queue: { waiting: 0, running: 0 },
      tidy: { daily: false, last: null },
      ignored: countIgnored(ignoredAmong(await this.vault.scan())),
      frontmatter: { ...(await this.#frontmatter()), left: counts },
      left,
    };
  }

  async #spent(): Promise<ServiceStatus["spent"]> {
    const { settings, now } = this.#options;
    const { Spending } = await import("./agents/spending/spending.ts");
    const { state } = this.vault;
    const { dailyTokens: most } = await settings();
    const spending = new Spending({ state, most, now });
    const spent = spending.today();
    spending.close();
    return spent;
  }

  /** What a service left as it is when it last ran, of the files that are still there. */
  async #left(): Promise<[VaultPath, Left][]> {
    const left: [VaultPath, Left][] = [];
    for (const [file, why] of this.#times.left()) {
      const found = await this.vault.find(file).catch(() => null);
      if (found?.kind === "file") left.push([file, why]);
    }
    return left;
  }

  async #frontmatter(): Promise<Omit<ServiceStatus["frontmatter"], "left">> {
    const { FrontmatterSetting } = await import("./frontmatter-setting.ts");
    const setting = new FrontmatterSetting(this.vault);
    await setting.open();
    return { setting: setting.policy, chosen: setting.isChosen };
  }

  async close(): Promise<void> {
    await (await this.#deep)?.close();
    await (await this.#opened)?.close();
    this.vault.close();
    this.#times.close();
  }

  async #search(request: SearchRequest): Promise<SearchOutcome> {
    const index = await this.#open();
    await this.#bringUpToDate(index);
    if (request.mode === "fast" || this.#options.whyNotOwned !== null) return index.search(request);
    this.#deep ??= this.#openDeep(index);
    return (await this.#deep).search(request);
  }

  async #open(): Promise<SearchIndex> {
    this.#opened ??= (async () => {
      const { MemoryIndex, openIndex } = await import("./index/create-index.ts");
      if (this.#options.whyNotOwned !== null) return new MemoryIndex();
      const index = openIndex(this.vault.state);
      if (index.rebuilt !== null) this.#options.onRebuild(index.rebuilt);
      return index;
    })();
    return this.#opened;
  }

  async #bringUpToDate(index: SearchIndex): Promise<void> {
    const { reconcile } = await import("./index/fill-index.ts");
    await reconcile(this.vault, index, this.#options.onIndexing, this.#times.of);
  }

  /** Searches with what a service has embedded so far: a command does not wait for the rest. */
  async #openDeep(index: SearchIndex): Promise<DeepIndex> {
    const { createDeepIndex } = await import("./index/deep/choose-engine.ts");
    const { now, settings } = this.#options;
    const deepIndex = createDeepIndex(this.vault.state, (await settings()).deep, { index, now });
    await deepIndex.open();
    return deepIndex;
  }

  async #recall(question: string, given: RecallOptions = {}): Promise<RecallAnswer> {
    const { recall } = await import("./agents/recall/recall.ts");
    const { ConfiguredModel } = await import("./agents/model/configured-model.ts");
    const { DEFAULT_LIMITS } = await import("./agents/agent-run.ts");
    const { openMetered, Spending } = await import("./agents/spending/spending.ts");
    const { vault, index } = this;
    const { settings, now, onBug } = this.#options;
    const { signal = new AbortController().signal, onEvent = () => {} } = given;
    const { model: named, dailyTokens: most } = await settings();
    const model = new ConfiguredModel(named);
    const spending = new Spending({ state: vault.state, most, now });
    const { PrivateFolders } = await import("./private-folders.ts");
    const { modelView } = await import("./reader-view.ts");
    const { fileSettings } = await import("./settings-file.ts");
    const privates = new PrivateFolders(fileSettings(vault.state));
    const models = modelView(this, () => privates.paths);
    const run = {
      vault: models.vault,
      index: models.index,
      now,
      onBug,
      limits: DEFAULT_LIMITS,
      signal,
      onEvent,
      openModel: async () => openMetered(model, spending),
    };
    return recall(question, run, { vault, index, now, onBug }).finally(() => spending.close());
  }
}
