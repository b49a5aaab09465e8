import { Agent, request, type IncomingMessage } from "node:http";

import type { z } from "zod";

import { findOwner, type OwnerInfo } from "../jobs/owner-lock.ts";
import type { CallResult } from "../tools/call.ts";
import { errnoOf, ExpectedError } from "../vault/errors.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import {
  CLIENT_HEADER,
  CONNECTION_HEADER,
  FilesAnswer,
  LinkAnswer,
  ProblemAnswer,
  RescanAnswer,
  StatusAnswer,
  ToolAnswer,
  type Link,
  type Status,
} from "./contract.ts";
import { readEvents } from "./event-reader.ts";
import { FileChangesEvent } from "./file-changes.ts";
import { NOT_BEGUN_HEADER } from "./http-server.ts";
import { isErrorCode } from "./problem.ts";
import type { ToolCall } from "./tool-calls.ts";
import type { ChangeListener } from "./vault-access.ts";
import type { FileBytes, FilePage } from "./vault-files.ts";

/** An owner that lives answers at once; one that hangs must not hang a command too. */
const PATIENCE = 5000;

/** Of a connection that was never made. */
const NOBODY_THERE: ReadonlySet<string | null> = new Set(["ECONNREFUSED", "ENOENT"]);

/** The owner went away while it was asked: whether it did what it was asked is not known. */
export class OwnerGoneError extends ExpectedError {
  /** False when it was gone, or going, before it could be asked: then it did nothing. */
  readonly wasAsked: boolean;

  constructor({ pid }: OwnerInfo, { wasAsked, cause }: { wasAsked: boolean; cause?: unknown }) {
    super("unavailable", `The service (pid ${pid}) ended before it answered; try again.`, {
      cause,
    });
    this.name = "OwnerGoneError";
    this.wasAsked = wasAsked;
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
  callTool(call: ToolCall, connection?: string): Promise<CallResult>;
  listFiles(after: string | null): Promise<FilePage>;
  readFile(path: string): Promise<FileBytes>;
  /** Calls `listener` after files were changed, until the function it returns is called or the owner is gone. */
  onChanged(listener: ChangeListener): () => void;
  /** Resolves when the owner has taken these changes in. A folder stands for all that is or was under it. */
  changed(paths: readonly VaultPath[]): Promise<void>;
  rescan(): Promise<{ readonly changed: number; readonly gone: number }>;
  /** A fresh link that lets one browser in. */
  newLink(): Promise<Link>;
  /** Asks the owner to leave the vault to this process. `busy` when it keeps it; else it will be gone soon. */
  handOver(): Promise<void>;
  /** Any other request: for what is built on this. */
  ask<T>(call: Call, answer: z.ZodType<T>): Promise<T>;
  /** The server-sent events that answer a request, until the last. */
  listen(call: Call): AsyncGenerator<ServerEvent>;
  close(): void;
}

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
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

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly status: number;
  /** False when the owner was ending already, and did nothing. */
  readonly isBegun: boolean;
  readonly type: string;
  readonly bytes: Buffer;
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

  async callTool(call: ToolCall, connection?: string): Promise<CallResult> {
    const { name, args, profile, client, mostTokens } = call;
    const bound = mostTokens === undefined ? "" : `&max_tokens=${mostTokens}`;
    const answer = await this.#ask({
      method: "POST",
      path: `/api/tools/${encodeURIComponent(name)}?profile=${profile}${bound}`,
      body: args ?? {},
      headers: {
        [CLIENT_HEADER]: encodeURIComponent(client),
        ...(connection === undefined ? {} : { [CONNECTION_HEADER]: connection }),
      },
    });
    return this.#read(answer, ToolAnswer);
  }

  async listFiles(after: string | null): Promise<FilePage> {
    const query = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    return this.#read(await this.#ask({ method: "GET", path: `/api/files${query}` }), FilesAnswer);
  }

  async readFile(path: string): Promise<FileBytes> {
    const asked = `/api/raw?path=${encodeURIComponent(path)}`;
    const { type, bytes } = await this.#askBytes({ method: "GET", path: asked });
    const [mimeType = ""] = type.split(";", 1);
    return { mimeType, isText: mimeType.startsWith("text/"), bytes };
  }

  onChanged(listener: ChangeListener): () => void {
    const asking = request({
      socketPath: this.owner.endpoint,
      path: "/api/events",
      agent: false,
    });
    asking.on("error", () => {});
    asking.on("response", (response) => {
      readEvents(response, ({ name, data }) => {
        const changes = name === "file" ? FileChangesEvent.safeParse(data) : null;
        if (changes?.success === true) listener(changes.data);
        else if (name === "resync" || changes !== null) listener(null);
      });
    });
    asking.on("socket", (socket) => socket.unref());
    asking.end();
    return () => asking.destroy();
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

  async handOver(): Promise<void> {
    await this.#ask({ method: "POST", path: "/api/hand-over" });
  }

  async ask<T>(call: Call, answer: z.ZodType<T>): Promise<T> {
    return this.#read(await this.#ask(call), answer);
  }

  async *listen(call: Call): AsyncGenerator<ServerEvent> {
    const headers = { ...call.headers, accept: "text/event-stream" };
    let text = "";
    try {
      const response = await this.#send({ ...call, headers });
      if ((response.statusCode ?? 0) >= 400) throw this.#refusal(await bytesOf(response));
      response.setEncoding("utf8");
      for await (const chunk of response) {
        text += String(chunk);
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) {
          const name = /^event: (.*)$/mu.exec(event)?.[1];
          const data = /^data: (.*)$/mu.exec(event)?.[1];
          if (name !== undefined && data !== undefined) yield { name, data };
        }
      }
    } catch (error) {
      if (error instanceof ExpectedError) throw error;
      const wasAsked = !NOBODY_THERE.has(errnoOf(error));
      throw new OwnerGoneError(this.owner, { wasAsked, cause: error });
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The text of a good answer; what the owner refuses is thrown. */
  async #ask(call: Call): Promise<string> {
    return (await this.#askBytes(call)).bytes.toString("utf8");
  }

  async #askBytes(call: Call): Promise<Pick<Answer, "type" | "bytes">> {
    let answer: Answer;
    try {
      answer = await this.#exchange(call);
    } catch (error) {
      const wasAsked = !NOBODY_THERE.has(errnoOf(error));
      throw new OwnerGoneError(this.owner, { wasAsked, cause: error });
    }
    if (answer.status < 400) return answer;
    if (!answer.isBegun) throw new OwnerGoneError(this.owner, { wasAsked: false });
    throw this.#refusal(answer.bytes);
  }

  #refusal(bytes: Buffer): ExpectedError {
    const { code, detail } = this.#read(bytes.toString("utf8"), ProblemAnswer);
    return new ExpectedError(isErrorCode(code) ? code : "unavailable", detail);
  }

  async #exchange(call: Call): Promise<Answer> {
    const response = await this.#send(call);
    return {
      status: response.statusCode ?? 0,
      isBegun: response.headers[NOT_BEGUN_HEADER] === undefined,
      type: response.headers["content-type"] ?? "",
      bytes: await bytesOf(response),
    };
  }

  async #send(call: Call): Promise<IncomingMessage> {
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
    return promise;
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

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
