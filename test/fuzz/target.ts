import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { isErrorCode } from "../../src/errors.ts";
import { pdfFile } from "../../src/ingest/testing/pdf-file.ts";
import { writeFiles } from "../../src/testing/temporary-vault.ts";
import { snapshotOf } from "../../src/testing/tree-snapshot.ts";
import { vaultProblems } from "../../src/testing/vault-problems.ts";
import { splitFrontmatter } from "../../src/vault/files/frontmatter.ts";
import { FILES } from "../mcp/calls.ts";
import { formOf, HttpDoor, type Answered, type Asked } from "../soak/http-door.ts";
import { Served, type ServedPlace } from "../soak/served.ts";
import { INBOX_REF } from "./doors.ts";
import type { Input } from "./input.ts";
import { McpDoor } from "./mcp-door.ts";
import { StdioServer } from "./stdio-server.ts";
import { SECRET, wrongText } from "./wrong-text.ts";

/** Milliseconds in which everything is answered. */
const HUNG = 30_000;

/** Answers to an update that was taken, and to a change that was made. */
const TAKEN = /^\{"id":"([\w-]+)","status":"accepted"/u;
const CHANGED = /"history":"([\w-]+)"/u;

/** What routes and tools of the memory are asked about, beside the files of the scenarios. */
const MORE_FILES = {
  [`inbox/${INBOX_REF}/review.md`]: "# A sheet of the garden\n\nWhere does it belong?\n",
  [`inbox/${INBOX_REF}/note.md`]: "The beds were measured.\n",
  "bucket/played.pdf": pdfFile([["Played"]]),
};

/** A service on a vault of its own that inputs are sent to, and all that is looked at after each. */
export class Target {
  readonly folder: string;
  readonly #place: ServedPlace;
  readonly #outside: string;
  readonly #served: Served;
  readonly #http: HttpDoor;
  readonly #mcp: McpDoor;
  readonly #stdio: StdioServer;
  /** Of the last update that was taken, and the last change that was made: for routes that are about one. */
  readonly #last = { update: "abc", history: "abc" };
  #logged = 0;
  #complained = 0;

  private constructor(folder: string, place: ServedPlace, served: Served) {
    this.folder = folder;
    this.#place = place;
    this.#served = served;
    this.#outside = JSON.stringify(snapshotOf(path.join(folder, "outside"), { times: true }));
    this.#http = new HttpDoor(place);
    this.#mcp = new McpDoor(this.#http);
    this.#stdio = new StdioServer(place);
  }

  static async start(): Promise<Target> {
    const folder = mkdtempSync(path.join(tmpdir(), "coffre-fuzz-"));
    const at = (name: string): string => path.join(folder, name);
    const place = { root: at("notes"), state: at("state"), registry: at("registry") };
    mkdirSync(place.root);
    writeFiles(place.root, { ...FILES, ...MORE_FILES });
    writeFiles(at("outside"), { "secret.md": `${SECRET}\n`, "folder/other.md": `${SECRET}\n` });
    symlinkSync(at("outside"), path.join(place.root, "link"));
    symlinkSync(at("outside/secret.md"), path.join(place.root, "link.md"));
    return new Target(folder, place, await Served.start(place));
  }

  /** Sends one input. What is returned is wrong. */
  async send(input: Input): Promise<string[]> {
    const problems: string[] = [];
    try {
      problems.push(...(await this.#sent(input)));
    } catch (error) {
      problems.push(String(error));
    }
    problems.push(...(await this.#look()));
    return problems;
  }

  async #sent(input: Input): Promise<string[]> {
    switch (input.kind) {
      case "tool": {
        const headers = { "content-type": "application/json" };
        const where = `/api/tools/${encodeURIComponent(input.tool.toWellFormed())}?profile=${encodeURIComponent(input.profile.toWellFormed())}`;
        const body = JSON.stringify(input.args ?? null);
        return wrongWithTool(await this.#ask({ method: "POST", path: where, headers, body }));
      }
      case "route": {
        const { method, isLocal = false } = input;
        const headers = { "content-type": "application/json", ...input.headers };
        const text = this.#filledIn(JSON.stringify(input.body ?? null));
        const body = method === "GET" ? {} : { body: text };
        const asked = { method, path: this.#filledIn(input.path), headers, isLocal, ...body };
        return wrongWithRoute(await this.#ask(asked));
      }
      case "frame":
        return this.#frame(Buffer.from(input.bytes, "base64"));
      case "mcp":
        return this.#mcp.send(input);
      case "stdio":
        return this.#stdio.send(input.line);
      case "ingest":
        return wrongWithRoute(await this.#ask(formOfInput(input)));
      case "note":
        return this.#note(input.path, Buffer.from(input.bytes, "base64"));
    }
  }

  async #ask(asked: Asked): Promise<Answered> {
    const answer = await this.#http.ask(asked, HUNG);
    const { update, history } = this.#last;
    this.#last.update = TAKEN.exec(answer.text)?.[1] ?? update;
    this.#last.history = CHANGED.exec(answer.text)?.[1] ?? history;
    return answer;
  }

  #filledIn(text: string): string {
    const { update, history } = this.#last;
    return text.replaceAll("{update}", update).replaceAll("{history}", history);
  }

  /** Bytes on a connection of their own: an answer with a status, or none; what follows is answered. */
  async #frame(bytes: Buffer): Promise<string[]> {
    const token = this.#http.authorization.replace("Bearer ", "");
    const text = bytes
      .toString("latin1")
      .replaceAll("{token}", token)
      .replaceAll("{host}", `127.0.0.1:${this.#http.port}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(this.#http.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => (answer += data.toString("latin1")));
    socket.on("error", () => resolve()).on("close", () => resolve());
    socket.write(Buffer.from(text, "latin1"));
    // Half a request is waited for; nobody else waits for it.
    const late = setTimeout(() => socket.destroy(), 500);
    await promise;
    clearTimeout(late);
    if (answer === "") return [];
    if (!/^HTTP\/1\.1 [1-5]\d\d /u.test(answer)) return [`no HTTP: ${answer.slice(0, 200)}`];
    return wrongText(answer, Number(answer.slice(9, 12)));
  }

  /** A file of another program: read, found, edited through the tools, its own text never changed. */
  async #note(name: string, bytes: Buffer): Promise<string[]> {
    const file = path.join(this.#place.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    const shown = `vault/${name}`;
    const post = async (where: string, body?: unknown): Promise<Answered> =>
      this.#ask({
        method: "POST",
        path: where,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    await post("/api/settle?all=true");
    const problems: string[] = [];
    const kept = readFileSync(file);
    if (!endsAlike(bytes, kept)) problems.push(`its text was changed: ${kept.toString("latin1")}`);
    const calls: readonly (readonly [string, unknown])[] = [
      ["read", { paths: [shown] }],
      ["read", { paths: [shown], folded: true }],
      ["tree", { path: shown }],
      ["edit", { path: shown, properties: { set: { statut: "fait" }, remove: ["title"] } }],
      ["append", { path: shown, content: "Une ligne.", position: "top" }],
      ["search", { queries: ["pompe", "statut:fait"], mode: "fast" }],
    ];
    for (const [tool, args] of calls) {
      const wrong = wrongWithTool(await post(`/api/tools/${tool}?profile=update`, args));
      problems.push(...wrong.map((each) => `${tool}: ${each}`));
    }
    return problems;
  }

  /** Whether it still runs and answers, logged no bug, and left everything outside as it was. */
  async #look(): Promise<string[]> {
    const problems: string[] = [];
    if (!this.#served.isRunning) return [`the service ended: ${this.#served.complaint}`];
    const alive = await this.#ask({ path: "/api/alive" }).catch(String);
    if (typeof alive === "string" || alive.status !== 204)
      problems.push(`does not answer any more: ${JSON.stringify(alive)}`);
    const bugs = this.#served.bugs();
    problems.push(...bugs.slice(this.#logged).map((bug) => `log: ${bug}`));
    this.#logged = bugs.length;
    const complaint = this.#served.complaint.slice(this.#complained);
    this.#complained += complaint.length;
    if (complaint !== "") problems.push(`standard error: ${complaint.slice(0, 1000)}`);
    const outside = JSON.stringify(snapshotOf(path.join(this.folder, "outside"), { times: true }));
    if (outside !== this.#outside) problems.push(`changed outside the vault: ${outside}`);
    return problems;
  }

  /** Ends the service, and compares what it kept with a fresh build. Removes the folder when all is well. */
  async close(isKept: boolean): Promise<string[]> {
    const problems: string[] = [];
    await this.#stdio.close();
    const isRunning = this.#served.isRunning;
    if (isRunning) {
      // The times of notes whose frontmatter is left as it is are known to the service alone.
      const notes = path.join(this.#place.root, "fuzz");
      // Moved, since `rmSync` leaves files, without an error, when the job renames one in the folder meanwhile.
      if (existsSync(notes)) renameSync(notes, path.join(this.folder, "removed"));
      for (const where of ["/api/rescan", "/api/settle?all=true"])
        await this.#ask({ method: "POST", path: where }).catch((error: unknown) =>
          problems.push(`${where}: ${String(error)}`),
        );
      this.#http.close();
      const code = await this.#served.stop();
      if (code !== 0) problems.push(`stopped with ${code}: ${this.#served.complaint}`);
      const { root, state } = this.#place;
      // Frontmatter that cannot be read stays as it is.
      const drift = (await vaultProblems(root, state)).filter((each) =>
        /^(?:index,|tree\.md|left over)/u.test(each),
      );
      problems.push(...drift);
    }
    if (!isKept && problems.length === 0) rmSync(this.folder, { recursive: true, force: true });
    return problems;
  }
}

function formOfInput(input: Extract<Input, { kind: "ingest" }>): Asked {
  const bytesOf = (text: string): Buffer => Buffer.from(text, "base64");
  const more = (input.more ?? []).map(({ name, bytes }) => ({ name, bytes: bytesOf(bytes) }));
  return formOf(input.name, bytesOf(input.bytes), input.fields, more);
}

/** The person's part of a note stays byte for byte, whatever the job writes above it. */
function endsAlike(before: Buffer, after: Buffer): boolean {
  if (after.equals(before)) return true;
  const [old, now] = [before, after].map((bytes) => splitFrontmatter(bytes.toString("utf8")).body);
  return old?.replace(/^\r?\n/u, "") === now?.replace(/^\r?\n/u, "");
}

function wrongWithTool(answer: Answered): string[] {
  const wrong = wrongWithRoute(answer);
  if (wrong.length > 0 || answer.status !== 200) return wrong;
  const { content, isError, structured } = JSON.parse(answer.text);
  if (!Array.isArray(content) || typeof isError !== "boolean") return [answer.text.slice(0, 300)];
  if (!isError) return [];
  const code: unknown = structured?.error?.code;
  const isListed = JSON.stringify(content).includes("Errors:");
  const isCoded = isListed || (typeof code === "string" && isErrorCode(code));
  return isCoded ? [] : [`a refusal without a code: ${answer.text.slice(0, 300)}`];
}

function wrongWithRoute({ status, type, text }: Answered): string[] {
  const wrong = wrongText(text, status);
  if (!/json/u.test(type)) {
    if (status >= 400) wrong.push(`${status} without JSON: ${text.slice(0, 200)}`);
    return wrong;
  }
  try {
    const answer = JSON.parse(text);
    const code: unknown = answer?.code;
    // A note that is another by now is answered as it is, to be merged.
    const isMerge = status === 409 && answer?.theirs !== undefined;
    if (status >= 400 && !isMerge && !(typeof code === "string" && isErrorCode(code)))
      wrong.push(`${status} without a code of ours: ${text.slice(0, 300)}`);
  } catch {
    wrong.push(`not JSON: ${text.slice(0, 300)}`);
  }
  return wrong;
}
