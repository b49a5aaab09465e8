import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import type { z } from "zod";

import {
  InboxItemText,
  RecallAnswer,
  RunEvent,
  type InboxItem,
  type OnRunEvent,
} from "../../agents/contract.ts";
import { ExpectedError } from "../../errors.ts";
import type { OwnerInfo } from "../../jobs/owner/owner-lock.ts";
import { refusal, type CallResult } from "../../tools/call.ts";
import type { Profile } from "../../tools/define.ts";
import {
  AcceptedAnswer,
  InboxAnswer,
  UpdateAnswer,
  type UpdateView,
} from "../api/agent-contract.ts";
import {
  EntryAtAnswer,
  FileChanges,
  FilesAnswer,
  HistoryAnswer,
  HistoryDetailAnswer,
  IngestAnswer,
  IngestProgress,
  InitAnswer,
  LinkAnswer,
  RescanAnswer,
  StatusAnswer,
  ToolAnswer,
  UndoAnswer,
  VaultAnswer,
  type EntryAt,
  type FileBytes,
  type FilePage,
  type HistoryDetail,
  type HistoryItem,
  type Link,
  type Status,
  type VaultSummary,
} from "../api/contract.ts";
import { CALLERS, CLIENT_HEADER, CONNECTION_HEADER } from "../http/request.ts";
import {
  OwnerGoneError,
  otherVersion,
  problemOf,
  refusalOf,
  type Answer,
  type Call,
  type Transport,
} from "./transport.ts";

export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly profile: Profile;
  /** Who calls, for the history; the name of the client object when left out. */
  readonly client?: string;
  /** What `search` and `tree` may show; all there is when left out. */
  readonly maxTokens?: number;
  /** It changes nothing, so it may be sent again when the service ended without an answer. */
  readonly isRepeatable?: boolean;
}

/** Null: anything may have changed. */
export type ChangeListener = (changes: FileChanges | null) => void;

/** A text to remember, with files of this machine that belong to it. */
export interface RememberRequest {
  readonly content: string;
  readonly files?: readonly NamedBlob[];
  readonly inboxRef?: string | null;
  /** The text of the files is the person's own. */
  readonly trust?: boolean;
}

export interface NamedBlob {
  readonly name: string;
  readonly blob: Blob;
}

/** Milliseconds between two attempts to follow the events of a service that ended. */
const RECONNECT_DELAY = 50;

export interface VaultClientOptions {
  /** Who calls, for the history. */
  readonly client?: string;
  /** One session for all calls of this client object; false when clients are told apart by their names alone. */
  readonly hasSession?: boolean;
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
    { client = CALLERS.cli, hasSession = true }: VaultClientOptions = {},
  ) {
    this.#transport = transport;
    this.#client = client;
    this.#connection = hasSession ? randomUUID() : undefined;
  }

  async callTool(call: ToolCall): Promise<CallResult> {
    const { name, args, profile, client = this.#client, maxTokens, isRepeatable = false } = call;
    const connection = this.#connection;
    const request = { name, args: args ?? {}, profile, client, connection, mostTokens: maxTokens };
    const direct = (await this.#transport.callTool?.(request)) ?? null;
    if (direct !== null) return direct;
    const bound = maxTokens === undefined ? "" : `&max_tokens=${maxTokens}`;
    const path = `/api/tools/${encodeURIComponent(name)}?profile=${profile}${bound}`;
    const session = connection === undefined ? {} : { [CONNECTION_HEADER]: connection };
    const headers = { ...nameHeader(client), ...session };
    try {
      const sent = { method: "POST", path, body: request.args, headers, isRepeatable } as const;
      return await this.#json(sent, ToolAnswer);
    } catch (error) {
      const isUnknown = error instanceof OwnerGoneError && error.wasAsked && !isRepeatable;
      if (isUnknown) return unanswered(name, error);
      throw error;
    }
  }

  async status(): Promise<Status> {
    return this.#get("/api/status", StatusAnswer);
  }

  async vault(): Promise<VaultSummary> {
    return this.#get("/api/vault", VaultAnswer);
  }

  /** What is at a path, and the names in it when it is a folder. */
  async entryAt(path: string): Promise<EntryAt> {
    return this.#get(`/api/entry?path=${encodeURIComponent(path)}`, EntryAtAnswer);
  }

  /** @param after the `next` of the page before; null for the first */
  async listFiles(after: string | null): Promise<FilePage> {
    const query = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    return this.#get(`/api/files${query}`, FilesAnswer);
  }

  /** @param maxBytes a larger file is refused with `too_large` */
  async readFile(path: string, maxBytes: number): Promise<FileBytes> {
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
    void this.#followChanges(listener, stopped.signal);
    return () => stopped.abort();
  }

  async history(path: string | null, limit: number): Promise<HistoryItem[]> {
    const named = path === null ? "" : `&path=${encodeURIComponent(path)}`;
    return this.#get(`/api/history?limit=${limit}${named}`, HistoryAnswer);
  }

  /** The entries that an id names, with the content of their changes. */
  async historyDetail(id: string): Promise<HistoryDetail[]> {
    return this.#get(`/api/history/${encodeURIComponent(id)}`, HistoryDetailAnswer);
  }

  async undo(id: string, force: boolean): Promise<UndoAnswer> {
    return this.#post("/api/undo", { id, force }, UndoAnswer);
  }

  /** Makes the files of a vault that are missing. */
  async init(body: { readonly lang: "en" | "fr"; readonly demo: boolean }): Promise<InitAnswer> {
    return this.#post("/api/init", body, InitAnswer);
  }

  /** Hands a text over. It is durable when this resolves with its id, and is filed later. */
  async remember(request: RememberRequest, client = this.#client): Promise<string> {
    const { content, files = [], inboxRef = null, trust = false } = request;
    const body =
      files.length === 0
        ? { content, inbox_ref: inboxRef }
        : formOf(files, {
            content,
            ...(inboxRef === null ? {} : { inbox_ref: inboxRef }),
            ...(trust ? { trust: "true" } : {}),
          });
    return (await this.#post("/api/update", body, AcceptedAnswer, client)).id;
  }

  async update(id: string): Promise<UpdateView> {
    return this.#get(updatePath(id), UpdateAnswer);
  }

  /** Reports what an update does, and resolves when it has ended. */
  async follow(id: string, onEvent: OnRunEvent): Promise<UpdateView> {
    return this.#run({ method: "GET", path: updatePath(id) }, UpdateAnswer, onEvent);
  }

  async recall(question: string, onEvent: OnRunEvent): Promise<RecallAnswer> {
    const call = { method: "POST", path: "/api/search", body: { question } } as const;
    return this.#run({ ...call, isRepeatable: true }, RecallAnswer, onEvent);
  }

  async inbox(): Promise<readonly InboxItem[]> {
    return (await this.#get("/api/inbox", InboxAnswer)).items;
  }

  async inboxItem(ref: string): Promise<InboxItemText> {
    return this.#get(`/api/inbox/${encodeURIComponent(ref)}`, InboxItemText);
  }

  /** Converts a file of this machine and puts it into the vault. */
  async ingest(
    file: NamedBlob,
    fields: Readonly<Record<string, string>>,
    onProgress: (progress: IngestProgress) => void,
  ): Promise<IngestAnswer> {
    const headers = nameHeader(this.#client);
    const body = formOf([file], fields);
    const call = { method: "POST", path: "/api/ingest", body, headers } as const;
    return this.#stream(call, IngestAnswer, (data) => {
      const progress = IngestProgress.safeParse(data);
      if (progress.success) onProgress(progress.data);
    });
  }

  /** Compares everything with the disk. */
  async rescan(): Promise<{ readonly changed: number; readonly gone: number }> {
    return this.#post("/api/rescan", undefined, RescanAnswer);
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
  async newLink(): Promise<Link> {
    return this.#post("/api/link", undefined, LinkAnswer);
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

  async #get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return this.#json({ method: "GET", path }, schema);
  }

  async #post<T>(
    path: string,
    body: unknown,
    schema: z.ZodType<T>,
    client = this.#client,
  ): Promise<T> {
    return this.#json({ method: "POST", path, body, headers: nameHeader(client) }, schema);
  }

  async #json<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
    const { bytes, owner } = await this.#ask(call);
    return parsed(bytes.toString("utf8"), schema, owner);
  }

  async #run<T>(call: Call, schema: z.ZodType<T>, onEvent: OnRunEvent): Promise<T> {
    return this.#stream(call, schema, (data) => {
      const event = RunEvent.safeParse(data);
      // An event that only a later version knows is skipped.
      if (event.success) onEvent(event.data);
    });
  }

  /** Passes events on until the answer. */
  async #stream<T>(call: Call, schema: z.ZodType<T>, onEvent: (data: unknown) => void): Promise<T> {
    for await (const { name, data } of this.#transport.listen(call)) {
      if (name === "answer") return parsed(data, schema);
      if (name === "problem") throw problemOf(data);
      if (name !== "open") onEvent(JSON.parse(data));
    }
    throw new ExpectedError("unavailable", "The service ended before it answered; try again.");
  }

  async #followChanges(listener: ChangeListener, signal: AbortSignal): Promise<void> {
    const call = { method: "GET", path: "/api/events", signal, isRepeatable: false } as const;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        for await (const { name, data } of this.#transport.listen(call)) {
          if (name === "file") listener(FileChanges.safeParse(JSON.parse(data)).data ?? null);
          else if (name === "resync" || (name === "open" && !isFirst)) listener(null);
        }
      } catch (error) {
        // A transport without another owner to turn to has nothing more to report.
        if (!(error instanceof OwnerGoneError)) return;
      }
      await pause(RECONNECT_DELAY, undefined, { ref: false });
    }
  }
}

function updatePath(id: string): string {
  return `/api/updates/${encodeURIComponent(id)}`;
}

function nameHeader(client: string): Readonly<Record<string, string>> {
  return { [CLIENT_HEADER]: encodeURIComponent(client) };
}

function formOf(files: readonly NamedBlob[], fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const { name, blob } of files) form.append("file", blob, name);
  return form;
}

function parsed<T>(text: string, schema: z.ZodType<T>, owner?: OwnerInfo): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw otherVersion(error, owner);
  }
}

function unanswered(name: string, error: OwnerGoneError): CallResult {
  const advice = `Whether ${name} was done is not known: look before you call it again. The vault is served again now.`;
  return refusal(
    error.code,
    `The process that served the vault ended before it answered. ${advice}`,
  );
}
