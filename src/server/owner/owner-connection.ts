import { Agent, request, type IncomingMessage } from "node:http";

import type { z } from "zod";

import type { OwnerInfo } from "../../jobs/owner/owner-lock.ts";
import { errnoOf, ExpectedError } from "../../errors.ts";
import { ProblemAnswer } from "../api/contract.ts";
import { NOT_BEGUN_HEADER } from "../http/http-server.ts";
import { isErrorCode } from "../http/problem.ts";

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

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** `data` is JSON. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** HTTP to the owner of a vault, over its socket. What the owner refuses is thrown as it refuses it. */
export class OwnerConnection {
  readonly owner: OwnerInfo;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(owner: OwnerInfo) {
    this.owner = owner;
  }

  /** An answer that is JSON, checked. */
  async ask<T>(call: Call, answer: z.ZodType<T>): Promise<T> {
    return this.#read((await this.askBytes(call)).bytes.toString("utf8"), answer);
  }

  /** Any answer, with its media type. */
  async askBytes(call: Call): Promise<{ readonly type: string; readonly bytes: Buffer }> {
    const response = await this.#send(call);
    return { type: response.headers["content-type"] ?? "", bytes: await this.#bytesOf(response) };
  }

  /** The server-sent events that answer a request, as our own service writes them, until the last. */
  async *listen(call: Call): AsyncGenerator<ServerEvent> {
    const headers = { ...call.headers, accept: "text/event-stream" };
    const response = await this.#send({ ...call, headers });
    response.setEncoding("utf8");
    let text = "";
    try {
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
      throw new OwnerGoneError(this.owner, { wasAsked: true, cause: error });
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The head of a good answer. */
  async #send(call: Call): Promise<IncomingMessage> {
    let response: IncomingMessage;
    try {
      response = await this.#request(call);
    } catch (error) {
      const wasAsked = !NOBODY_THERE.has(errnoOf(error));
      throw new OwnerGoneError(this.owner, { wasAsked, cause: error });
    }
    if ((response.statusCode ?? 0) < 400) return response;
    const text = (await this.#bytesOf(response)).toString("utf8");
    if (response.headers[NOT_BEGUN_HEADER] !== undefined) {
      throw new OwnerGoneError(this.owner, { wasAsked: false });
    }
    const { code, detail } = this.#read(text, ProblemAnswer);
    throw new ExpectedError(isErrorCode(code) ? code : "unavailable", detail);
  }

  async #request({ method, path, signal, headers, body }: Call): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const asking = request({
      socketPath: this.owner.endpoint,
      agent: this.#agent,
      method,
      path,
      headers: { "content-type": "application/json", ...headers },
      ...(signal === undefined ? {} : { signal }),
    });
    asking.on("response", resolve).on("error", reject);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  async #bytesOf(response: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response) chunks.push(Buffer.from(chunk));
    } catch (error) {
      throw new OwnerGoneError(this.owner, { wasAsked: true, cause: error });
    }
    return Buffer.concat(chunks);
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
