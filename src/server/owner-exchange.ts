import { request, type IncomingMessage } from "node:http";

import type { z } from "zod";

import type { OwnerInfo } from "../jobs/owner-lock.ts";
import { ExpectedError } from "../vault/errors.ts";
import { ProblemAnswer } from "./contract.ts";
import { OwnerGoneError } from "./owner-client.ts";
import { isErrorCode } from "./problem.ts";

export interface OwnerRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** The owner's answer to one request. Throws what it refuses as it is, and {@link OwnerGoneError} when it ends meanwhile. */
export async function askOwner<T>(
  owner: OwnerInfo,
  asked: OwnerRequest,
  answer: z.ZodType<T>,
): Promise<T> {
  const text = await reached(owner, async () => textOf(await send(owner, asked)));
  return answer.parse(JSON.parse(text));
}

/** The server-sent events that answer a request, until the last. Throws as {@link askOwner} does. */
export async function* listenToOwner(
  owner: OwnerInfo,
  asked: OwnerRequest,
): AsyncGenerator<ServerEvent> {
  const headers = { ...asked.headers, accept: "text/event-stream" };
  const response = await reached(owner, async () => send(owner, { ...asked, headers }));
  const chunks = response.setEncoding("utf8")[Symbol.asyncIterator]();
  let text = "";
  for (;;) {
    const chunk = await reached(owner, async () => chunks.next());
    if (chunk.done === true) return;
    text += String(chunk.value);
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const name = /^event: (.*)$/mu.exec(event)?.[1];
      const data = /^data: (.*)$/mu.exec(event)?.[1];
      if (name !== undefined && data !== undefined) yield { name, data };
    }
  }
}

/** What breaks on the way means that the owner is gone. */
async function reached<T>(owner: OwnerInfo, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    throw new OwnerGoneError(owner, error);
  }
}

/** A good answer, not yet read; what the owner refuses is thrown. */
async function send(owner: OwnerInfo, asked: OwnerRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method, path, headers, body } = asked;
  const asking = request({
    socketPath: owner.endpoint,
    // Nothing is kept open: a command asks once or twice.
    agent: false,
    method,
    path,
    headers: { "content-type": "application/json", ...headers },
  });
  asking.on("response", resolve).on("error", reject);
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise;
  if ((response.statusCode ?? 0) < 400) return response;
  const { code, detail } = ProblemAnswer.parse(JSON.parse(await textOf(response)));
  throw new ExpectedError(isErrorCode(code) ? code : "unavailable", detail);
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
