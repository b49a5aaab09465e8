import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";

const PROGRAM = path.join(import.meta.dirname, "..", "..", "bin", "coffre.js");

export const TOKEN = "a-token-that-all-replicas-have";

/** A port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const found = server.address();
  server.close();
  await once(server, "close");
  if (typeof found !== "object" || found === null) throw new Error("no port");
  return found.port;
}

export interface ReplicaOptions {
  /** Of the database. */
  readonly url: string;
  readonly port: number;
  /** Of the proxy. */
  readonly publicUrl?: string;
  readonly args?: readonly string[];
  /** Instead of this program with its options. */
  readonly command?: readonly [program: string, ...args: string[]];
  /** Besides what every replica has. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A process of `coffre serve --database`. */
export class Replica {
  readonly address: string;
  readonly process: ChildProcess;
  /** Its log. */
  log = "";
  #printed = "";

  constructor({ url, port, publicUrl, args = [], command, environment = {} }: ReplicaOptions) {
    this.address = `http://127.0.0.1:${port}`;
    const given = publicUrl === undefined ? [] : ["--public-url", publicUrl];
    const own = [PROGRAM, "serve", "--json", "--port", String(port), ...given, ...args];
    const [program, ...line] = command ?? [process.execPath, ...own];
    this.process = spawn(program, line, {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        COFFRE_DATABASE: url,
        COFFRE_TOKEN: TOKEN,
        COFFRE_MODEL: "",
        ...environment,
      },
    });
    this.process.stdout?.on("data", (data: Buffer) => (this.#printed += data.toString()));
    this.process.stderr?.on("data", (data: Buffer) => (this.log += data.toString()));
  }

  /** Waits until it prints where it is. */
  async started(): Promise<{ readonly link: string }> {
    for (;;) {
      const found = /"link": "([^"]+)"|(http:\S+\/enter\?code=\S+)/u.exec(this.#printed);
      if (found !== null) return { link: found[1] ?? found[2] ?? "" };
      if (this.process.exitCode !== null) throw new Error(`it did not start: ${this.log}`);
      await Promise.race([
        this.process.stdout === null ? null : once(this.process.stdout, "data"),
        once(this.process, "close"),
      ]);
    }
  }

  /** Waits until it has ended by itself. */
  async ended(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null)
      await once(this.process, "close");
    return this.process.exitCode;
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const ended = this.ended();
    this.process.kill(signal);
    return ended;
  }
}

/** Sends a request with the token. */
export async function ask(where: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...Object.fromEntries(new Headers(init.headers)),
  };
  return fetch(where, { ...init, headers });
}

/** Sends JSON with the token. */
export async function post(
  where: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return ask(where, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Calls one of the nine tools, and gives its result as text. */
export async function callTool(
  vault: string,
  name: string,
  args: unknown,
  client = "test",
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const answer = await post(`${vault}/api/tools/${name}`, args, { "coffre-client": client });
  const body: unknown = await answer.json();
  const isError =
    !answer.ok ||
    (typeof body === "object" && body !== null && "isError" in body && body.isError === true);
  return { text: JSON.stringify(body), isError };
}
