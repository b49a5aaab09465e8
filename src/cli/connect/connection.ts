import type { ClientProfile } from "../table/profile-option.ts";
import { clientCalled, configFile, entryFor, type Client, type Scope } from "./clients.ts";
import { commandLine } from "./command-line.ts";
import { serverName, type Launch } from "./launch.ts";
import type { Machine } from "./machine.ts";
import type { ConfigFormat, Placement } from "./merge.ts";

/** What was asked for. */
export interface ConnectionRequest {
  readonly client: string;
  readonly profile: ClientProfile;
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
  const server = { name: serverName(profile), entry: entryFor(client, launch) };
  const words = file === undefined ? client.ownCommand?.(server, scope, machine) : null;
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
  return format === "json"
    ? (await import("./json-format.ts")).jsonFormat
    : (await import("./toml-format.ts")).tomlFormat;
}
