import { ExpectedError } from "../errors.ts";
import { nameOf } from "../vault/paths.ts";
import type { Vault, VaultReader } from "../vault/vault.ts";
import { DEFAULT_LIMITS, type ReadingParts, type RunControl, type RunLimits } from "./agent-run.ts";
import {
  UpdateInput,
  type InboxItem,
  type InboxItemText,
  type OnRunEvent,
  type RecallAnswer,
  type RememberInput,
  type UpdateReport,
} from "./contract.ts";
import { checkedImages, countInbox, inboxItem, inboxItems, itemFolder } from "./inbox/inbox.ts";
import { ConfiguredModel, type ModelSettings, type ModelState } from "./model/providers.ts";
import type { RetryPolicy } from "./model/retry.ts";
import type { Attempt, QueuedUpdate, QueueWork, UpdateQueue } from "./queue/update-queue.ts";
import { recall } from "./recall/recall.ts";
import { undoBatch } from "./update/batch.ts";
import { parkInterrupted, runUpdate } from "./update/update.ts";
import { destinationOf } from "./without-model/update-without-model.ts";

export type RecallOptions = Partial<Pick<RunControl, "signal" | "onEvent">>;

/** The vault as a memory: takes in what is to be kept, and answers questions. One instance serves the command line, HTTP and MCP. */
export interface Memory {
  readonly model: ModelState | null;
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
  /** Calls `listener` with the events of an update, until the function it returns is called. */
  follow(id: string, listener: OnRunEvent): () => void;
  /** Calls `listener` after every change of an update's status, until the function it returns is called. */
  onUpdate(listener: QueueWork["onChange"]): () => void;
  close(): Promise<void>;
}

export interface MemoryOptions extends ReadingParts {
  readonly vault: Vault;
  /** Null for none: the vault is kept without one. */
  readonly model: ModelSettings | null;
  readonly createQueue: (work: QueueWork) => UpdateQueue;
  readonly limits?: RunLimits;
  readonly retries?: RetryPolicy;
}

/** Opens the memory of a vault. Its queue runs from now on, so only the owner of the vault may. */
export async function createMemory(options: MemoryOptions): Promise<Memory> {
  const memory = new VaultMemory(options);
  await memory.updates.start();
  return memory;
}

class VaultMemory implements Memory {
  readonly updates: UpdateQueue;
  readonly inbox: Memory["inbox"];
  readonly #options: MemoryOptions;
  readonly #model: ConfiguredModel;
  readonly #updateListeners = new Set<QueueWork["onChange"]>();
  readonly #runListeners = new Map<string, Set<OnRunEvent>>();

  constructor(options: MemoryOptions) {
    const { vault, model, retries } = options;
    this.#options = options;
    this.#model = new ConfiguredModel(model, retries);
    this.inbox = {
      list: async () => inboxItems(vault),
      show: async (ref) => inboxItem(vault, ref),
      count: async () => countInbox(vault),
    };
    this.updates = options.createQueue({
      run: async (input, attempt) => this.#run(input, attempt),
      takeBack: async (batch) => undoBatch(vault, batch),
      giveUp: async (input, batch, reason) => parkInterrupted(input, { ...options, batch }, reason),
      onChange: (update, counts) => {
        for (const listener of this.#updateListeners) listener(update, counts);
      },
      onBug: options.onBug,
      now: options.now,
    });
  }

  get model(): ModelState | null {
    return this.#model.state;
  }

  async remember(given: RememberInput): Promise<QueuedUpdate> {
    const { vault } = this.#options;
    const input = await updateInput(given, vault);
    if (input.inboxRef !== null && this.model === null) await destinationOf(input.content, vault);
    return this.updates.add(input);
  }

  async recall(question: string, given: RecallOptions = {}): Promise<RecallAnswer> {
    const { limits = DEFAULT_LIMITS, vault, index, now, onBug } = this.#options;
    const { signal = new AbortController().signal, onEvent = () => {} } = given;
    const parts = { vault, index, now, onBug, limits, signal, onEvent };
    return recall(question, { ...parts, openModel: async () => this.#model.open() });
  }

  follow(id: string, listener: OnRunEvent): () => void {
    const listeners = this.#runListeners.get(id) ?? new Set();
    this.#runListeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#runListeners.delete(id);
    };
  }

  onUpdate(listener: QueueWork["onChange"]): () => void {
    this.#updateListeners.add(listener);
    return () => void this.#updateListeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.updates.close();
  }

  async #run(input: UpdateInput, { id, batch, signal }: Attempt): Promise<UpdateReport> {
    const { limits = DEFAULT_LIMITS } = this.#options;
    return runUpdate(input, {
      ...this.#options,
      batch,
      signal,
      limits,
      openModel: async () => this.#model.open(),
      onEvent: (event) => {
        for (const listener of this.#runListeners.get(id) ?? []) listener(event);
      },
    });
  }
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
