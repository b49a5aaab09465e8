import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

import type { InboxItem, InboxItemText } from "../../agents/inbox/inbox.ts";
import type { RememberInput } from "../../agents/memory.ts";
import type { RecallAnswer } from "../../agents/recall/recall-answer.ts";
import type { OnRunEvent } from "../../agents/run-events.ts";
import { modelSettings } from "../../config.ts";
import type { AgentClient } from "../../server/owner/agent-client.ts";
import type { UpdateView } from "../../server/api/agent-contract.ts";
import type { Vault } from "../../vault/vault.ts";
import type { CommandContext } from "../table/command.ts";
import { withVault } from "./open-vault.ts";
import { LazyIndex } from "./vault-index.ts";

/** An update that was taken in and has not ended yet. */
export interface Accepted {
  readonly id: string;
  readonly status: "accepted";
}

export interface Remembering {
  /** Resolve when it is filed, and not when it is safe. */
  readonly isWaiting: boolean;
  readonly onEvent: OnRunEvent;
}

/** Remembering and recalling for a command: by the running service, or without one by this process. */
export interface MemoryCaller {
  remember(input: RememberInput, how: Remembering): Promise<UpdateView | Accepted>;
  recall(question: string, onEvent: OnRunEvent): Promise<RecallAnswer>;
  inbox(): Promise<readonly InboxItem[]>;
  inboxItem(ref: string): Promise<InboxItemText>;
}

export async function withMemory<T>(
  context: CommandContext,
  work: (memory: MemoryCaller) => Promise<T>,
): Promise<T> {
  return withVault(context, async (vault) => work(new Caller(vault, context)));
}

/** Milliseconds; how long an update is offered to others before it is left in the queue. */
const BETWEEN = 100;
const ATTEMPTS = 30;

class Caller implements MemoryCaller {
  readonly #vault: Vault;
  readonly #context: CommandContext;

  constructor(vault: Vault, context: CommandContext) {
    this.#vault = vault;
    this.#context = context;
  }

  async remember(input: RememberInput, how: Remembering): Promise<UpdateView | Accepted> {
    for (let attempt = 1; ; attempt += 1) {
      const done =
        (await this.#throughService((service) => rememberBy(service, input, how))) ??
        (await this.#rememberAlone(input, how));
      if (done !== null) return done;
      // Another command files something just now, which may take minutes.
      if (!how.isWaiting && attempt >= ATTEMPTS) return this.#leave(input);
      await pause(BETWEEN);
    }
  }

  async recall(question: string, onEvent: OnRunEvent): Promise<RecallAnswer> {
    // It changes nothing: when the service goes away meanwhile, it is simply asked here.
    const answer = await this.#throughService((service) => service.recall(question, onEvent), true);
    if (answer !== null) return answer;
    const { recall } = await import("../../agents/recall/recall.ts");
    const { LazyModel } = await import("../../agents/model/lazy-model.ts");
    const { DEFAULT_LIMITS } = await import("../../agents/limits.ts");
    const { environment, now, screen } = this.#context;
    const settings = modelSettings(this.#vault.state, environment);
    const model = settings === null ? null : new LazyModel(settings);
    const index = new LazyIndex(this.#vault, this.#context);
    try {
      return await recall(question, {
        vault: this.#vault,
        index,
        now,
        onBug: (error) => screen.warn(inspect(error)),
        limits: DEFAULT_LIMITS,
        signal: new AbortController().signal,
        onEvent,
        openModel: async () => (await model?.open()) ?? null,
      });
    } finally {
      index.close();
    }
  }

  async inbox(): Promise<readonly InboxItem[]> {
    const { inboxItems } = await import("../../agents/inbox/inbox.ts");
    return inboxItems(this.#vault);
  }

  async inboxItem(ref: string): Promise<InboxItemText> {
    const { inboxItem } = await import("../../agents/inbox/inbox.ts");
    return inboxItem(this.#vault, ref);
  }

  /**
   * Null when no service answers. One that goes away after it was asked is an error, unless `isLooking`: asking again might do it twice.
   */
  async #throughService<T>(
    work: (service: AgentClient) => Promise<T>,
    isLooking = false,
  ): Promise<T | null> {
    const { state } = this.#vault;
    if (!existsSync(path.join(state, "owner.json"))) return null;
    const { connectOwner } = await import("../../server/owner/owner-client.ts");
    const { OwnerGoneError } = await import("../../server/owner/owner-connection.ts");
    const owner = await connectOwner(state);
    if (owner === null) return null;
    const { agentClient } = await import("../../server/owner/agent-client.ts");
    try {
      return await work(agentClient(owner));
    } catch (error) {
      if (error instanceof OwnerGoneError && (isLooking || !error.wasAsked)) return null;
      throw error;
    } finally {
      owner.close();
    }
  }

  /** Does the service's work in its place, for all that waits. Null when another process owns the vault. */
  async #rememberAlone(input: RememberInput, how: Remembering): Promise<UpdateView | null> {
    const { root, state } = this.#vault;
    const { acquireOwnership } = await import("../../jobs/owner/owner-lock.ts");
    const ownership = acquireOwnership(state);
    if (ownership === null) return null;
    const { environment, now, screen } = this.#context;
    try {
      const { createService } = await import("../../compose.ts");
      const { viewOf } = await import("../../server/api/agent-contract.ts");
      const onBug = (error: unknown): void => screen.warn(inspect(error));
      const model = modelSettings(state, environment);
      screen.progress("Looking at the vault");
      const service = await createService({
        root,
        state,
        now,
        isWatching: false,
        memory: { model, onBug },
      });
      try {
        await service.rescan();
        await service.settled();
        const { memory } = service;
        if (memory === null) return null;
        const { id } = await memory.remember(input);
        const stop = memory.follow(id, how.onEvent);
        const ended = await memory.updates.ended(id);
        stop();
        for (const { id: other } of memory.updates.list()) await memory.updates.ended(other);
        await service.settled();
        return viewOf(ended);
      } finally {
        await service.close();
        screen.progress(null);
      }
    } finally {
      ownership.release();
    }
  }

  async #leave(input: RememberInput): Promise<Accepted> {
    const { leaveTask } = await import("../../agents/queue/task-queue.ts");
    const { updateInput } = await import("../../agents/memory.ts");
    const { now } = this.#context;
    const id = leaveTask(this.#vault.state, await updateInput(input, this.#vault), now());
    return { id, status: "accepted" };
  }
}

async function rememberBy(
  service: AgentClient,
  input: RememberInput,
  { isWaiting, onEvent }: Remembering,
): Promise<UpdateView | Accepted> {
  const id = await service.remember(input);
  return isWaiting ? service.follow(id, onEvent) : { id, status: "accepted" };
}
