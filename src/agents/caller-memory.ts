import { ExpectedError } from "../errors.ts";
import type { CallersVault } from "../vault/vault.ts";
import type { ReadingParts } from "./agent-run.ts";
import type { Asker, OnRunEvent, RecallAnswer, RememberInput } from "./contract.ts";
import { inboxOf } from "./inbox/inbox.ts";
import type { Memory, ModelView, RecallOptions } from "./memory.ts";
import type { QueuedUpdate, QueueWork, UpdateQueue } from "./queue/update-queue.ts";

/** The vault as one of several callers may use it. */
export interface CallersParts extends Pick<ReadingParts, "index"> {
  readonly vault: CallersVault;
  /** What models are given of it. */
  readonly models: ModelView;
  /** Who they are for what they hand over; null for one whose updates belong to nobody, and who sees those of all. */
  readonly asker: Asker | null;
  /** Whether they may hand over something at all. */
  readonly mayChange: boolean;
  /** Whether nothing of the vault is hidden from them: only then they may have it tidied, which looks at all of it. */
  readonly seesAll: boolean;
  /** Whether they are told what the vault used up. */
  readonly isOwner: boolean;
  /** Throws when what is found untidy would be told to others who may not know it. */
  readonly beforeTidy: () => Promise<void>;
  /** Whether what was made for them with these rights may still be shown to them. */
  readonly covers: (rights: string) => boolean;
}

/** What the memory of the whole vault does for one of its callers. */
export interface MemoryWork {
  remember(input: RememberInput, parts: CallersParts): Promise<QueuedUpdate>;
  recall(
    question: string,
    options: RecallOptions,
    parts: CallersParts,
    shown: Pick<ReadingParts, "vault" | "index">,
  ): Promise<RecallAnswer>;
}

/** A memory as one of several callers may use it: agents look and write as they may, and of the queue they see what they handed over. */
export class CallerMemory implements Memory {
  readonly updates: UpdateQueue;
  readonly previews: Memory["previews"];
  readonly tidy: Memory["tidy"];
  readonly inbox: Memory["inbox"];
  readonly #whole: Memory;
  readonly #work: MemoryWork;
  readonly #parts: CallersParts;
  readonly #reader: "model" | undefined;

  constructor(whole: Memory, work: MemoryWork, parts: CallersParts, reader?: "model") {
    this.#whole = whole;
    this.#work = work;
    this.#parts = parts;
    this.#reader = reader;
    this.previews = parts.asker === null ? whole.previews : NO_PREVIEWS;
    this.updates = parts.asker === null ? whole.updates : new OwnUpdates(whole.updates, parts);
    this.tidy =
      parts.seesAll && parts.mayChange ? tidying(whole.tidy, parts) : noTidying(whole.tidy.daily);
    this.inbox = inboxOf(reader === "model" ? parts.models.vault : parts.vault);
  }

  get model(): Memory["model"] {
    return this.#whole.model;
  }

  get spent(): Memory["spent"] {
    return this.#parts.isOwner ? this.#whole.spent : null;
  }

  async remember(input: RememberInput): Promise<QueuedUpdate> {
    const { asker, mayChange } = this.#parts;
    if (!mayChange)
      throw new ExpectedError(
        "no_permission",
        "This vault is yours to read, not to change. Ask an owner of it for the role editor.",
      );
    if (asker !== null && input.isPreview === true) throw noPreviews();
    const { asker: _, ...given } = input;
    const own = asker === null ? given : { ...given, asker };
    return this.#work.remember(
      this.#reader === undefined ? own : { ...own, reader: this.#reader },
      this.#parts,
    );
  }

  async recall(question: string, options: RecallOptions = {}): Promise<RecallAnswer> {
    const shown = this.#reader === "model" ? this.#parts.models : this.#parts;
    return this.#work.recall(question, options, this.#parts, shown);
  }

  /** Only of an update that {@link updates} shows, whose id is known to nobody else; and as its report, only while all may be read that the run may read. */
  follow(id: string, listener: OnRunEvent): () => void {
    const { asker, covers } = this.#parts;
    return this.#whole.follow(id, listener, asker === null ? () => true : covers);
  }

  onUpdate(listener: QueueWork["onChange"]): () => void {
    const { asker } = this.#parts;
    if (asker === null) return this.#whole.onUpdate(listener);
    return this.#whole.onUpdate((update) => {
      if (update.input.asker?.id !== asker.id) return;
      // Counts that cannot be read now come with the next change.
      this.updates.counts().then(
        (counts) => listener(update, counts),
        () => {},
      );
    });
  }

  forModels(): Memory {
    return new CallerMemory(this.#whole, this.#work, this.#parts, "model");
  }

  forCaller(parts: CallersParts): Memory {
    return new CallerMemory(this.#whole, this.#work, parts);
  }

  /** What runs belongs to the whole. */
  async close(): Promise<void> {}
}

/** The queue as somebody sees it who sees only what they handed over. */
class OwnUpdates implements UpdateQueue {
  readonly #all: UpdateQueue;
  readonly #asker: Asker;
  readonly #covers: CallersParts["covers"];

  constructor(all: UpdateQueue, { asker, covers }: CallersParts) {
    if (asker === null) throw new Error("whose updates these are is not known");
    this.#all = all;
    this.#asker = asker;
    this.#covers = covers;
  }

  async get(id: string): Promise<QueuedUpdate> {
    return this.#shown(await this.#own(id));
  }

  async list(limit?: number): Promise<QueuedUpdate[]> {
    const own = await this.#all.list(limit, this.#asker.id);
    return own.filter((update) => this.#isOwn(update)).map((update) => this.#shown(update));
  }

  async counts(): ReturnType<UpdateQueue["counts"]> {
    return this.#all.counts(this.#asker.id);
  }

  async cancel(id: string): Promise<QueuedUpdate> {
    await this.#own(id);
    return this.#shown(await this.#all.cancel(id));
  }

  async retry(id: string): Promise<QueuedUpdate> {
    await this.#own(id);
    return this.#shown(await this.#all.retry(id));
  }

  async ended(id: string): Promise<QueuedUpdate> {
    await this.#own(id);
    return this.#shown(await this.#all.ended(id));
  }

  async previews(): Promise<QueuedUpdate[]> {
    return [];
  }

  async add(): Promise<never> {
    throw new Error("only the memory adds updates");
  }

  async propose(): Promise<never> {
    throw noPreviews();
  }

  async decide(): Promise<never> {
    throw noPreviews();
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {}

  /** Another's is as unknown as one that never was. */
  async #own(id: string): Promise<QueuedUpdate> {
    const update = await this.#all.get(id);
    if (this.#isOwn(update)) return update;
    throw new ExpectedError("not_found", `There is no update ${JSON.stringify(id)}.`);
  }

  /** Also not what the same person handed over with more rights than this credential has. */
  #isOwn({ input: { asker } }: QueuedUpdate): boolean {
    return asker?.id === this.#asker.id && asker.limit === this.#asker.limit;
  }

  /** What an agent says of what it saw is shown only while its asker may see that. */
  #shown(update: QueuedUpdate): QueuedUpdate {
    const { report, error, input } = update;
    const rights = [input.asker?.rights, report?.rights];
    if (rights.every((key) => key === undefined || this.#covers(key))) return update;
    return { ...update, report: null, error: error === null && report === null ? null : CHANGED };
  }
}

const CHANGED = "Your rights have changed since, so what came of it is not shown.";

/** Changes that wait for a yes are tried on the whole vault. */
export function noPreviews(): ExpectedError {
  return new ExpectedError(
    "unavailable",
    "A vault with rights cannot show changes before they are made yet. Nothing was changed; send it without preview, and undo what you do not want.",
  );
}

async function refusePreviews(): Promise<never> {
  throw noPreviews();
}

const NO_PREVIEWS: Memory["previews"] = {
  proposed: async () => [],
  accept: refusePreviews,
  reject: refusePreviews,
  clients: { read: async (_, look) => look(null), change: refusePreviews },
};

function tidying(tidy: Memory["tidy"], { beforeTidy }: CallersParts): Memory["tidy"] {
  return {
    run: async (control) => {
      await beforeTidy();
      return tidy.run(control);
    },
    waiting: async () => tidy.waiting(),
    get last() {
      return tidy.last;
    },
    get daily() {
      return tidy.daily;
    },
    status: () => tidy.status(),
  };
}

function noTidying(daily: Memory["tidy"]["daily"]): Memory["tidy"] {
  const refuse = (): never => {
    throw new ExpectedError(
      "no_permission",
      "Only somebody who sees and may change all of a vault has it looked through for what is untidy.",
    );
  };
  return {
    run: async () => refuse(),
    waiting: async () => null,
    last: null,
    daily: { isOn: daily.isOn, choose: refuse },
    status: () => ({ daily: false, last: null }),
  };
}
