import { findOwner } from "../../jobs/owner/owner-lock.ts";
import type { CallResult } from "../../tools/call.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";
import {
  CLIENT_HEADER,
  CONNECTION_HEADER,
  FilesAnswer,
  LinkAnswer,
  RescanAnswer,
  StatusAnswer,
  ToolAnswer,
  type Link,
  type Status,
} from "../api/contract.ts";
import { FileChangesEvent } from "../api/file-changes.ts";
import { OwnerConnection } from "./owner-connection.ts";
import type { ToolCall } from "../api/tool-calls.ts";
import type { ChangeListener } from "./vault-access.ts";
import type { FileBytes, FilePage } from "../api/vault-files.ts";

/** An owner that lives answers at once; one that hangs must not hang a command too. */
const PATIENCE = 5000;

/**
 * The process that owns a vault, from another process. Every method throws {@link OwnerGoneError} when it ends meanwhile, and
 * the owner's own refusals as they are.
 */
export interface OwnerClient extends Pick<OwnerConnection, "owner" | "ask" | "listen" | "close"> {
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

class SocketClient extends OwnerConnection implements OwnerClient {
  async ping(patience: number): Promise<void> {
    const signal = AbortSignal.timeout(patience);
    await this.askBytes({ method: "GET", path: "/api/alive", signal });
  }

  async status(): Promise<Status> {
    return this.ask({ method: "GET", path: "/api/status" }, StatusAnswer);
  }

  async callTool(call: ToolCall, connection?: string): Promise<CallResult> {
    const { name, args, profile, client, mostTokens } = call;
    const bound = mostTokens === undefined ? "" : `&max_tokens=${mostTokens}`;
    const path = `/api/tools/${encodeURIComponent(name)}?profile=${profile}${bound}`;
    const headers = {
      [CLIENT_HEADER]: encodeURIComponent(client),
      ...(connection === undefined ? {} : { [CONNECTION_HEADER]: connection }),
    };
    return this.ask({ method: "POST", path, body: args ?? {}, headers }, ToolAnswer);
  }

  async listFiles(after: string | null): Promise<FilePage> {
    const query = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    return this.ask({ method: "GET", path: `/api/files${query}` }, FilesAnswer);
  }

  async readFile(path: string): Promise<FileBytes> {
    const asked = `/api/raw?path=${encodeURIComponent(path)}`;
    const { type, bytes } = await this.askBytes({ method: "GET", path: asked });
    const [mimeType = ""] = type.split(";", 1);
    return { mimeType, isText: mimeType.startsWith("text/"), bytes };
  }

  onChanged(listener: ChangeListener): () => void {
    const stopped = new AbortController();
    this.#hear(listener, stopped.signal).catch(() => {});
    return () => stopped.abort();
  }

  /** Until the owner is gone, of which others tell. */
  async #hear(listener: ChangeListener, signal: AbortSignal): Promise<void> {
    const events = this.listen({ method: "GET", path: "/api/events", signal });
    for await (const { name, data } of events) {
      if (name === "file") listener(FileChangesEvent.safeParse(JSON.parse(data)).data ?? null);
      else if (name === "resync") listener(null);
    }
  }

  async changed(paths: readonly VaultPath[]): Promise<void> {
    const body = { paths: paths.map((each) => showPath(each)) };
    await this.askBytes({ method: "POST", path: "/api/changed", body });
  }

  async rescan(): ReturnType<OwnerClient["rescan"]> {
    return this.ask({ method: "POST", path: "/api/rescan" }, RescanAnswer);
  }

  async newLink(): Promise<Link> {
    return this.ask({ method: "POST", path: "/api/link" }, LinkAnswer);
  }

  async handOver(): Promise<void> {
    await this.askBytes({ method: "POST", path: "/api/hand-over" });
  }
}
