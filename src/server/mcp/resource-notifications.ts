import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";

import { parsePath, showPath } from "../../vault/paths.ts";
import type { FileChanges } from "../api/contract.ts";
import { protocolError } from "./mcp-errors.ts";
import type { McpOptions } from "./mcp-server.ts";

/** Milliseconds. Clients list everything again after a notification: at most once a second. */
const LIST_INTERVAL = 1000;

/**
 * Notifies the client of a server about files that change, and lets it choose which ones.
 * @returns begins to follow changes, which opens the vault: at the first request for files or tools, as clients that only greet a server need none.
 * Since 2026 the library has the subscriptions, so changes are followed at once.
 */
export function serveSubscriptions(
  server: Server,
  { vault, tells, onBug }: Pick<McpOptions, "vault" | "tells" | "onBug">,
): () => void {
  /** URIs as the client wrote them, by their paths. */
  const subscribed = new Map<string, string>();

  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    subscribed.set(checkedPath(uri, "resources/subscribe", onBug), uri);
    begin();
    return {};
  });

  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscribed.delete(checkedPath(uri, "resources/unsubscribe", onBug));
    return {};
  });

  let listTimer: NodeJS.Timeout | undefined;
  const notifyList = (): void => {
    listTimer = undefined;
    server.sendResourceListChanged().catch(() => {});
  };
  const urisFor = (changes: FileChanges | null): Iterable<string> => {
    if (changes === null) return subscribed.values();
    const paths = [...changes.changed, ...changes.gone];
    if (tells === "everything") return paths.map((path) => resourceUri(path));
    return paths.flatMap((path) => subscribed.get(path) ?? []);
  };
  let stop: (() => void) | null = null;
  const follow = (changes: FileChanges | null): void => {
    if (changes === null || changes.created.length + changes.gone.length > 0) {
      listTimer ??= setTimeout(notifyList, LIST_INTERVAL).unref();
    }
    for (const uri of urisFor(changes)) {
      // The client may have disconnected.
      server.sendResourceUpdated({ uri }).catch(() => {});
    }
  };
  const begin = (): void => {
    if (tells !== "nothing") stop ??= vault.onChanged(follow);
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server has no other way to be listened to
  server.onclose = () => {
    stop?.();
    clearTimeout(listTimer);
  };
  if (tells === "everything") begin();
  return begin;
}

/** A URI of something else is the caller's mistake, not ours. */
function checkedPath(uri: string, asked: string, onBug: McpOptions["onBug"]): string {
  try {
    return showPath(parsePath(resourcePath(uri)).path);
  } catch (error) {
    throw protocolError(error, asked, onBug);
  }
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

function noResource(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(
    uri,
    `${JSON.stringify(uri)} is not the URI of a file here. One looks like ${SCHEME}projects/NAME/state.md, percent-encoded where needed.`,
  );
}
