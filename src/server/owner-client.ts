import { Agent, request, type IncomingMessage } from "node:http";

import type { z } from "zod";

import { findOwner, type OwnerInfo } from "../jobs/owner-lock.ts";
import type { CallResult } from "../tools/call.ts";
import type { Profile } from "../tools/define.ts";
import { errnoOf, ExpectedError } from "../vault/errors.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import {
  CLIENT_HEADER,
  CONNECTION_HEADER,
  LinkAnswer,
  ProblemAnswer,
  RescanAnswer,
  StatusAnswer,
  ToolAnswer,
  type Link,
  type Status,
} from "./contract.ts";
import { isErrorCode } from "./problem.ts";

/** An owner that lives answers at once; one that hangs must not hang a command too. */
const PATIENCE = 5000;

/** Of a connection that was never made. */
const NOBODY_THERE: ReadonlySet<string | null> = new Set(["ECONNREFUSED", "ENOENT"]);

/** The owner went away while it was asked: whether it did what it was asked is not known. */
export class OwnerGoneError extends ExpectedError {
  /** False when it was gone before it could be asked: then it did nothing. */
  readonly wasAsked: boolean;

  constructor({ pid }: OwnerInfo, cause: unknown) {
    super("unavailable", `The service (pid ${pid}) ended before it answered; try again.`, {
      cause,
    });
    this.name = "OwnerGoneError";
    this.wasAsked = !NOBODY_THERE.has(errnoOf(cause));
  }
}

/**
 * The process that owns a vault, from another process. Every method throws {@link OwnerGoneError} when it ends meanwhile, and
 * the owner's own refusals as they are.
 */
export interface OwnerClient {
  readonly owner: OwnerInfo;
  status(): Promise<Status>;
  /**
   * Like the executor's: a tool's refusal is a result. A tool that does not exist is thrown.
   * @param connection tells clients of one name apart
   */
  callTool(
    name: string,
    args: unknown,
    profile: Profile,
    client: string,
    connection?: string,
  ): Promise<CallResult>;
  /** Resolves when the owner has taken these changes in. A folder stands for all that is or was under it. */
  changed(paths: readonly VaultPath[]): Promise<void>;
  rescan(): Promise<{ readonly changed: number; readonly gone: number }>;
  /** A fresh link that lets one browser in. */
  newLink(): Promise<Link>;
  close(): void;
}

/** The owner of the vault with this state folder; null when there is none, or it does not answer. */
export async function connectOwner(
  state: string,
  { patience = PATIENCE } = {},
): Promise<OwnerClient | null> {
  const owner = findOwner(state);
  if (owner === null) return null;
  const client = new SocketClient(owner);
  try {
    await client.ping(patience);
    return client;
  } catch {
    client.close();
    return null;
  }
}

interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

class SocketClient implements OwnerClient {
  readonly owner: OwnerInfo;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(owner: OwnerInfo) {
    this.owner = owner;
  }

  async ping(patience: number): Promise<void> {
    const signal = AbortSignal.timeout(patience);
    await this.#ask({ method: "GET", path: "/api/alive", signal });
  }

  async status(): Promise<Status> {
    return this.#read(await this.#ask({ method: "GET", path: "/api/status" }), StatusAnswer);
  }

  async callTool(
    name: string,
    args: unknown,
    profile: Profile,
    client: string,
    connection?: string,
  ): Promise<CallResult> {
    const answer = await this.#ask({
      method: "POST",
      path: `/api/tools/${encodeURIComponent(name)}?profile=${profile}`,
      body: args,
      headers: {
        [CLIENT_HEADER]: encodeURIComponent(client),
        ...(connection === undefined ? {} : { [CONNECTION_HEADER]: connection }),
      },
    });
    return this.#read(answer, ToolAnswer);
  }

  async changed(paths: readonly VaultPath[]): Promise<void> {
    const body = { paths: paths.map((each) => showPath(each)) };
    await this.#ask({ method: "POST", path: "/api/changed", body });
  }

  async rescan(): Promise<z.infer<typeof RescanAnswer>> {
    return this.#read(await this.#ask({ method: "POST", path: "/api/rescan" }), RescanAnswer);
  }

  async newLink(): Promise<Link> {
    return this.#read(await this.#ask({ method: "POST", path: "/api/link" }), LinkAnswer);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The text of a good answer; what the owner refuses is thrown. */
  async #ask(call: Call): Promise<string> {
    let answer: { status: number; text: string };
    try {
      answer = await this.#exchange(call);
    } catch (error) {
      throw new OwnerGoneError(this.owner, error);
    }
    if (answer.status < 400) return answer.text;
    const { code, detail } = this.#read(answer.text, ProblemAnswer);
    throw new ExpectedError(isErrorCode(code) ? code : "unavailable", detail);
  }

  async #exchange(call: Call): Promise<{ status: number; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { method, path, signal, headers } = call;
    const asking = request({
      socketPath: this.owner.endpoint,
      agent: this.#agent,
      method,
      path,
      headers: { "content-type": "application/json", ...headers },
      ...(signal === undefined ? {} : { signal }),
    });
    asking.on("response", resolve).on("error", reject);
    asking.end(call.body === undefined ? undefined : JSON.stringify(call.body));
    const response = await promise;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(Buffer.from(chunk));
    return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") };
  }

  #read<T>(text: string, schema: z.ZodType<T>): T {
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      const { pid, version } = this.owner;
      throw new ExpectedError(
        "unavailable",
        `The service (pid ${pid}, version ${version}) gave an answer that is not understood here; restart it, so that both are of one version.`,
        { cause: error },
      );
    }
  }
}
