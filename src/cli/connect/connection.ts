import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";

import { ExpectedError } from "../../errors.ts";
import type { McpProfile } from "../../server/mcp/mcp-server.ts";
import { commandLine } from "../system/shell-quote.ts";
import { findClientFile, writeClientFile } from "./client-file.ts";
import { clientCalled, configFile, type Client, type Entry, type Scope } from "./clients.ts";
import type { Machine } from "./machine.ts";
import { renewed } from "./keeping.ts";
import { serverName, vaultOfEntry, type Launch } from "./launch.ts";
import { CannotMerge, merge, type ConfigFormat, type Merged, type Placement } from "./merge.ts";

/** What was asked for. */
export interface ConnectionRequest {
  readonly client: string;
  readonly profile: McpProfile;
  readonly scope: Scope;
  /** Another file than the client's own, by its absolute path. */
  readonly file: string | undefined;
  readonly launch: Launch;
}

/** How one client comes to a vault. */
export interface Connection {
  readonly client: Client;
  readonly scope: Scope;
  readonly file: string;
  readonly format: ConfigFormat;
  readonly placement: Placement;
  /** The client's own command for it; null where it has none, or where it would write to another file. */
  readonly command: string | null;
}

export async function connectionFor(
  { client: id, profile, scope, file, launch }: ConnectionRequest,
  machine: Machine,
): Promise<Connection> {
  const client = clientCalled(id);
  const name = serverName(profile);
  const entry: Entry = client.entryOf?.(launch, name) ?? { ...launch };
  const server = { name, entry };
  const own = { ...server, launch };
  const words = file === undefined ? client.ownCommand?.(own, scope, machine) : null;
  return {
    client,
    scope,
    file: file ?? configFile(client, scope, machine),
    format: await formatOf(client),
    placement: { servers: client.servers, ...server },
    command: words ? commandLine(words, machine.platform) : null,
  };
}

/** Loaded when needed: the parsers are of no use to other commands. */
async function formatOf({ format }: Client): Promise<ConfigFormat> {
  if (format === "json") return (await import("./json-format.ts")).jsonFormat;
  if (format === "toml") return (await import("./toml-format.ts")).tomlFormat;
  return (await import("./yaml-format.ts")).yamlFormat;
}

export interface Outcome {
  readonly outcome: "created" | "added" | "replaced" | "unchanged";
  /** Where the file as it was is kept; null when nothing was there to keep. */
  readonly backup: string | null;
  /** What the file says of it now. */
  readonly entry: Entry;
  /** What a person had added to it, and still stands. */
  readonly kept?: readonly string[];
  /** Settings of what stood there and did not start coffre. */
  readonly lost?: readonly string[];
  /** Another vault that the same name led to before. */
  readonly vaultBefore?: string;
}

/** Lists the server in the client's file. */
export function putInPlace(connection: Connection): Outcome {
  const { file, placement } = connection;
  const found = findClientFile(file);
  const { text, previous } = mergeInto(found?.bytes ?? new Uint8Array(), connection);
  const { entry, kept, lost } = renewed(previous, placement.entry);
  if (isDeepStrictEqual(previous, entry)) return { outcome: "unchanged", backup: null, entry };
  const backup = writeClientFile(file, found, text);
  if (found === null) return { outcome: "created", backup, entry };
  if (previous === undefined) return { outcome: "added", backup, entry };
  const before = vaultOfEntry(previous);
  const isOther = before !== undefined && before !== vaultOfEntry(placement.entry);
  return {
    outcome: "replaced",
    backup,
    entry,
    ...(isOther ? { vaultBefore: before } : {}),
    ...(kept.length === 0 ? {} : { kept }),
    ...(lost.length === 0 ? {} : { lost }),
  };
}

function mergeInto(bytes: Uint8Array, { file, placement, format }: Connection): Merged {
  try {
    return merge(decoded(bytes), placement, format);
  } catch (error) {
    if (!(error instanceof CannotMerge)) throw error;
    throw new ExpectedError(
      "conflict",
      `${file} was not changed: ${error.message}. Correct it and run this again, or add this by hand:\n\n${format.render(placement).trimEnd()}`,
      { cause: error },
    );
  }
}

function decoded(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new CannotMerge("it is not UTF-8 text");
  return Buffer.from(bytes).toString("utf8");
}

/** What to do with the configuration that is printed after it. */
export function beforeSnippet({ client, file, command }: Connection, vault: string): string {
  const opening = `To give ${client.title} the vault ${vault}`;
  const into = `put this into ${file}, which --write does for you:\n\n`;
  return command === null ? `${opening}, ${into}` : `${opening}, run:\n\n${command}\n\nOr ${into}`;
}

export function afterSnippet({ client, scope, placement }: Connection): string {
  return [
    "",
    "The paths are absolute because clients may start programs without your PATH.",
    ...sharingNote(scope),
    client.next(placement.name),
  ].join("\n");
}

export function outcomeText(
  { client, scope, file, placement: { name } }: Connection,
  { outcome, backup, vaultBefore, kept = [], lost = [] }: Omit<Outcome, "entry">,
  vault: string,
): string {
  if (outcome === "unchanged") {
    return `Nothing to do: ${file} has ${name} already, for the vault ${vault}.`;
  }
  const done = {
    created: `Made ${file} with ${name}, for the vault ${vault}.`,
    added: `Added ${name} to ${file}, for the vault ${vault}.`,
    replaced: `Replaced ${name} in ${file}; it is for the vault ${vault} now.`,
  }[outcome];
  return [
    done,
    ...(vaultBefore === undefined ? [] : [`Before, it was for the vault ${vaultBefore}.`]),
    ...(kept.length === 0 ? [] : [`Kept of what stood there: ${kept.join(", ")}`]),
    ...(lost.length === 0
      ? []
      : [`What stood there did not start coffre mcp; gone with it: ${lost.join(", ")}`]),
    ...(backup === null ? [] : [`The file as it was: ${backup}`]),
    ...sharingNote(scope),
    client.next(name),
  ].join("\n");
}

/** Such a file is often shared with others. */
function sharingNote(scope: Connection["scope"]): string[] {
  return scope === "project" ? ["It names folders of this machine: better not commit it."] : [];
}
