import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

import { environmentOf, MAIN, type ServedPlace } from "../soak/served.ts";
import { wrongText } from "./wrong-text.ts";

/** Milliseconds until a ping must be answered; a machine may be busy. */
const HUNG = 30_000;

/** A `coffre mcp` in a process of its own, started with the first line that it is sent. */
export class StdioServer {
  readonly #place: ServedPlace;
  #child: ChildProcessWithoutNullStreams | null = null;
  #out = "";
  #complaint = "";
  #pings = 0;

  constructor(place: ServedPlace) {
    this.#place = place;
  }

  /** Sends a line, then a ping, which must be answered. */
  async send(line: string): Promise<string[]> {
    const child = this.#running();
    const before = this.#out.length;
    this.#pings += 1;
    const ping = `ping-${this.#pings}`;
    child.stdin.write(`${line}\n`);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ping, method: "ping" })}\n`);
    const end = performance.now() + HUNG;
    while (!this.#out.includes(`"${ping}"`, before)) {
      if (child.exitCode !== null || child.signalCode !== null) {
        this.#child = null;
        return [`coffre mcp ended (${child.exitCode}): ${this.#complaint.slice(-1000)}`];
      }
      if (performance.now() > end)
        return [`coffre mcp did not answer a ping after ${line.slice(0, 300)}`];
      await pause(5);
    }
    const answer = this.#out.slice(before);
    const problems = wrongText(answer, 200);
    if (answer.includes('"code":-32603')) problems.push(`internal error: ${answer.slice(0, 400)}`);
    for (const each of answer.split("\n").filter((text) => text !== ""))
      if (!isJson(each)) problems.push(`not JSON: ${each.slice(0, 300)}`);
    if (this.#complaint !== "") problems.push(`standard error: ${this.#complaint.slice(0, 1000)}`);
    this.#complaint = "";
    return problems;
  }

  #running(): ChildProcessWithoutNullStreams {
    if (this.#child !== null) return this.#child;
    const { root, state } = this.#place;
    const child = spawn(process.execPath, [MAIN, "mcp", "--vault", root, "--state", state], {
      env: environmentOf(this.#place),
    });
    child.stdout.on("data", (data: Buffer) => (this.#out += data.toString()));
    child.stderr.on("data", (data: Buffer) => (this.#complaint += data.toString()));
    child.stdin.on("error", () => {});
    const clientInfo = { name: "fuzz", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const hello = { jsonrpc: "2.0", id: 0, method: "initialize", params };
    child.stdin.write(`${JSON.stringify(hello)}\n`);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
    );
    this.#child = child;
    return child;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null) return;
    const closed = once(child, "close");
    child.stdin.end();
    const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await closed;
    clearTimeout(late);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
