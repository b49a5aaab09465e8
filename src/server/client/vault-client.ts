import { randomUUID } from "node:crypto";

import type { z } from "zod";

import type { InboxItem, InboxItemText, OnRunEvent, RecallAnswer } from "../../agents/contract.ts";
import type { Filed, FilingChange, FilingHelp } from "../../agents/client-model/filing-contract.ts";
import { ExpectedError } from "../../errors.ts";
import type { Verified } from "../../evidence/contract.ts";
import type { FrontmatterPolicy } from "../../vault/frontmatter-policy.ts";
import type { Language } from "../../text/language.ts";
import type { CallResult } from "../../tools/call-result.ts";
import type { TidyView, UpdateView } from "../api/agent-contract.ts";
import type { IngestProgress } from "../../ingest/contract.ts";
import type * as api from "../api/contract.ts";
import type { ForgottenAnswer, StandingAnswer } from "../api/forget-contract.ts";
import { ToolAnswer } from "../http/tool-contract.ts";
import type { ToolRequest } from "../api/tool-routes.ts";
import { CALLERS, CLIENT_HEADER, CONNECTION_HEADER } from "../http/request.ts";
import type { Reader } from "../http/reader.ts";
import { VOICE_HEADER } from "../http/voice.ts";
import { answerSchemas, parsed, unanswered, type SchemaOf } from "./answers.ts";
import { followChanges, type ChangeListener } from "./follow-changes.ts";
import { formOf, rememberBody, type NamedBlob, type RememberRequest } from "./remember-request.ts";
import {
  OwnerGoneError,
  problemOf,
  readingFor,
  refusalOf,
  type Answer,
  type Call,
  type Transport,
} from "./transport.ts";

/** By the client object's own name when `client` is left out, and without a bound when `mostTokens` is. */
export interface ToolCall
  extends
    Pick<ToolRequest, "name" | "args" | "profile">,
    Partial<Pick<ToolRequest, "client" | "mostTokens" | "writes" | "preview">> {
  /** All that the caller uses of an answer that is no failure: a service in another process sends nothing else. */
  readonly answer?: "content" | "structured";
  /** It changes nothing, so it may be sent again when the service ended without an answer. */
  readonly isRepeatable?: boolean;
}

/** How many of how many are done. */
type OnProgress = (done: number, total: number) => void;

export interface VaultClientOptions {
  /** Who calls, for the history. */
  readonly client?: string;
  /** One session for all calls of this client object; false when clients are told apart by their names alone. */
  readonly hasSession?: boolean;
  /** Names that session; a new one when left out. */
  readonly connection?: string | null;
  /** For whom it reads: for a model, the vault is without what is private. */
  readonly reader?: Reader;
}

/**
 * The service of a vault, as every other part of the program reaches it. Refusals of the service are thrown as `ExpectedError`, except
 * those of tools, which are results.
 */
export class VaultClient {
  readonly #transport: Transport;
  readonly #client: string;
  readonly #connection: string | undefined;

  constructor(
    transport: Transport,
    {
      client = CALLERS.cli,
      hasSession = true,
      reader = "person",
      connection = null,
    }: VaultClientOptions = {},
  ) {
    this.#transport = reader === "person" ? transport : readingFor(reader, transport);
    this.#client = client;
    this.#connection = hasSession ? (connection ?? randomUUID()) : undefined;
  }

  async callTool(call: ToolCall): Promise<CallResult> {
    const { name, args, profile, client = this.#client, mostTokens, isRepeatable = false } = call;
    const connection = this.#connection;
    const { writes, preview = false } = call;
    const bounds = { mostTokens, writes, preview };
    const request = { name, args: args ?? {}, profile, client, connection, ...bounds };
    const direct = (await this.#transport.callTool?.(request)) ?? null;
    if (direct !== null) return direct;
    const bound = mostTokens === undefined ? "" : `&max_tokens=${mostTokens}`;
    const part = call.answer === undefined ? "" : `&answer=${call.answer}`;
    const places = writes?.map((glob) => `&write=${encodeURIComponent(glob)}`).join("") ?? "";
    const query = `profile=${profile}${bound}${part}${places}${preview ? "&preview=true" : ""}`;
    const path = `/api/tools/${encodeURIComponent(name)}?${query}`;
    const session = connection === undefined ? {} : { [CONNECTION_HEADER]: connection };
    const headers = { ...nameHeader(client), ...session };
    try {
      const sent = { method: "POST", path, body: request.args, headers, isRepeatable } as const;
      const { bytes, owner } = await this.#ask(sent);
      return parsed(bytes.toString("utf8"), ToolAnswer, owner);
    } catch (error) {
      const isUnknown = error instanceof OwnerGoneError && error.wasAsked && !isRepeatable;
      if (isUnknown) return unanswered(name, error);
      throw error;
    }
  }

  async status(): Promise<api.Status> {
    return this.#get("/api/status", (of) => of.api.StatusAnswer);
  }

  /** Links to files that are not there, at most `limit` of them. */
  async deadLinks(limit: number): Promise<api.DeadLinksAnswer> {
    return this.#get(`/api/links/dead?limit=${limit}`, (of) => of.api.DeadLinksAnswer);
  }

  async vault(): Promise<api.VaultSummary> {
    return this.#get("/api/vault", (of) => of.api.VaultAnswer);
  }

  /** What is at a path, and the names in it when it is a folder. */
  async entryAt(path: string): Promise<api.EntryAt> {
    return this.#get(`/api/entry?path=${encodeURIComponent(path)}`, (of) => of.api.EntryAtAnswer);
  }

  /** @param after the `next` of the page before; null for the first */
  async listFiles(after: string | null): Promise<api.FilePage> {
    const query = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    return this.#get(`/api/files${query}`, (of) => of.api.FilesAnswer);
  }

  /** @param maxBytes a larger file is refused with `too_large` */
  async readFile(path: string, maxBytes: number): Promise<api.FileBytes> {
    const query = `path=${encodeURIComponent(path)}&max_bytes=${maxBytes}`;
    const { type, bytes } = await this.#ask({ method: "GET", path: `/api/raw?${query}` });
    const [mimeType = ""] = type.split(";", 1);
    return { mimeType, isText: mimeType.startsWith("text/"), bytes };
  }

  /**
   * Calls `listener` after files changed, until the function it returns is called. When the service ended and another took its place,
   * it is called with null.
   */
  onChanged(listener: ChangeListener): () => void {
    const stopped = new AbortController();
    void followChanges(this.#transport, listener, stopped.signal);
    return () => stopped.abort();
  }

  async history(path: string | null, limit: number): Promise<api.HistoryItem[]> {
    const named = path === null ? "" : `&path=${encodeURIComponent(path)}`;
    return this.#get(`/api/history?limit=${limit}${named}`, (of) => of.api.HistoryAnswer);
  }

  /** The entries that an id names, with the content of their changes. */
  async historyDetail(id: string): Promise<api.HistoryDetail[]> {
    return this.#get(`/api/history/${encodeURIComponent(id)}`, (of) => of.api.HistoryDetailAnswer);
  }

  async undo(id: string, force: boolean, onProgress: OnProgress): Promise<api.UndoAnswer> {
    return this.#withProgress("/api/undo", { id, force }, (of) => of.api.UndoAnswer, onProgress);
  }

  /** Makes the files of a vault that are missing. */
  async init(lang: Language, demo: boolean): Promise<api.InitAnswer> {
    return this.#post("/api/init", { lang, demo }, (of) => of.api.InitAnswer);
  }

  /** What is there, and what each setting for frontmatter would change. */
  async adoption(): Promise<api.AdoptionAnswer> {
    return this.#get("/api/adopt", (of) => of.api.AdoptionAnswer);
  }

  /** Chooses who gets frontmatter, and does it. */
  async adopt(frontmatter: FrontmatterPolicy, onProgress: OnProgress): Promise<api.AdoptedAnswer> {
    return this.#withProgress(
      "/api/adopt",
      { frontmatter },
      (of) => of.api.AdoptedAnswer,
      onProgress,
    );
  }

  /** Lets go of the old bytes of adoptions. */
  async forgetOld(): Promise<z.infer<typeof api.ForgottenAnswer>> {
    return this.#post("/api/adopt", { forget_old: true }, (of) => of.api.ForgottenAnswer);
  }

  /** The vault and what belongs to it, as a tar archive. */
  backup(): AsyncIterable<Uint8Array> {
    return this.#transport.download({ method: "POST", path: "/api/backup" });
  }

  /** Where something stands that must not exist. */
  async standing(value: string, as: "path" | "text" | null): Promise<StandingAnswer> {
    return this.#post("/api/forget", { value, as, dry_run: true }, (of) => of.StandingAnswer);
  }

  /** Removes it for good. */
  async forget(value: string, as: "path" | "text"): Promise<ForgottenAnswer> {
    return this.#post("/api/forget", { value, as }, (of) => of.ForgottenAnswer);
  }

  /** What is hidden from models. */
  async privates(): Promise<api.PrivateAnswer> {
    return this.#get("/api/private", (of) => of.api.PrivateAnswer);
  }

  /** Hides a path from models, or no longer. */
  async setPrivate(path: string, isPrivate: boolean): Promise<api.PrivateAnswer> {
    const body = { [isPrivate ? "add" : "remove"]: [path] };
    const headers = { ...nameHeader(this.#client), [VOICE_HEADER]: "person" };
    return this.#json(
      { method: "POST", path: "/api/private", body, headers },
      (of) => of.api.PrivateAnswer,
    );
  }

  /** Hands a text over. It is durable when this resolves with its id, and is filed later. */
  async remember(request: RememberRequest, client = this.#client): Promise<string> {
    const { voice = "client" } = request;
    const body = rememberBody(request);
    const headers = { ...nameHeader(client), [VOICE_HEADER]: voice };
    const call = { method: "POST", path: "/api/update", body, headers } as const;
    return (await this.#json(call, (of) => of.AcceptedAnswer)).id;
  }

  /** Answers a preview: all of its changes are made, or none. */
  async decide(id: string, answer: "accept" | "reject"): Promise<UpdateView> {
    return this.#post(`${updatePath(id)}/${answer}`, {}, (of) => of.UpdateAnswer);
  }

  async update(id: string): Promise<UpdateView> {
    return this.#get(updatePath(id), (of) => of.UpdateAnswer);
  }

  /** Reports what an update does, and resolves when it has ended. */
  async follow(id: string, onEvent: OnRunEvent, signal?: AbortSignal): Promise<UpdateView> {
    const call = { method: "GET", path: updatePath(id), ...(signal && { signal }) } as const;
    return this.#run(call, (of) => of.UpdateAnswer, onEvent);
  }

  /** @param signal ends the run, in whichever process it is */
  async recall(question: string, onEvent: OnRunEvent, signal?: AbortSignal): Promise<RecallAnswer> {
    const call = { method: "POST", path: "/api/search", body: { question } } as const;
    const sent = { ...call, isRepeatable: true, ...(signal && { signal }) };
    return this.#run(sent, (of) => of.RecallAnswer, onEvent);
  }

  /** What became of the sources of an answer, given as its text. */
  async verify(answer: string): Promise<Verified> {
    return this.#post("/api/verify", { answer }, (of) => of.Verified);
  }

  /** Looks through the vault for what is untidy, and resolves with what it found. */
  async tidy(onEvent: OnRunEvent, signal?: AbortSignal): Promise<TidyView> {
    const call = { method: "POST", path: "/api/tidy", body: {} } as const;
    return this.#run({ ...call, ...(signal && { signal }) }, (of) => of.TidyAnswer, onEvent);
  }

  /** Switches the daily look on or off. */
  async tidyDaily(daily: boolean): Promise<TidyView> {
    return this.#post("/api/tidy", { daily }, (of) => of.TidyAnswer);
  }

  async inbox(): Promise<readonly InboxItem[]> {
    return (await this.#get("/api/inbox", (of) => of.InboxAnswer)).items;
  }

  async inboxItem(ref: string): Promise<InboxItemText> {
    return this.#get(`/api/inbox/${encodeURIComponent(ref)}`, (of) => of.InboxItemText);
  }

  /** What a client's model needs to file an item. */
  async filingHelp(ref: string): Promise<FilingHelp> {
    return this.#get(`/api/inbox/${encodeURIComponent(ref)}/filing`, (of) => of.FilingHelp);
  }

  /** Files an item as a client's model says: all of it or nothing. */
  async file(ref: string, changes: readonly FilingChange[], client = this.#client): Promise<Filed> {
    const path = `/api/inbox/${encodeURIComponent(ref)}/file`;
    return this.#post(path, { changes }, (of) => of.Filed, client);
  }

  /** Takes back a run that this client caused. */
  async undoOwn(id: string, client = this.#client): Promise<api.UndoAnswer> {
    return this.#post("/api/undo/own", { id }, (of) => of.api.UndoAnswer, client);
  }

  /** Converts a file of this machine and puts it into the vault. */
  async ingest(
    file: NamedBlob,
    fields: Readonly<Record<string, string>>,
    onProgress: (progress: IngestProgress) => void,
  ): Promise<api.IngestAnswer> {
    const headers = nameHeader(this.#client);
    const body = formOf([file], fields);
    const call = { method: "POST", path: "/api/ingest", body, headers } as const;
    const { IngestProgress: Step } = await answerSchemas();
    return this.#stream(
      call,
      (of) => of.api.IngestAnswer,
      (data) => {
        const progress = Step.safeParse(data);
        if (progress.success) onProgress(progress.data);
      },
    );
  }

  /** Compares everything with the disk. */
  async rescan(): Promise<z.infer<typeof api.RescanAnswer>> {
    return this.#post("/api/rescan", undefined, (of) => of.api.RescanAnswer);
  }

  /**
   * Resolves when frontmatter, `tree.md` and index have followed all changes made through the tools.
   * @param isAll also those of other programs, which must be quiet for a moment first
   */
  async settle(isAll = false): Promise<void> {
    const path = `/api/settle${isAll ? "?all=true" : ""}`;
    await this.#ask({ method: "POST", path, isRepeatable: true });
  }

  /** A new link that logs one browser in. */
  async newLink(): Promise<api.Link> {
    return this.#post("/api/link", undefined, (of) => of.api.LinkAnswer);
  }

  /** Asks the owner to leave the vault to this process. `busy` when it does not; else it will be gone soon. */
  async handOver(): Promise<void> {
    await this.#ask({ method: "POST", path: "/api/hand-over" });
  }

  async #ask(call: Call): Promise<Answer> {
    const answer = await this.#transport.ask(call);
    if (answer.status >= 400) throw refusalOf(answer);
    return answer;
  }

  async #get<T>(path: string, schema: SchemaOf<T>): Promise<T> {
    return this.#json({ method: "GET", path }, schema);
  }

  async #post<T>(
    path: string,
    body: unknown,
    schema: SchemaOf<T>,
    client = this.#client,
  ): Promise<T> {
    return this.#json({ method: "POST", path, body, headers: nameHeader(client) }, schema);
  }

  async #json<T>(call: Call, schema: SchemaOf<T>): Promise<T> {
    const { bytes, owner } = await this.#ask(call);
    return parsed(bytes.toString("utf8"), schema(await answerSchemas()), owner);
  }

  async #run<T>(call: Call, schema: SchemaOf<T>, onEvent: OnRunEvent): Promise<T> {
    const { RunEvent } = await answerSchemas();
    return this.#stream(call, schema, (data) => {
      const event = RunEvent.safeParse(data);
      // An event that only a later version knows is skipped.
      if (event.success) onEvent(event.data);
    });
  }

  /** For what takes long with many files. */
  async #withProgress<T>(
    path: string,
    body: unknown,
    schema: SchemaOf<T>,
    onProgress: OnProgress,
  ): Promise<T> {
    const headers = nameHeader(this.#client);
    const { Progress } = await answerSchemas();
    return this.#stream({ method: "POST", path, body, headers }, schema, (data) => {
      const progress = Progress.safeParse(data);
      if (progress.success) onProgress(progress.data.done, progress.data.total);
    });
  }

  /** Passes events on until the answer. */
  async #stream<T>(call: Call, schema: SchemaOf<T>, onEvent: (data: unknown) => void): Promise<T> {
    for await (const { name, data } of this.#transport.listen(call)) {
      if (name === "answer") return parsed(data, schema(await answerSchemas()));
      if (name === "problem") throw problemOf(data);
      if (name !== "open") onEvent(JSON.parse(data));
    }
    throw new ExpectedError("unavailable", "The service ended before it answered; try again.");
  }
}

function updatePath(id: string): string {
  return `/api/updates/${encodeURIComponent(id)}`;
}

function nameHeader(client: string): Readonly<Record<string, string>> {
  return { [CLIENT_HEADER]: encodeURIComponent(client) };
}
