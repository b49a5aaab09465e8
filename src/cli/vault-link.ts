import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";

import { connectOwner, OwnerGoneError, type OwnerClient } from "../server/owner-client.ts";
import { watchOwner } from "../server/owner-watch.ts";
import { ownExecutor, type ToolCall, type ToolExecutor } from "../server/tool-executor.ts";
import { refusal, type CallResult } from "../tools/call.ts";
import { toolsOf } from "../tools/registry.ts";
import { ExpectedError } from "../vault/errors.ts";
import type { OwnedVault } from "./own-vault.ts";

/** While another process starts or ends, in milliseconds. */
const BETWEEN_TRIES = 50;
/** Clients wait a minute for an answer: before that, they are told why there is none. */
const PATIENCE = 50_000;

export interface VaultLinkOptions {
  readonly state: string;
  /** Makes this process the owner; null when another one is. */
  readonly own: () => Promise<OwnedVault | null>;
  readonly now: () => Date;
  readonly onBug: (error: unknown, asked: string) => void;
  /** How long to look for an owner that answers, in milliseconds. */
  readonly patience?: number;
}

/** One of two: the vault in this process, or the process that owns it. */
interface Link {
  call(call: ToolCall): Promise<CallResult>;
  /** Another takes its place. What it was asked it may still answer: an owner that ends in good order does. */
  leave(): void;
  close(): Promise<void>;
}

/**
 * Executes the calls of one connection, whoever owns the vault: this process when nobody else does, else the owner. When the owner
 * goes, this process takes its place or finds who did, without waiting for the next call.
 */
export class VaultLink implements ToolExecutor {
  readonly #options: VaultLinkOptions;
  readonly #connection = randomUUID();
  readonly #closing = new AbortController();
  readonly #calls = new Set<Promise<unknown>>();
  #linking: Promise<Link> | null = null;
  #link: Link | null = null;

  constructor(options: VaultLinkOptions) {
    this.#options = options;
  }

  prepare(): void {
    // Whoever calls hears of it.
    this.#linked().catch(() => {});
  }

  async call(call: ToolCall): Promise<CallResult> {
    this.#closing.signal.throwIfAborted();
    const answer = this.#call(call);
    this.#calls.add(answer);
    try {
      return await answer;
    } finally {
      this.#calls.delete(answer);
    }
  }

  /** Lets the calls under way finish, then leaves the vault to others. */
  async close(): Promise<void> {
    this.#closing.abort(new ExpectedError("unavailable", "coffre is ending; start it again."));
    await Promise.allSettled(this.#calls);
    const link = await this.#linking?.catch(() => null);
    await link?.close();
  }

  async #call(call: ToolCall): Promise<CallResult> {
    for (let asked = 0; ;) {
      const link = await this.#linked();
      try {
        return await link.call(call);
      } catch (error) {
        if (!(error instanceof OwnerGoneError)) throw error;
        this.#leave(link);
        if (error.wasAsked) asked += 1;
        // Only once more: if asking is what ended the owner, it must not end all who follow.
        if (asked > 1 || (asked > 0 && !isReading(call))) return unanswered(call, error);
        this.#closing.signal.throwIfAborted();
      }
    }
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
    const latest = performance.now() + (this.#options.patience ?? PATIENCE);
    for (;;) {
      signal.throwIfAborted();
      this.#link = await this.#try();
      if (this.#link !== null) return this.#link;
      if (performance.now() >= latest) throw unreachable();
      // Woken early when all this ends, of which the next round tells.
      await setTimeout(BETWEEN_TRIES, undefined, { signal }).catch(() => {});
    }
  }

  async #try(): Promise<Link | null> {
    const owned = await this.#options.own();
    if (owned !== null) return this.#owning(owned);
    const owner = await connectOwner(this.#options.state);
    return owner === null ? null : this.#through(owner);
  }

  #owning(owned: OwnedVault): Link {
    const { now, onBug } = this.#options;
    const executor = ownExecutor({ service: owned.service, now, onBug });
    return {
      call: async (call) => executor.call(call),
      leave: () => {},
      close: async () => owned.close(),
    };
  }

  #through(owner: OwnerClient): Link {
    const link: Link = {
      call: async ({ name, args, profile, client }) =>
        owner.callTool(name, args ?? {}, profile, client, this.#connection),
      leave: () => stopWatching(),
      close: async () => {
        stopWatching();
        owner.close();
      },
    };
    const stopWatching = watchOwner(owner.owner.endpoint, () => this.#leave(link));
    return link;
  }

  /** For the next one, at once. */
  #leave(link: Link): void {
    if (this.#link !== link || this.#closing.signal.aborted) return;
    link.leave();
    this.#link = null;
    this.#linking = null;
    this.prepare();
  }
}

function isReading({ name, profile }: ToolCall): boolean {
  return toolsOf(profile).find((tool) => tool.name === name)?.effect === "read";
}

function unanswered({ name }: ToolCall, error: OwnerGoneError): CallResult {
  const advice = `Whether ${name} was done is not known: look before you call it again. The vault is served again now.`;
  return refusal(
    error.code,
    `The process that served the vault ended before it answered. ${advice}`,
  );
}

function unreachable(): ExpectedError {
  return new ExpectedError(
    "busy",
    "Another process owns the vault and does not answer: it is still starting, or it hangs. Try again in a minute; coffre status tells which process it is.",
  );
}
