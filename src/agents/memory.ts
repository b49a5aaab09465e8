import { EventEmitter } from "node:events";

import { ExpectedError } from "../errors.ts";
import { nameOf } from "../vault/paths.ts";
import type { Overlays } from "../vault/overlay/overlays.ts";
import type { CallersVault, Vault, VaultReader } from "../vault/vault.ts";
import { CallerMemory, noPreviews, type CallersParts } from "./caller-memory.ts";
import {
  DEFAULT_LIMITS,
  type ReadingParts,
  type RunControl,
  type RunLimits,
  type UnopenedRun,
} from "./agent-run.ts";
import {
  UpdateInput,
  type Asker,
  type OnRunEvent,
  type RecallAnswer,
  type RememberInput,
  type RunEvent,
  type UpdateReport,
} from "./contract.ts";
import { checkedImages, inboxOf, itemFolder } from "./inbox/inbox.ts";
import { ConfiguredModel, type ModelSettings, type ModelState } from "./model/configured-model.ts";
import type { RetryPolicy } from "./model/retry.ts";
import type { Attempt, QueuedUpdate, QueueWork, UpdateQueue } from "./queue/update-queue.ts";
import type { ClientPreviews } from "./preview/client-previews.ts";
import { Previews } from "./preview/previews.ts";
import { recall } from "./recall/recall.ts";
import type { KeptProposals } from "../tidy/kept-proposals.ts";
import { Tidying, type DailySetting } from "./tidy/tidying.ts";
import { OwnRunSteps, type RunSteps } from "./run-steps.ts";
import { undoAttempt } from "./update/batch.ts";
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
  readonly inbox: ReturnType<typeof inboxOf>;
  readonly updates: UpdateQueue;
  /** Updates whose changes wait for a yes. */
  readonly previews: Pick<Previews, "proposed" | "accept" | "reject"> & {
    readonly clients: Pick<ClientPreviews, "read" | "change">;
  };
  /** Looks for what is untidy, and puts it into the inbox. */
  readonly tidy: Pick<Tidying, "run" | "waiting" | "last" | "daily" | "status">;
  /**
   * Calls `listener` with the events of an update, those of a run under way first, until the function it returns is called.
   * @param mayTell asked for each with the rights of the run, where it has some
   */
  follow(id: string, listener: OnRunEvent, mayTell?: (rights: string) => boolean): () => void;
  /** Calls `listener` after every change of an update's status, until the function it returns is called. */
  onUpdate(listener: QueueWork["onChange"]): () => void;
  /** The same for clients that carry its answers to a model: they are given what a model may see. */
  forModels(): Memory;
  /** The same for one of several callers, who may do less. */
  forCaller(parts: CallersParts): Memory;
  close(): Promise<void>;
}

/** What an agent is given for whoever asked. */
export type AskersParts = Pick<CallersParts, "vault" | "index" | "models" | "seesAll"> & {
  /** What its asker may do now; left out where all is one person's. */
  readonly rights?: string;
  /** Throws when they may no longer read what they may read now. */
  readonly stillMay?: () => Promise<void>;
};

export interface MemoryOptions extends ReadingParts {
  readonly vault: Vault;
  /** What models are given of it: all of it when left out. */
  readonly models?: ModelView;
  /** Null for none: the vault is kept without one. */
  readonly model: ModelSettings | null;
  /** Runs work on the vault as a person may use it now; throws when they may no longer. Left out where all is one person's. */
  readonly asAsker?: <T>(
    asker: Asker,
    batch: string,
    work: (parts: AskersParts) => Promise<T>,
  ) => Promise<T>;
  readonly createQueue: (work: QueueWork) => UpdateQueue;
  /** Where the changes of previews are tried. */
  readonly overlays: Overlays;
  /** What is kept of tidying between two runs. */
  readonly tidied: Pick<KeptProposals, "read" | "write">;
  readonly daily: DailySetting;
  /** Where those who follow a run are told of it; only in this process when it is left out. */
  readonly steps?: RunSteps;
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
  readonly #steps: RunSteps;
  readonly #changes = new EventEmitter<{
    change: Parameters<QueueWork["onChange"]>;
  }>().setMaxListeners(0);

  constructor(options: MemoryOptions) {
    const { vault, index, model, retries, overlays } = options;
    const { models = { vault, index, of: (other) => other } } = options;
    this.#models = models;
    this.#steps = options.steps ?? new OwnRunSteps();
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
      seen: (other) => models.of(other),
      kept: options.tidied,
      isThere: async (path) => (await vault.find(path)).kind !== "missing",
    });
    this.inbox = inboxOf(vault);
    this.updates = options.createQueue({
      run: async (input, attempt) => this.#run(input, attempt),
      takeBack: async (batch) => undoAttempt(vault, batch),
      giveUp: async (input, batch, reason) =>
        this.#as(input.asker, batch, async (caller) =>
          parkInterrupted(input, { ...options, ...seenBy(caller.models), batch }, reason),
        ),
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
    return this.#remember(given, { ...this.#parts, models: this.#models });
  }

  async #remember(
    given: RememberInput,
    caller: Pick<CallersParts, "vault" | "models">,
  ): Promise<QueuedUpdate> {
    const { vault } = seesAll(given) ? caller : caller.models;
    const input = await updateInput(given, vault);
    if (this.tidy.isItem(input.inboxRef)) this.tidy.check(input);
    else if (input.inboxRef !== null && this.model === null)
      await destinationOf(input.content, vault);
    return this.updates.add(input);
  }

  async recall(question: string, given: RecallOptions = {}): Promise<RecallAnswer> {
    return this.#recall(question, given, this.#models, this.#parts);
  }

  /** @param own what is shown when no model answers */
  async #recall(
    question: string,
    given: RecallOptions,
    models: ModelView,
    { vault, index }: Pick<ReadingParts, "vault" | "index">,
  ): Promise<RecallAnswer> {
    const { signal = new AbortController().signal, onEvent = () => {} } = given;
    const parts = { ...this.#parts, ...seenBy(models), signal, onEvent };
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
      recall: async (question, given = {}) =>
        this.#recall(question, given, this.#models, this.#models),
      follow: (id, listener, mayTell) => this.follow(id, listener, mayTell),
      onUpdate: (listener) => this.onUpdate(listener),
      forModels: () => this.forModels(),
      forCaller: (parts) => this.forCaller(parts),
      close: async () => this.close(),
    };
  }

  forCaller(parts: CallersParts): Memory {
    const work = {
      remember: async (input: RememberInput, caller: CallersParts) => this.#remember(input, caller),
      recall: async (
        question: string,
        given: RecallOptions,
        { models }: CallersParts,
        shown: Pick<ReadingParts, "vault" | "index">,
      ) => this.#recall(question, given, models, shown),
    };
    return new CallerMemory(this, work, parts);
  }

  follow(
    id: string,
    listener: OnRunEvent,
    mayTell: (rights: string) => boolean = () => true,
  ): () => void {
    return this.#steps.follow(id, ({ event, rights }) => {
      if (rights === undefined || mayTell(rights)) listener(event);
    });
  }

  onUpdate(listener: QueueWork["onChange"]): () => void {
    this.#changes.on("change", listener);
    return () => void this.#changes.off("change", listener);
  }

  async close(): Promise<void> {
    await this.previews.clients.close();
    await this.tidy.close();
    await this.updates.close();
    await this.#steps.close();
    this.#parts.spending?.close();
  }

  /** Runs work on the vault as its asker may use it now; on all of it for what nobody asked for in particular. */
  async #as<T>(
    asker: Asker | undefined,
    batch: string,
    work: (parts: AskersParts) => Promise<T>,
  ): Promise<T> {
    if (asker === undefined) return work({ ...this.#parts, models: this.#models, seesAll: true });
    const { asAsker } = this.#parts;
    if (asAsker === undefined) throw new Error(`nobody knows what ${asker.id} may do`);
    return asAsker(asker, batch, work);
  }

  async #run(input: UpdateInput, attempt: Attempt): Promise<UpdateReport> {
    this.#steps.begin(attempt.id);
    try {
      return await this.#runAs(input, attempt);
    } finally {
      this.#steps.end(attempt.id);
    }
  }

  async #runAs(input: UpdateInput, attempt: Attempt): Promise<UpdateReport> {
    const { id, batch, signal } = attempt;
    return this.#as(
      input.asker,
      batch,
      async ({ vault, index, models, seesAll: isWhole, rights, stillMay }) => {
        const { isPreview, inboxRef } = input;
        if (isPreview && input.asker !== undefined) throw noPreviews();
        const onEvent = (event: RunEvent): void => this.#steps.tell(id, { event, rights });
        const control = { batch, signal, onEvent, ...(stillMay === undefined ? {} : { stillMay }) };
        const parts = { ...this.#parts, ...seenBy(models), ...control };
        const isTidy = this.tidy.isItem(inboxRef);
        // Its proposals are about all of the vault.
        if (isTidy && !isWhole) throw notYours();
        const run = async (seen: Pick<ModelView, "vault" | "index">): Promise<UpdateReport> =>
          isTidy
            ? this.tidy.answer(input, { batch, vault: seen.vault, isPreview })
            : runUpdate(input, { ...parts, ...seenBy(seen) });
        if (isPreview)
          return this.previews.run(id, async (overlay) =>
            run({ ...parts, vault: models.of(overlay) }),
          );
        // Without a model, a person's answer to the inbox goes where they say.
        const isOwnAnswer = this.model === null && inboxRef !== null && seesAll(input);
        const report = await run(isOwnAnswer ? { vault, index } : parts);
        return rights === undefined ? report : { ...report, rights };
      },
    );
  }
}

function notYours(): ExpectedError {
  return new ExpectedError(
    "no_permission",
    "Only somebody who sees and may change all of the vault answers what was found untidy in it.",
  );
}

function seenBy({
  vault,
  index,
}: Pick<ModelView, "vault" | "index">): Pick<ModelView, "vault" | "index"> {
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
