import type { Server } from "@modelcontextprotocol/server";

import { showPath, parsePath } from "../../vault/paths.ts";
import type { FileChanges } from "../api/file-changes.ts";
import type { McpOptions } from "./mcp-server.ts";
import { resourcePath, resourceUri } from "./resource-uri.ts";

/** Milliseconds. Clients list everything again when they are told that the list is another: not at every note that is saved. */
const BETWEEN_LISTS = 1000;

/** Tells the client of one server about files that change. */
export class ResourceNews {
  readonly #server: Server;
  readonly #tells: McpOptions["tells"];
  /** Addresses as the client wrote them, by the paths they name. */
  readonly #subscribed = new Map<string, string>();
  #listTimer: NodeJS.Timeout | null = null;

  constructor(server: Server, { vault, tells }: Pick<McpOptions, "vault" | "tells">) {
    this.#server = server;
    this.#tells = tells;
    if (tells === "nothing") return;
    const stop = vault.onChanged((changes) => this.#heard(changes));
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server has no other way to be listened to
    server.onclose = () => {
      stop();
      if (this.#listTimer !== null) clearTimeout(this.#listTimer);
    };
  }

  subscribe(uri: string): void {
    this.#subscribed.set(pathOf(uri), uri);
  }

  unsubscribe(uri: string): void {
    this.#subscribed.delete(pathOf(uri));
  }

  #heard(changes: FileChanges | null): void {
    if (changes === null || changes.created.length + changes.gone.length > 0) this.#tellList();
    for (const uri of this.#concerned(changes)) {
      // A client that is gone need not be told.
      this.#server.sendResourceUpdated({ uri }).catch(() => {});
    }
  }

  /** Which addresses the client is told of. */
  #concerned(changes: FileChanges | null): Iterable<string> {
    if (changes === null) return this.#subscribed.values();
    const paths = [...changes.changed, ...changes.gone];
    if (this.#tells === "everything") return paths.map((path) => resourceUri(path));
    return paths
      .map((path) => this.#subscribed.get(path))
      .filter((uri): uri is string => uri !== undefined);
  }

  #tellList(): void {
    this.#listTimer ??= setTimeout(() => {
      this.#listTimer = null;
      this.#server.sendResourceListChanged().catch(() => {});
    }, BETWEEN_LISTS).unref();
  }
}

function pathOf(uri: string): string {
  return showPath(parsePath(resourcePath(uri)).path);
}
