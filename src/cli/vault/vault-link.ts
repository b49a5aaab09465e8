import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";

import { agentClient } from "../../server/owner/agent-client.ts";
import { ownMemory, type MemoryAccess } from "../../server/owner/memory-access.ts";
import { connectOwner, type OwnerClient } from "../../server/owner/owner-client.ts";
import { OwnerGoneError } from "../../server/owner/owner-connection.ts";
import { watchOwner } from "../../server/owner/owner-watch.ts";
import type { ToolCall } from "../../server/api/tool-calls.ts";
import {
  ownAccess,
  type ChangeListener,
  type VaultAccess,
} from "../../server/owner/vault-access.ts";
import type { FileBytes, FilePage } from "../../server/api/vault-files.ts";
import { refusal, type CallResult } from "../../tools/call.ts";
import { toolsOf } from "../../tools/registry.ts";
import { ExpectedError } from "../../errors.ts";
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
  readonly access: Omit<VaultAccess, "prepare">;
  readonly memory: MemoryAccess;
  /** Another takes its place. What it was asked it may still answer: an owner that ends in good order does. */
  leave(): void;
  close(): Promise<void>;
}

/**
 * The vault for one connection, whoever owns it: this process when nobody else does, else the owner. When the owner goes, this process takes its
 * place or finds who did, without waiting for the next call.
 */
export class VaultLink implements VaultAccess {
  readonly #options: VaultLinkOptions;
  readonly #connection = randomUUID();
  readonly #closing = new AbortController();
  readonly #asked = new Set<Promise<unknown>>();
  readonly #listeners = new Set<ChangeListener>();
  #linking: Promise<Link> | null = null;
  #link: Link | null = null;
  #wasLinked = false;

  constructor(options: VaultLinkOptions) {
    this.#options = options;
  }

  prepare(): void {
    // Whoever calls hears of it.
    this.#linked().catch(() => {});
  }

  async call(call: ToolCall): Promise<CallResult> {
    try {
      return await this.#ask(async ({ access }) => access.call(call), isReading(call));
    } catch (error) {
      if (error instanceof OwnerGoneError) return unanswered(call, error);
      throw error;
    }
  }

  async listFiles(after: string | null): Promise<FilePage> {
    return this.#ask(async ({ access }) => access.listFiles(after));
  }

  async readFile(path: string): Promise<FileBytes> {
    return this.#ask(async ({ access }) => access.readFile(path));
  }

  /** What changes while no owner is there is told as soon as there is one: then anything may have changed. */
  onChanged(listener: ChangeListener): () => void {
    const own: ChangeListener = (changes) => listener(changes);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Only what looks is asked again of the next owner: a text must not be kept twice. */
  get memory(): MemoryAccess {
    return {
      remember: async (input) => this.#ask(async ({ memory }) => memory.remember(input), false),
      update: async (id) => this.#ask(async ({ memory }) => memory.update(id)),
      follow: async (id, onEvent) => this.#ask(async ({ memory }) => memory.follow(id, onEvent)),
      recall: async (question, onEvent) =>
        this.#ask(async ({ memory }) => memory.recall(question, onEvent)),
      inbox: async () => this.#ask(async ({ memory }) => memory.inbox()),
      inboxItem: async (ref) => this.#ask(async ({ memory }) => memory.inboxItem(ref)),
    };
  }

  /** Leaves the vault to the process that asked for it, when what is under way here is done. */
  async handOver(): Promise<void> {
    const link = this.#link;
    if (link === null) return;
    this.#link = null;
    this.#linking = null;
    await Promise.allSettled(this.#asked);
    await link.close();
    if (!this.#closing.signal.aborted) this.prepare();
  }

  /** Lets what is under way finish, then leaves the vault to others. */
  async close(): Promise<void> {
    this.#closing.abort(new ExpectedError("unavailable", "coffre is ending; start it again."));
    await Promise.allSettled(this.#asked);
    const link = await this.#linking?.catch(() => null);
    await link?.close();
  }

  /** @param isRepeatable whether it may be asked of the next owner when this one was asked and did not answer */
  async #ask<T>(ask: (link: Link) => Promise<T>, isRepeatable = true): Promise<T> {
    this.#closing.signal.throwIfAborted();
    const answer = this.#askAgain(ask, isRepeatable);
    this.#asked.add(answer);
    try {
      return await answer;
    } finally {
      this.#asked.delete(answer);
    }
  }

  async #askAgain<T>(ask: (link: Link) => Promise<T>, isRepeatable: boolean): Promise<T> {
    for (let asked = 0; ;) {
      const link = await this.#linked();
      try {
        return await ask(link);
      } catch (error) {
        if (!(error instanceof OwnerGoneError)) throw error;
        this.#leave(link);
        if (error.wasAsked) asked += 1;
        // Only once more: if asking is what ended the owner, it must not end all who follow.
        if (asked > 1 || (asked > 0 && !isRepeatable)) throw error;
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
      const link = await this.#try();
      if (link !== null) {
        this.#link = link;
        link.access.onChanged((changes) => this.#tell(changes));
        if (this.#wasLinked) this.#tell(null);
        this.#wasLinked = true;
        return link;
      }
      if (performance.now() >= latest) throw unreachable();
      // Woken early when all this ends, of which the next round tells.
      await setTimeout(BETWEEN_TRIES, undefined, { signal }).catch(() => {});
    }
  }

  #tell(...[changes]: Parameters<ChangeListener>): void {
    for (const listener of this.#listeners) listener(changes);
  }

  async #try(): Promise<Link | null> {
    const owned = await this.#options.own();
    if (owned !== null) return this.#owning(owned);
    const owner = await connectOwner(this.#options.state);
    return owner === null ? null : this.#through(owner);
  }

  #owning(owned: OwnedVault): Link {
    const { now, onBug } = this.#options;
    const { service, log } = owned;
    if (service.memory === null) throw new Error("an owner without a memory");
    return {
      access: ownAccess({ service, now, onBug, log }),
      memory: ownMemory(service.memory),
      leave: () => {},
      close: async () => owned.close(),
    };
  }

  #through(owner: OwnerClient): Link {
    let stopListening = (): void => {};
    const link: Link = {
      access: {
        call: async (call) => owner.callTool(call, this.#connection),
        listFiles: async (after) => owner.listFiles(after),
        readFile: async (path) => owner.readFile(path),
        onChanged: (listener) => (stopListening = owner.onChanged(listener)),
      },
      memory: agentClient(owner),
      leave: () => {
        stopWatching();
        stopListening();
      },
      close: async () => {
        link.leave();
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
