/** The thread that reads and indexes many files, so that the one that answers callers never does: started by {@link file://./bulk-indexer.ts}. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";

import { messageOf } from "../../errors.ts";
import { openIndex } from "../../index/create-index.ts";
import { indexable } from "../../index/fill-index.ts";
import { isIndexed, type FileChanges, type LoadStep } from "../../index/search-index.ts";
import { isDiskFull } from "../../storage/sqlite.ts";
import { carriesKeys, leftIn, otherFrontmatter } from "../../vault/files/frontmatter.ts";
import { isSearchable, type MeasuredFile } from "../../vault/files/measure.ts";
import { versionHash } from "../../vault/files/version.ts";
import { isMarkdown, type VaultPath } from "../../vault/paths.ts";
import { createVault, type VaultItem } from "../../vault/vault.ts";
import { changesOf, type IndexStep } from "../file-batch.ts";
import { earliestTime } from "../stamping/stamp-times.ts";
import type {
  NoteFacts,
  BulkFailure,
  BulkFile,
  BulkOrder,
  BulkPlace,
  BulkReply,
} from "./bulk-messages.ts";

/** Milliseconds of reading and indexing until small changes get their turn. */
const SLICE = 40;
/** Milliseconds until a load is committed and reported, unless there are small changes: every commit writes out a piece of the index. */
const COMMIT = 500;

type Applying = Extract<BulkOrder, { kind: "apply" }>;

class BulkThread {
  readonly #port: MessagePort;
  readonly #vault;
  readonly #index;
  readonly #paths: VaultPath[] = [];
  readonly #applying: Applying[] = [];
  /** Read since the last report. */
  #read: BulkFile[] = [];
  #orders = 0;
  #isFirst = false;
  #isRunning = false;
  #isClosing = false;

  constructor(port: MessagePort, { root, state }: BulkPlace) {
    this.#port = port;
    this.#vault = createVault({ root, state });
    this.#index = openIndex(state, { canRebuild: false });
  }

  listen(): void {
    this.#port.on("message", (order: BulkOrder) => this.#take(order));
  }

  #take(order: BulkOrder): void {
    this.#orders += 1;
    if (order.kind === "read") {
      this.#paths.push(...order.paths.toReversed());
      this.#isFirst ||= order.isFirst;
    } else if (order.kind === "apply") this.#applying.push(order);
    else this.#isClosing = true;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (!this.#isClosing && this.#paths.length + this.#applying.length > 0) {
      if (this.#isFirst) await this.#load();
      else await this.#applySome();
    }
    this.#isRunning = false;
    this.#tell({ kind: "idle", orders: this.#orders });
    if (this.#isClosing) await this.#close();
  }

  /** Everything that is to be read, as one load; small changes are steps of it. */
  async #load(): Promise<void> {
    this.#isFirst = false;
    await this.#index.load(this.#steps());
  }

  async *#steps(): AsyncGenerator<LoadStep> {
    let due = performance.now() + COMMIT;
    while (!this.#isClosing && this.#paths.length > 0) {
      const applying = this.#applying.splice(0);
      for (const { changes } of applying) {
        for (const gone of changes.gone) yield { gone };
        yield* changes.put;
      }
      const until = performance.now() + SLICE;
      while (performance.now() < until && !this.#isClosing) {
        const path = this.#paths.pop();
        if (path === undefined) break;
        const step = await this.#readFile(path);
        if (step !== null) yield step;
      }
      if (applying.length > 0 || this.#paths.length === 0 || performance.now() > due) {
        yield "commit";
        for (const { id } of applying) this.#tell({ kind: "applied", id, failure: null });
        this.#report();
        due = performance.now() + COMMIT;
      }
      // Orders that came meanwhile.
      await nextTurn();
    }
  }

  async #applySome(): Promise<void> {
    for (const { id, changes } of this.#applying.splice(0)) {
      const failure = await this.#apply(changes);
      this.#tell({ kind: "applied", id, failure });
    }
    const steps: IndexStep[] = [];
    const until = performance.now() + SLICE / 2;
    while (performance.now() < until) {
      const path = this.#paths.pop();
      if (path === undefined) break;
      const step = await this.#readFile(path);
      if (step !== null) steps.push(step);
    }
    const failure = await this.#apply(changesOf(steps));
    if (failure !== null) this.#read = this.#read.map((each) => ({ ...each, failure }));
    this.#report();
    await nextTurn();
  }

  async #apply(changes: FileChanges): Promise<BulkFailure | null> {
    try {
      await this.#index.apply(changes);
      return null;
    } catch (error) {
      return failureFrom(error, this.#vault.state);
    }
  }

  /** What the index is to do for one file; null for nothing. */
  async #readFile(path: VaultPath): Promise<IndexStep | null> {
    try {
      const found = this.#vault.measure(path);
      const { item, measured } = found ?? { item: null, measured: null };
      if (measured?.unread !== undefined) throw measured.unread;
      const isSought = isIndexed(path) && measured !== null;
      const isUnsearchable = isSought && !isSearchable(measured.facts);
      const file =
        isSought && !isUnsearchable ? await indexable(this.#vault, path, measured) : null;
      const facts = measured?.facts ?? null;
      const note = item === null || measured === null ? null : noteFacts(path, item, measured);
      this.#read.push({ path, item, facts, note, isPut: file !== null, failure: null });
      // An older content may still be in the index.
      return isUnsearchable ? { gone: path } : file;
    } catch (error) {
      const nothing = { item: null, facts: null, note: null, isPut: false };
      this.#read.push({ path, ...nothing, failure: failureFrom(error, this.#vault.state) });
      return null;
    }
  }

  #report(): void {
    if (this.#read.length === 0) return;
    this.#tell({ kind: "files", files: this.#read });
    this.#read = [];
  }

  #tell(reply: BulkReply): void {
    this.#port.postMessage(reply, []);
  }

  async #close(): Promise<void> {
    await this.#index.close();
    this.#vault.close();
    this.#tell({ kind: "closed" });
    this.#port.close();
  }
}

function noteFacts(
  path: VaultPath,
  { created }: VaultItem,
  { facts, text }: MeasuredFile,
): NoteFacts | null {
  if (text === null || !isMarkdown(path)) return null;
  return {
    hash: versionHash(Buffer.from(text)),
    carriesKeys: carriesKeys(text),
    isOther: otherFrontmatter(text) !== null,
    left: leftIn(text),
    created: earliestTime(path, text, facts.changed, created),
  };
}

function failureFrom(error: unknown, state: string): BulkFailure {
  return { message: messageOf(error), isDiskFull: isDiskFull(error, state) };
}

if (parentPort !== null) new BulkThread(parentPort, workerData).listen();
