import path from "node:path";
import { Worker } from "node:worker_threads";

import type { FileChanges } from "../../index/search-index.ts";
import type { VaultPath } from "../../vault/paths.ts";
import {
  errorOf,
  type BulkFile,
  type BulkOrder,
  type BulkPlace,
  type BulkReply,
} from "./bulk-messages.ts";

/** The same file, from source and when built. */
const THREAD = new URL(`./bulk-thread${path.extname(import.meta.filename)}`, import.meta.url);
/** Milliseconds without work after which the thread ends. */
const IDLE = 3000;

export interface BulkIndexerOptions extends BulkPlace {
  /** Called with files that were read, and are in the index by now. */
  readonly onFiles: (files: readonly BulkFile[]) => void;
  /** Called when all that was to be read is read. */
  readonly onIdle: () => void;
  /** Called when the thread died: what was to be read and not reported yet is lost. */
  readonly onDeath: (error: Error) => void;
}

/**
 * Reads and indexes many files in a thread of its own, which starts with the first of them and ends when there are no more. While it
 * {@link isOpen}, it is the only one that may write to the index: another connection would block its thread while it waits for the lock.
 */
export class BulkIndexer {
  readonly #options: BulkIndexerOptions;
  readonly #applying = new Map<number, PromiseWithResolvers<void>>();
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;
  #orders = 0;
  #isReading = false;
  /** The thread was told to end, and takes no more orders. */
  #isEnding = false;
  #isClosed = false;

  constructor(options: BulkIndexerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#worker !== null;
  }

  /** Reads files and puts them into the index, in this order. */
  read(paths: readonly VaultPath[], isFirst: boolean): void {
    if (paths.length === 0) return;
    this.#isReading = true;
    this.#send({ kind: "read", paths, isFirst });
  }

  /** Changes the index through the thread. */
  async apply(changes: FileChanges): Promise<void> {
    const id = (this.#lastId += 1);
    const done = Promise.withResolvers<void>();
    this.#applying.set(id, done);
    this.#send({ kind: "apply", id, changes });
    await done.promise;
  }

  /** Ends the thread; what it has not read yet stays unread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#ended;
  }

  #end(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#worker === null || this.#isEnding) return;
    this.#isEnding = true;
    this.#worker.postMessage({ kind: "close" } satisfies BulkOrder, []);
  }

  #send(order: BulkOrder): void {
    if (this.#isEnding) {
      void this.#ended.then(() => this.#send(order));
      return;
    }
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    const worker = this.#open();
    this.#orders += 1;
    worker.postMessage(order, []);
  }

  #open(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { root, state } = this.#options;
    const workerData: BulkPlace = { root, state };
    const worker = new Worker(THREAD, { workerData, execArgv: [], name: "coffre-bulk" });
    this.#worker = worker;
    this.#orders = 0;
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    let failure: Error | null = null;
    let isClosed = false;
    worker.on("message", (reply: BulkReply) => {
      if (reply.kind === "closed") isClosed = true;
      else this.#take(reply);
    });
    worker.on("error", (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    worker.on("exit", (code) => {
      this.#worker = null;
      this.#isEnding = false;
      ended.resolve();
      const lost = failure ?? new Error(`the indexing thread ended with code ${code}`);
      for (const id of this.#applying.keys()) this.#settle(id, lost);
      this.#isReading = false;
      if (!isClosed && !this.#isClosed) this.#options.onDeath(lost);
    });
    return worker;
  }

  #take(reply: Exclude<BulkReply, { kind: "closed" }>): void {
    if (reply.kind === "files") this.#options.onFiles(reply.files);
    else if (reply.kind === "applied")
      this.#settle(reply.id, reply.failure === null ? null : errorOf(reply.failure));
    else if (reply.orders === this.#orders) {
      const wasReading = this.#isReading;
      this.#isReading = false;
      if (this.#isClosed) return;
      if (wasReading) this.#options.onIdle();
      this.#idle = setTimeout(() => this.#end(), IDLE);
      this.#idle.unref();
    }
  }

  #settle(id: number, failure: Error | null): void {
    const waiting = this.#applying.get(id);
    this.#applying.delete(id);
    if (failure === null) waiting?.resolve();
    else waiting?.reject(failure);
  }
}
