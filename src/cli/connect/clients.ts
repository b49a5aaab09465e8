import { UsageError } from "../table/command.ts";
import type { Launch } from "./launch.ts";
import {
  inHome,
  inProject,
  pathOn,
  settingsFolder,
  variable,
  type FileOn,
  type Machine,
} from "./machine.ts";
import { otherClients } from "./other-clients.ts";
import type { Settings } from "./settings.ts";

/** `user` is for everything this person does in the client, `project` for the folder it is opened in. */
export type Scope = "user" | "project";

/** A program that can use the tools, and how it is configured. */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly format: "json" | "toml" | "yaml";
  /** The key under which its file lists the servers. */
  readonly servers: string;
  readonly files: { readonly user: FileOn; readonly project?: FileOn };
  /** What its file says of a server, where that is more than the command and its arguments. */
  readonly entryOf?: (launch: Launch, name: string) => Entry;
  /** The words of its own command for this; null where it has none. */
  readonly ownCommand?: (
    server: Server & { readonly launch: Launch },
    scope: Scope,
    machine: Machine,
  ) => string[] | null;
  /** What is left to do when its file is written. */
  readonly next: (name: string) => string;
}

export interface Server {
  readonly name: string;
  readonly entry: Entry;
}

/** What a client's file says of a server. */
export type Entry = Settings;

export type ClientFacts = Omit<Client, "id">;

const typed = (launch: Launch): Entry => ({ type: "stdio", ...launch });

const clients: Readonly<Record<string, ClientFacts>> = {
  "claude-code": {
    title: "Claude Code",
    format: "json",
    servers: "mcpServers",
    files: {
      user: (machine) =>
        pathOn(machine, variable(machine, "CLAUDE_CONFIG_DIR") ?? machine.home, ".claude.json"),
      project: inProject(".mcp.json"),
    },
    entryOf: typed,
    ownCommand: ({ name, launch: { command, args } }, scope) =>
      // Its options come before the name; what comes after the dashes is ours.
      ["claude", "mcp", "add", "--scope", scope, name, "--", command, ...args],
    next: (name) => `Start a new session of Claude Code; /mcp shows ${name} there.`,
  },
  "claude-desktop": {
    title: "Claude Desktop",
    format: "json",
    servers: "mcpServers",
    files: { user: claudeDesktopFile },
    // While it runs it may overwrite the file from memory, without what was added.
    next: (name) =>
      `Quit Claude Desktop completely and start it again. If ${name} is missing, write it again while Claude Desktop is closed.`,
  },
  cursor: {
    title: "Cursor",
    format: "json",
    servers: "mcpServers",
    files: {
      user: inHome(".cursor", "mcp.json"),
      project: inProject(".cursor", "mcp.json"),
    },
    next: (name) => `Restart Cursor. If ${name} is off in its MCP settings, switch it on.`,
  },
  vscode: {
    title: "VS Code",
    format: "json",
    servers: "servers",
    files: {
      user: (machine) => pathOn(machine, settingsFolder(machine), "Code", "User", "mcp.json"),
      project: inProject(".vscode", "mcp.json"),
    },
    entryOf: typed,
    ownCommand: ({ name, entry }, scope, { platform }) =>
      // It writes to the user's file only. The shells of Windows do not agree on how to quote JSON.
      scope === "user" && platform !== "win32"
        ? ["code", "--add-mcp", JSON.stringify({ name, ...entry })]
        : null,
    next: (name) => `In VS Code, run "MCP: List Servers" and start ${name}.`,
  },
  codex: {
    title: "Codex",
    format: "toml",
    servers: "mcp_servers",
    files: {
      user: (machine) => pathOn(machine, codexFolder(machine), "config.toml"),
      project: inProject(".codex", "config.toml"),
    },
    ownCommand: ({ name, launch: { command, args } }, scope) =>
      scope === "user" ? ["codex", "mcp", "add", name, "--", command, ...args] : null,
    next: (name) => `Start a new session of Codex; /mcp shows ${name} there.`,
  },
  ...otherClients,
};

export const clientNames: readonly string[] = Object.keys(clients);

export function clientCalled(id: string): Client {
  const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
  if (client === undefined) throw new UsageError(`There is no client ${JSON.stringify(id)}.`);
  return { id, ...client };
}

/** The file where a client looks for servers. */
export function configFile({ title, files }: Client, scope: Scope, machine: Machine): string {
  const file = files[scope];
  if (file === undefined)
    throw new UsageError(`${title} has no ${scope} files; leave out --scope.`);
  return file(machine);
}

function codexFolder(machine: Machine): string {
  return variable(machine, "CODEX_HOME") ?? pathOn(machine, machine.home, ".codex");
}

/** Installed from the store or its present installer, on Windows, it sees a folder of its own in place of the usual one. */
function claudeDesktopFile(machine: Machine): string {
  const { platform, home, exists } = machine;
  const local = variable(machine, "LOCALAPPDATA") ?? pathOn(machine, home, "AppData", "Local");
  const packaged = pathOn(machine, local, "Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming");
  const folder = platform === "win32" && exists(packaged) ? packaged : settingsFolder(machine);
  return pathOn(machine, folder, "Claude", "claude_desktop_config.json");
}
