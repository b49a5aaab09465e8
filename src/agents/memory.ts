import { EventEmitter } from "node:events";

import { ExpectedError } from "../errors.ts";
import { nameOf } from "../vault/paths.ts";
import type { Overlays } from "../vault/overlay/overlays.ts";
import type { CallersVault, Vault, VaultReader } from "../vault/vault.ts";
import {
  DEFAULT_LIMITS,
  type ReadingParts,
  type RunControl,
  type RunLimits,
  type UnopenedRun,
} from "./agent-run.ts";
import {
  UpdateInput,
  type InboxItem,
  type InboxItemText,
  type OnRunEvent,
  type RecallAnswer,
  type RememberInput,
  type RunEvent,
  type UpdateReport,
} from "./contract.ts";
import { checkedImages, countInbox, inboxItem, inboxItems, itemFolder } from "./inbox/inbox.ts";
import { ConfiguredModel, type ModelSettings, type ModelState } from "./model/configured-model.ts";
import type { RetryPolicy } from "./model/retry.ts";
import type { Attempt, QueuedUpdate, QueueWork, UpdateQueue } from "./queue/update-queue.ts";
import { Previews } from "./preview/previews.ts";
import { recall } from "./recall/recall.ts";
import type { KeptProposals } from "../tidy/kept-proposals.ts";
import { Tidying, type DailySetting } from "./tidy/tidying.ts";
import { undoBatch } from "./update/batch.ts";
import { openMetered, type SpendingMeter, type SpentToday } from "./spending/spending.ts";
import { parkInterrupted, runUpdate } from "./update/update.ts";
import { destinationOf } from "./without-model/update-without-model.ts";

export type RecallOptions = Partial<Pick<RunControl, "signal" | "onEvent">>;

/** A vault as models may see it. */
export interface ModelView extends Pick<ReadingParts, "index"> {
  readonly vault: CallersVault;
  /** The same of an overlay. */
  of(vault: Vault): CallersVault;
}

/** The vault as a memory: takes in what is to be kept, and answers questions. One instance serves the command line, HTTP and MCP. */
export interface Memory {
  readonly model: ModelState | null;
  /** What models used up today; null when it is not counted. */
  readonly spent: SpentToday | null;
  /** Queues what is to be kept: it is durable when this resolves, and filed later. Throws for what could never be filed. */
  remember(input: RememberInput): Promise<QueuedUpdate>;
  recall(question: string, options?: RecallOptions): Promise<RecallAnswer>;
  readonly inbox: {
    list(): Promise<InboxItem[]>;
    /** Throws `not_found`. */
    show(ref: string): Promise<InboxItemText>;
    count(): Promise<number>;
  };
  readonly updates: UpdateQueue;
  /** Updates whose changes wait for a yes. */
  readonly previews: Pick<Previews, "proposed" | "accept" | "reject" | "clients">;
  /** Looks for what is untidy, and puts it into the inbox. */
  readonly tidy: Pick<Tidying, "run" | "waiting" | "last" | "daily" | "status">;
  /** Calls `listener` with the events of an update, until the function it returns is called. */
  follow(id: string, listener: OnRunEvent): () => void;
  /** Calls `listener` after every change of an update's status, until the function it returns is called. */
  onUpdate(listener: QueueWork["onChange"]): () => void;
  /** The same for clients that carry its answers to a model: they are given what a model may see. */
  forModels(): Memory;
  close(): Promise<void>;
}

export interface MemoryOptions extends ReadingParts {
  readonly vault: Vault;
  /** What models are given of it: all of it when left out. */
  readonly models?: ModelView;
  /** Null for none: the vault is kept without one. */
  readonly model: ModelSettings | null;
  readonly createQueue: (work: QueueWork) => UpdateQueue;
  /** Where the changes of previews are tried. */
  readonly overlays: Overlays;
  /** What is kept of tidying between two runs. */
  readonly tidied: Pick<KeptProposals, "read" | "write">;
  readonly daily: DailySetting;
  /** Counts what models use up; nobody does when it is left out. */
  readonly spending?: SpendingMeter;
  readonly limits?: RunLimits;
  readonly retries?: RetryPolicy;
}

/** Opens the memory of a vault. Its queue runs from now on, so only the owner of the vault may. */
export async function createMemory(options: MemoryOptions): Promise<Memory> {
  const memory = new VaultMemory(options);
  await memory.previews.sweep();
  await memory.updates.start();
  return memory;
}

class VaultMemory implements Memory {
  readonly updates: UpdateQueue;
  readonly previews: Previews;
  readonly tidy: Tidying;
  readonly inbox: Memory["inbox"];
  readonly #parts: Omit<MemoryOptions, "model"> & Pick<UnopenedRun, "limits" | "openModel">;
  readonly #models: ModelView;
  readonly #model: ConfiguredModel;
  /** The events of runs, by the id of their update. */
  readonly #runs = new EventEmitter<Record<string, [RunEvent]>>().setMaxListeners(0);
  readonly #changes = new EventEmitter<{
    change: Parameters<QueueWork["onChange"]>;
  }>().setMaxListeners(0);

  constructor(options: MemoryOptions) {
    const { vault, index, model, retries, overlays } = options;
    const { models = { vault, index, of: (other) => other } } = options;
    this.#models = models;
    this.previews = new Previews({
      vault,
      overlays,
      updates: () => this.updates,
      seen: (other) => models.of(other),
      now: options.now,
    });
    this.#model = new ConfiguredModel(model, retries);
    const openModel: UnopenedRun["openModel"] = async () =>
      openMetered(this.#model, options.spending);
    this.#parts = { limits: DEFAULT_LIMITS, ...options, openModel };
    // Its items stand in the inbox, which models see.
    this.tidy = new Tidying({
      ...this.#parts,
      ...seenBy(models),
      kept: options.tidied,
      isThere: async (path) => (await vault.find(path)).kind !== "missing",
    });
    this.inbox = inboxOf(vault);
    this.updates = options.createQueue({
      run: async (input, attempt) => this.#run(input, attempt),
      takeBack: async (batch) => undoBatch(vault, batch),
      giveUp: async (input, batch, reason) =>
        parkInterrupted(input, { ...options, ...seenBy(models), batch }, reason),
      onChange: (...change) => void this.#changes.emit("change", ...change),
      onBug: options.onBug,
      now: options.now,
    });
  }

  get model(): ModelState | null {
    return this.#model.state;
  }

  get spent(): SpentToday | null {
    return this.#parts.spending?.today() ?? null;
  }

  async remember(given: RememberInput): Promise<QueuedUpdate> {
    const { vault } = seesAll(given) ? this.#parts : this.#models;
    const input = await updateInput(given, vault);
    if (this.tidy.isItem(input.inboxRef)) this.tidy.check(input);
    else if (input.inboxRef !== null && this.model === null)
      await destinationOf(input.content, vault);
    return this.updates.add(input);
  }

  async recall(question: string, given: RecallOptions = {}): Promise<RecallAnswer> {
    return this.#recall(question, given, this.#parts);
  }

  /** @param own what is shown when no model answers */
  async #recall(
    question: string,
    given: RecallOptions,
    { vault, index }: Pick<ReadingParts, "vault" | "index">,
  ): Promise<RecallAnswer> {
    const { signal = new AbortController().signal, onEvent = () => {} } = given;
    const parts = { ...this.#parts, ...seenBy(this.#models), signal, onEvent };
    return recall(question, parts, { ...this.#parts, vault, index });
  }

  forModels(): Memory {
    const { updates, previews, tidy } = this;
    const memory = (): VaultMemory => this;
    return {
      get model() {
        return memory().model;
      },
      get spent() {
        return memory().spent;
      },
      updates,
      previews,
      tidy,
      inbox: inboxOf(this.#models.vault),
      remember: async (input) => this.remember({ ...input, reader: "model" }),
      recall: async (question, given = {}) => this.#recall(question, given, this.#models),
      follow: (id, listener) => this.follow(id, listener),
      onUpdate: (listener) => this.onUpdate(listener),
      forModels: () => this.forModels(),
      close: async () => this.close(),
    };
  }

  follow(id: string, listener: OnRunEvent): () => void {
    this.#runs.on(id, listener);
    return () => void this.#runs.off(id, listener);
  }

  onUpdate(listener: QueueWork["onChange"]): () => void {
    this.#changes.on("change", listener);
    return () => void this.#changes.off("change", listener);
  }

  async close(): Promise<void> {
    await this.previews.clients.close();
    await this.tidy.close();
    await this.updates.close();
    this.#parts.spending?.close();
  }

  async #run(input: UpdateInput, { id, batch, signal }: Attempt): Promise<UpdateReport> {
    const onEvent = (event: RunEvent): void => void this.#runs.emit(id, event);
    const parts = { ...this.#parts, ...seenBy(this.#models), batch, signal, onEvent };
    const { isPreview, inboxRef } = input;
    const isTidy = this.tidy.isItem(inboxRef);
    const run = async ({
      vault,
      index,
    }: Pick<ModelView, "vault" | "index">): Promise<UpdateReport> =>
      isTidy
        ? this.tidy.answer(input, { batch, vault, isPreview })
        : runUpdate(input, { ...parts, vault, index });
    if (isPreview)
      return this.previews.run(id, (vault) => run({ ...parts, vault: this.#models.of(vault) }));
    // Without a model, a person's answer to the inbox goes where they say.
    const isOwnAnswer = this.model === null && inboxRef !== null && seesAll(input);
    return run(isOwnAnswer ? this.#parts : parts);
  }
}

function inboxOf(vault: VaultReader): Memory["inbox"] {
  return {
    list: async () => inboxItems(vault),
    show: async (ref) => inboxItem(vault, ref),
    count: async () => countInbox(vault),
  };
}

function seenBy({ vault, index }: ModelView): Pick<ModelView, "vault" | "index"> {
  return { vault, index };
}

/** Whether what becomes of an input is told to the person alone. */
function seesAll({ isRelayed = false, isUntrusted = false, reader }: RememberInput): boolean {
  return !isRelayed && !isUntrusted && reader === undefined;
}

/** The input with its defaults. Throws for what could never be filed, while its sender still waits for an answer. */
export async function updateInput(given: RememberInput, vault: VaultReader): Promise<UpdateInput> {
  const input = UpdateInput.parse(given);
  const { content, images, inboxRef } = input;
  if (content.trim() === "" && images.length === 0) {
    throw new ExpectedError(
      "invalid_argument",
      "There is nothing to remember: give a text or an image.",
    );
  }
  checkedImages(images);
  return {
    ...input,
    content: content.toWellFormed(),
    inboxRef: inboxRef === null ? null : nameOf(await itemFolder(vault, inboxRef)),
  };
}
