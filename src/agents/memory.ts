import type { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { nameOf } from "../vault/paths.ts";
import type { Vault, VaultReader } from "../vault/vault.ts";
import { UPDATE_ACTOR, type LookingParts } from "./agent-context.ts";
import type { ChatModel } from "./model/chat-model.ts";
import {
  countInbox,
  inboxItem,
  inboxItems,
  itemFolder,
  type InboxItem,
  type InboxItemText,
} from "./inbox/inbox.ts";
import { DEFAULT_LIMITS, type RunLimits } from "./limits.ts";
import { destinationOf } from "./without-model/update-without-model.ts";
import { LazyModel, type ModelState } from "./model/lazy-model.ts";
import type { ModelSettings } from "./model/model-choice.ts";
import { checkedImages } from "./inbox/originals.ts";
import type { RecallAnswer } from "./recall/recall-answer.ts";
import { recall } from "./recall/recall.ts";
import type { RetryPolicy } from "./model/retry.ts";
import type { OnRunEvent, RunEvent } from "./run-events.ts";
import { takeBack } from "./update/take-back.ts";
import { parkInterrupted, runUpdate } from "./update/update.ts";
import { UpdateInput, UpdateReport, type ImageInput } from "./update/update-input.ts";

/** What is handed over. The rest of an {@link UpdateInput} has its usual values. */
export interface RememberInput {
  readonly content: string;
  readonly images?: readonly ImageInput[];
  readonly inboxRef?: string | null;
  readonly sources?: readonly string[];
  readonly isUntrusted?: boolean;
  readonly from: string;
}

/** An update in the queue. */
export interface UpdateTask {
  readonly id: string;
  readonly status: "waiting" | "running" | "done" | "parked" | "failed" | "cancelled";
  readonly input: UpdateInput;
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly attempts: number;
  readonly report: UpdateReport | null;
  readonly error: string | null;
}

export interface RecallOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: OnRunEvent;
}

/** The vault as a memory: hand over what is to be kept, ask what is known. One of it serves the command line, HTTP and MCP. */
export interface Memory {
  readonly model: ModelState | null;
  /** Takes a text in: it is safe when this returns, and filed later, in its turn. */
  remember(input: RememberInput): Promise<UpdateTask>;
  recall(question: string, options?: RecallOptions): Promise<RecallAnswer>;
  readonly inbox: {
    list(): Promise<InboxItem[]>;
    /** Throws `not_found`. */
    show(ref: string): Promise<InboxItemText>;
    count(): Promise<number>;
  };
  readonly updates: UpdateQueue;
  /** What an update does, from now on, until the function it returns is called. */
  follow(id: string, listener: OnRunEvent): () => void;
  /** Every change of an update's status. */
  onUpdate(listener: (task: UpdateTask) => void): () => void;
  close(): Promise<void>;
}

/** The durable queue, as the memory uses it. */
export interface UpdateQueue {
  add(input: UpdateInput): UpdateTask;
  get(id: string): UpdateTask;
  list(limit?: number): UpdateTask[];
  counts(): { readonly waiting: number; readonly running: number };
  cancel(id: string): Promise<UpdateTask>;
  retry(id: string): Promise<UpdateTask>;
  ended(id: string): Promise<UpdateTask>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** What the queue needs from the memory. */
export interface QueueWork {
  readonly input: z.ZodType<UpdateInput>;
  readonly report: z.ZodType<UpdateReport>;
  readonly run: (
    input: UpdateInput,
    run: { readonly id: string; readonly batch: string; readonly signal: AbortSignal },
  ) => Promise<Outcome>;
  readonly takeBack: (batch: string) => Promise<string | null>;
  readonly giveUp: (input: UpdateInput, batch: string, why: string) => Promise<Outcome>;
  readonly onChange: (task: UpdateTask) => void;
}

interface Outcome {
  readonly status: "done" | "parked";
  readonly report: UpdateReport;
}

export interface MemoryOptions extends LookingParts {
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
  readonly #model: LazyModel | null;
  readonly #updateListeners = new Set<(task: UpdateTask) => void>();
  readonly #runListeners = new Map<string, Set<OnRunEvent>>();

  constructor(options: MemoryOptions) {
    const { vault, model, retries } = options;
    this.#options = options;
    this.#model = model === null ? null : new LazyModel(model, retries);
    this.inbox = {
      list: async () => inboxItems(vault),
      show: async (ref) => inboxItem(vault, ref),
      count: async () => countInbox(vault),
    };
    this.updates = options.createQueue({
      input: UpdateInput,
      report: UpdateReport,
      run: async (input, run) => this.#run(input, run),
      takeBack: async (batch) => {
        const taken = await takeBack(vault, batch, UPDATE_ACTOR);
        return taken.kind === "undone" ? null : taken.why;
      },
      giveUp: async (input, batch, why) =>
        outcomeOf(await parkInterrupted(input, { ...options, batch }, why)),
      onChange: (task) => {
        for (const listener of this.#updateListeners) listener(task);
      },
    });
  }

  get model(): ModelState | null {
    return this.#model?.state ?? null;
  }

  async remember(given: RememberInput): Promise<UpdateTask> {
    const { vault } = this.#options;
    const input = await updateInput(given, vault);
    if (input.inboxRef !== null && this.#model === null) await destinationOf(input.content, vault);
    return this.updates.add(input);
  }

  async recall(question: string, given: RecallOptions = {}): Promise<RecallAnswer> {
    const { limits = DEFAULT_LIMITS, vault, index, now, onBug } = this.#options;
    const { signal = new AbortController().signal, onEvent = () => {} } = given;
    const openModel = async (): Promise<ChatModel | null> => (await this.#model?.open()) ?? null;
    return recall(question, { vault, index, now, onBug, limits, signal, onEvent, openModel });
  }

  follow(id: string, listener: OnRunEvent): () => void {
    const listeners = this.#runListeners.get(id) ?? new Set();
    this.#runListeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#runListeners.delete(id);
    };
  }

  onUpdate(listener: (task: UpdateTask) => void): () => void {
    this.#updateListeners.add(listener);
    return () => void this.#updateListeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.updates.close();
  }

  async #run(input: UpdateInput, run: Parameters<QueueWork["run"]>[1]): Promise<Outcome> {
    const { limits = DEFAULT_LIMITS } = this.#options;
    const { id, batch, signal } = run;
    const onEvent = (event: RunEvent): void => {
      for (const listener of this.#runListeners.get(id) ?? []) listener(event);
    };
    const openModel = async (): Promise<ChatModel | null> => (await this.#model?.open()) ?? null;
    const parts = { ...this.#options, batch, signal, limits, onEvent, openModel };
    return outcomeOf(await runUpdate(input, parts));
  }
}

/** What is handed over, complete. What can be refused is refused now, while whoever handed it over still listens. */
export async function updateInput(given: RememberInput, vault: VaultReader): Promise<UpdateInput> {
  const { content, images = [], inboxRef = null, sources = [], isUntrusted = false, from } = given;
  if (content.trim() === "" && images.length === 0) {
    throw new ExpectedError(
      "invalid_argument",
      "There is nothing to remember: give a text or an image.",
    );
  }
  checkedImages(images);
  return {
    content: content.toWellFormed(),
    images: [...images],
    inboxRef: inboxRef === null ? null : nameOf(await itemFolder(vault, inboxRef)),
    sources: [...sources],
    isUntrusted,
    from,
  };
}

function outcomeOf(report: UpdateReport): Outcome {
  return { status: report.outcome === "filed" ? "done" : "parked", report };
}
