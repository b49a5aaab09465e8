import { setTimeout } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import type { CallResult } from "../../tools/call-result.ts";
import type { ToolRequest } from "../api/tool-routes.ts";
import { isOwnerPublished } from "../../jobs/owner/owner-file.ts";
import type { OwnerInfo } from "../../jobs/owner/owner-lock.ts";
import type { ServerEvent } from "../http/parse-events.ts";
import { OwnerGoneError, type Answer, type Call, type Transport } from "./transport.ts";

/** Milliseconds between two attempts while another process starts or ends. */
const RETRY_DELAY = 50;
/** Milliseconds. MCP clients wait a minute for an answer: before that, they get the reason why there is none. */
const CONNECT_TIMEOUT = 50_000;

export interface VaultLinkOptions {
  readonly state: string;
  /** Opens the vault in this process; null while another process owns it. */
  readonly open: () => Promise<OpenedVault | null>;
  /** How long to look for an owner that answers, in milliseconds. */
  readonly timeout?: number;
  /** Opens the vault in this process even if another one owns it: only to look. */
  readonly isSkippingOwner?: boolean;
  /** Turns to the next owner as soon as one ends, and not only at the next call. */
  readonly isLongLived?: boolean;
}

/** A vault that is open in this process. */
export interface OpenedVault {
  readonly transport: Transport;
  close(): Promise<void>;
}

interface Link extends OpenedVault {
  /** Null: this process. */
  readonly owner: OwnerInfo | null;
  /** Another link takes its place. What it was asked it may still answer. */
  leave(): void;
}

/**
 * The one way to a vault: through the process that owns it, or in this process when there is none. When the owner ends, this process takes
 * its place or finds who did.
 */
export class VaultLink implements Transport {
  readonly #options: VaultLinkOptions;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  #linking: Promise<Link> | null = null;
  #link: Link | null = null;

  constructor(options: VaultLinkOptions) {
    this.#options = options;
  }

  /** Connects in advance: calls will come soon. */
  prepare(): void {
    // The next call reports the error.
    this.#linked().catch(() => {});
  }

  /** Who answers; null for this process. */
  async owner(): Promise<OwnerInfo | null> {
    return (await this.#linked()).owner;
  }

  async ask(call: Call): Promise<Answer> {
    return this.#tracked(async () => {
      for (const checkRetry = this.#retries(call); ;) {
        const link = await this.#linked();
        try {
          return await link.transport.ask(call);
        } catch (error) {
          checkRetry(link, error);
        }
      }
    });
  }

  async callTool(request: ToolRequest): Promise<CallResult | null> {
    return this.#tracked(async () => {
      const { transport } = await this.#linked();
      return (await transport.callTool?.(request)) ?? null;
    });
  }

  /** Lets `close` and `handOver` wait for an answer. */
  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    this.#closing.signal.throwIfAborted();
    const answer = work();
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  async *listen(call: Call): AsyncGenerator<ServerEvent> {
    const done = Promise.withResolvers<void>();
    // A subscription has no end to wait for.
    if (call.isRepeatable !== false) this.#pending.add(done.promise);
    try {
      for (const checkRetry = this.#retries(call); ;) {
        const link = await this.#linked();
        try {
          yield* link.transport.listen(call);
          return;
        } catch (error) {
          checkRetry(link, error);
        }
      }
    } finally {
      done.resolve();
      this.#pending.delete(done.promise);
    }
  }

  /** Not repeated: what came is used already. */
  async *download(call: Call): AsyncGenerator<Uint8Array> {
    const done = Promise.withResolvers<void>();
    this.#pending.add(done.promise);
    try {
      yield* (await this.#linked()).transport.download(call);
    } finally {
      done.resolve();
      this.#pending.delete(done.promise);
    }
  }

  /** Leaves the vault to the process that asked for it, when the calls under way are done. */
  async handOver(): Promise<void> {
    const link = this.#link;
    if (link === null) return;
    this.#link = null;
    this.#linking = null;
    await Promise.allSettled(this.#pending);
    await link.close();
    if (!this.#closing.signal.aborted) this.prepare();
  }

  /** Lets calls under way finish, then leaves the vault to others. */
  async close(): Promise<void> {
    this.#closing.abort(new ExpectedError("unavailable", "coffre is ending; start it again."));
    await Promise.allSettled(this.#pending);
    const link = await this.#linking?.catch(() => null);
    await link?.close();
  }

  /** Turns to the next owner after an error; throws it unless the call may be repeated: only once, because the call may be what ended the owner. */
  #retries({ isRepeatable, method }: Call): (link: Link, error: unknown) => void {
    const most = (isRepeatable ?? method === "GET") ? 1 : 0;
    let count = 0;
    return (link, error) => {
      if (!(error instanceof OwnerGoneError)) throw error;
      this.#leave(link);
      if (error.wasAsked) count += 1;
      if (count > most) throw error;
      this.#closing.signal.throwIfAborted();
    };
  }

  async #linked(): Promise<Link> {
    this.#linking ??= this.#connect().catch((error: unknown) => {
      this.#linking = null;
      throw error;
    });
    return this.#linking;
  }

  async #connect(): Promise<Link> {
    const { signal } = this.#closing;
    const latest = performance.now() + (this.#options.timeout ?? CONNECT_TIMEOUT);
    for (;;) {
      signal.throwIfAborted();
      const isSkipping = this.#options.isSkippingOwner === true;
      const link = (isSkipping ? null : await this.#toOwner()) ?? (await this.#toOwnVault());
      if (link !== null) return (this.#link = link);
      if (performance.now() >= latest) throw unreachable();
      // Wakes early when this link is closed; the next round throws.
      await setTimeout(RETRY_DELAY, undefined, { signal }).catch(() => {});
    }
  }

  async #toOwnVault(): Promise<Link | null> {
    const opened = await this.#options.open();
    return opened === null ? null : { ...opened, owner: null, leave: () => {} };
  }

  async #toOwner(): Promise<Link | null> {
    const { state, isLongLived = false } = this.#options;
    // Most vaults have no service, and the HTTP client takes longer to load than a command takes.
    if (!isOwnerPublished(state)) return null;
    const { connectOwner, watchOwner } = await import("./socket-transport.ts");
    const transport = await connectOwner(state);
    if (transport === null) return null;
    const { owner } = transport;
    const link: Link = {
      transport,
      owner,
      leave: () => stopWatching(),
      close: async () => {
        stopWatching();
        transport.close();
      },
    };
    const stopWatching = isLongLived
      ? watchOwner(owner.endpoint, () => this.#leave(link))
      : (): void => {};
    return link;
  }

  /** Turns to the next owner. */
  #leave(link: Link): void {
    if (this.#link !== link || this.#closing.signal.aborted) return;
    link.leave();
    this.#link = null;
    this.#linking = null;
    if (this.#options.isLongLived === true) this.prepare();
  }
}

function unreachable(): ExpectedError {
  return new ExpectedError(
    "busy",
    "Another process owns the vault and does not answer: it is still starting, or it hangs. Try again in a minute; coffre status tells which process it is.",
  );
}
