import type { Server } from "@modelcontextprotocol/server";

import { ExpectedError } from "../../errors.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import type { FileChanges } from "../api/contract.ts";
import type { McpOptions } from "./mcp-server.ts";

/** Milliseconds. Clients list everything again after a notification: at most once a second. */
const LIST_INTERVAL = 1000;

/** Notifies the client of one server about files that change. */
export class ResourceNotifications {
  readonly #server: Server;
  readonly #tells: McpOptions["tells"];
  /** URIs as the client wrote them, by their paths. */
  readonly #subscribed = new Map<string, string>();
  #listTimer: NodeJS.Timeout | null = null;

  constructor(server: Server, { vault, tells }: Pick<McpOptions, "vault" | "tells">) {
    this.#server = server;
    this.#tells = tells;
    if (tells === "nothing") return;
    const stop = vault.onChanged((changes) => this.#onChanges(changes));
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

  #onChanges(changes: FileChanges | null): void {
    if (changes === null || changes.created.length + changes.gone.length > 0) this.#notifyList();
    for (const uri of this.#urisFor(changes)) {
      // The client may have disconnected.
      this.#server.sendResourceUpdated({ uri }).catch(() => {});
    }
  }

  /** The URIs to notify the client about. */
  #urisFor(changes: FileChanges | null): Iterable<string> {
    if (changes === null) return this.#subscribed.values();
    const paths = [...changes.changed, ...changes.gone];
    if (this.#tells === "everything") return paths.map((path) => resourceUri(path));
    return paths
      .map((path) => this.#subscribed.get(path))
      .filter((uri): uri is string => uri !== undefined);
  }

  #notifyList(): void {
    this.#listTimer ??= setTimeout(() => {
      this.#listTimer = null;
      this.#server.sendResourceListChanged().catch(() => {});
    }, LIST_INTERVAL).unref();
  }
}

function pathOf(uri: string): string {
  return showPath(parsePath(resourcePath(uri)).path);
}

const SCHEME = "vault:///";

/** A file as a resource: `vault:///projects/x/state.md` for `vault/projects/x/state.md`. */
export function resourceUri(shownPath: string): string {
  const names = shownPath.replace(/^vault\//u, "").split("/");
  return SCHEME + names.map((name) => encodeURIComponent(name)).join("/");
}

/** The path, as `vault/…`, that a resource names. */
export function resourcePath(uri: string): string {
  if (!uri.startsWith(SCHEME)) throw noResource(uri);
  try {
    return `vault/${decodeURIComponent(uri.slice(SCHEME.length))}`;
  } catch {
    throw noResource(uri);
  }
}

function noResource(uri: string): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `${JSON.stringify(uri)} is not the URI of a file here. One looks like ${SCHEME}projects/NAME/state.md, percent-encoded where needed.`,
  );
}
