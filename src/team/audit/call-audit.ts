import { AsyncLocalStorage } from "node:async_hooks";

import { ExpectedError } from "../../errors.ts";
import type { Change, ChangeAuthor } from "../../vault/history/history-types.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { showPath } from "../../vault/paths.ts";
import type { AuditLog } from "./audit-log.ts";

/** With what, and from where, a request was sent. */
export interface RequestFrom {
  /** `token ID`, `session ID`, `oidc`, `operator`. */
  readonly credential: string | null;
  /** Where the request came from; null for what runs by itself. */
  readonly address: string | null;
}

/** A call that is under way. */
interface OpenCall {
  readonly name: string;
  readonly client: string | null;
  readonly paths: Set<VaultPath>;
  /** Why a tool refused. */
  refused: string | null;
  /** A change was recorded, in its transaction. */
  isRecorded: boolean;
}

export interface CallAuditOptions {
  readonly log: AuditLog;
  /** The name of the vault. */
  readonly vault: string;
  /** Null for whoever runs the service. */
  readonly person: { readonly id: string; readonly name: string } | null;
  /** Of what belongs to no request: an agent's run. */
  readonly byItself?: RequestFrom & { readonly client: string };
}

const requests = new AsyncLocalStorage<RequestFrom>();
const calls = new AsyncLocalStorage<OpenCall>();

/** Runs what a request asks for: all its calls are recorded with where it came from. */
export async function asRequest<T>(from: RequestFrom, work: () => Promise<T>): Promise<T> {
  return requests.run(from, work);
}

/** Records what one caller does in one vault: a change in its transaction, any other call when it is done. */
export class CallAudit {
  readonly #options: CallAuditOptions;

  constructor(options: CallAuditOptions) {
    this.#options = options;
  }

  /**
   * Runs a call.
   * @param outcomeOf `done`, or the code of the refusal
   */
  async call<T>(
    given: Pick<OpenCall, "name" | "client">,
    work: () => Promise<T>,
    outcomeOf: (value: T) => Promise<string>,
  ): Promise<T> {
    const call: OpenCall = { ...given, paths: new Set(), refused: null, isRecorded: false };
    return calls.run(call, async () => {
      try {
        const value = await work();
        if (!call.isRecorded) await this.#add(call, call.refused ?? (await outcomeOf(value)));
        return value;
      } catch (error) {
        if (!call.isRecorded) await this.#add(call, codeOf(error));
        throw error;
      }
    });
  }

  /** A tool of the present call refused. */
  refused(code: string): void {
    const call = calls.getStore();
    if (call !== undefined) call.refused = code;
  }

  /** Something of a file was read. */
  readonly read = (path: VaultPath): void => {
    this.#call?.paths.add(path);
  };

  /** Something was changed: to be called in the transaction of the change. */
  readonly changed = async (
    made: readonly Change[],
    author: ChangeAuthor,
    id: string,
  ): Promise<void> => {
    const call = this.#call;
    const paths = new Set(made.flatMap(placesOf));
    const client = call?.client ?? this.#options.byItself?.client ?? author.actor;
    const own = { name: author.call, client, paths, refused: null, isRecorded: true };
    await this.#add(own, "done", author.batch ?? id);
    if (call !== undefined) call.isRecorded = true;
  };

  /** What runs by itself may have been woken by the call of anybody, and is no part of that. */
  get #call(): OpenCall | undefined {
    return this.#options.byItself === undefined ? calls.getStore() : undefined;
  }

  async #add({ name, client, paths }: OpenCall, outcome: string, batch = ""): Promise<void> {
    const { log, vault, person, byItself } = this.#options;
    const from = byItself ?? requests.getStore() ?? { credential: null, address: null };
    await log.add({
      vault,
      person,
      credential: from.credential,
      address: from.address,
      client,
      call: name,
      paths: [...paths].map((path) => showPath(path)),
      batch: batch === "" ? null : batch,
      outcome,
    });
  }
}

function placesOf(change: Change): readonly VaultPath[] {
  return change.kind === "move" ? [change.path, change.to] : [change.path];
}

function codeOf(error: unknown): string {
  return error instanceof ExpectedError ? error.code : "error";
}
