import { Agent, request as send, type IncomingMessage } from "node:http";

import { findOwner } from "../../src/jobs/owner/owner-lock.ts";
import { reached } from "../mcp/reached.ts";
import type { ServedPlace } from "./served.ts";

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Over the socket of the person's own commands. */
  readonly isLocal?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** HTTP to a served vault, over connections that are kept and can be closed. */
export class HttpDoor {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #address: URL;
  readonly #socket: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(place: ServedPlace) {
    const { headers, url } = reached(place);
    this.#socket = findOwner(place.state)?.endpoint;
    this.#headers = headers;
    this.#address = url("/");
  }

  get port(): number {
    return Number(this.#address.port);
  }

  get authorization(): string {
    return this.#headers["authorization"] ?? "";
  }

  /** @param timeout milliseconds, after which it counts as hung */
  async ask(asked: Asked, timeout = 60_000): Promise<Answered> {
    const signal = AbortSignal.timeout(timeout);
    const answer = await this.open(asked, signal).catch((error: unknown) => {
      throw signal.aborted ? new Error(`no answer in ${timeout / 1000} s`) : error;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString("utf8");
    return { status: answer.statusCode ?? 0, type: answer.headers["content-type"] ?? "", text };
  }

  async json(path: string, body: unknown): Promise<Answered> {
    const headers = { "content-type": "application/json" };
    return this.ask({ method: "POST", path, headers, body: JSON.stringify(body) });
  }

  /** The head of an answer, whose body is still to be read. */
  async open(asked: Asked, signal?: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { method = "GET", path, headers = {}, body, isLocal = false } = asked;
    const socket = isLocal && this.#socket !== undefined ? { socketPath: this.#socket } : null;
    const sent = send(
      new URL(path, this.#address),
      {
        method,
        ...(socket ?? { agent: this.#agent }),
        headers: { ...this.#headers, ...headers },
        ...(signal === undefined ? {} : { signal }),
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** What is wrong with an answer that must be JSON: an internal error, or no JSON at all. Null when nothing is. */
export function wrongWith({ status, type, text }: Answered): string | null {
  if (text === "" && (status === 204 || status === 202)) return null;
  if (!/json/u.test(type))
    return `${status} of type ${JSON.stringify(type)}: ${text.slice(0, 300)}`;
  try {
    JSON.parse(text);
  } catch {
    return `${status}, not JSON: ${text.slice(0, 300)}`;
  }
  return status === 500 || text.includes("Internal error; see the log.")
    ? `internal error: ${text.slice(0, 300)}`
    : null;
}

interface FormFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A form with a file, or with more. */
export function formOf(
  name: string,
  bytes: Buffer,
  fields: Readonly<Record<string, string>> = {},
  more: readonly FormFile[] = [],
): Asked {
  const boundary = "----soak-7f3a9c";
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const files = [{ name, bytes }, ...more].flatMap((file) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    file.bytes,
    Buffer.from("\r\n"),
  ]);
  return {
    method: "POST",
    path: "/api/ingest",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(parts.join("")),
      ...files,
      Buffer.from(`--${boundary}--\r\n`),
    ]),
  };
}
