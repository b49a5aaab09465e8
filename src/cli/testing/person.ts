import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { z } from "zod";

import { field, mainFile, temporaryPlace, type Ran } from "./cli.ts";

/** A person with a home folder, a vault, and `coffre connect`. */
export interface Person {
  /** Holds all of theirs. */
  readonly base: string;
  readonly home: string;
  readonly vault: string;
  readonly state: string;
  readonly connect: (...argv: string[]) => Promise<Ran>;
  /** The file of a client. */
  readonly fileOf: (client: string) => Promise<string>;
}

export function person(): Person {
  const { root, state, run } = temporaryPlace({ "a.md": "The pump in the cellar\n" });
  const base = path.dirname(root);
  const home = path.join(base, "home");
  mkdirSync(home);
  const connect = async (...argv: string[]): Promise<Ran> =>
    run(["connect", ...argv], { environment: { HOME: home, USERPROFILE: home } });
  const fileOf = async (client: string): Promise<string> =>
    field(JSON.parse((await connect(client, "--json")).stdout), "file");
  return { base, home, vault: root, state, connect, fileOf };
}

/** Puts a file where a client looks for it. */
export async function withFile({ fileOf }: Person, client: string, text: string): Promise<string> {
  const file = await fileOf(client);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

export function read(file: string): string {
  return readFileSync(file, "utf8");
}

export function parsed(file: string): unknown {
  const text = read(file);
  if (file.endsWith(".toml")) return parseToml(text);
  return file.endsWith(".yaml") ? parseYaml(text) : JSON.parse(text);
}

/** The key under which a client lists servers. */
export function serversOf(client: string): string {
  return SERVERS[client] ?? "mcpServers";
}

const SERVERS: Readonly<Record<string, string>> = {
  vscode: "servers",
  codex: "mcp_servers",
  opencode: "mcp",
  zed: "context_servers",
  goose: "extensions",
};

const Servers = z.record(z.string(), z.record(z.string(), z.unknown()));

/** The servers that a client's file lists. */
export function serversIn(file: string, client: string): z.infer<typeof Servers> {
  return Servers.parse(z.looseObject({}).parse(parsed(file))[serversOf(client)]);
}

/** The arguments that a client starts a server with; some have the command in the same list. */
export function wordsIn(server: Readonly<Record<string, unknown>>): unknown[] {
  const { args, command } = server;
  return z.array(z.unknown()).parse(Array.isArray(args) ? args : command);
}

/** A client's file that lists these servers and says nothing else. */
export function fileListing(client: string, servers: object): string {
  const settings = { [serversOf(client)]: servers };
  const extension = extensionOf(client);
  if (extension === "json") return JSON.stringify(settings);
  return extension === "toml" ? stringifyToml(settings) : stringifyYaml(settings);
}

/** How the name of a client's file ends. */
export function extensionOf(client: string): "toml" | "yaml" | "json" {
  if (client === "codex") return "toml";
  return client === "goose" ? "yaml" : "json";
}

/** A file that a person wrote: other servers, comments, odd indentation. A server is added at the place of `@`. */
export function lived(client: string): string {
  const text = LIVED[extensionOf(client)].replace("SERVERS", serversOf(client));
  return text.replaceAll("\n", "\r\n");
}

const LIVED_JSON = `{ // of this client
   "theme":  "dark", /* mine */
   "SERVERS": {
      "other": {"command": "y",
 "args": []}, // odd@
   },
   "last": [1,  2]
}`;

const LIVED_TOML = `model = "x"   # odd

[mcp_servers.other]
command = 'y' # mine
args = [
   "z",
]
# the end
@`;

const LIVED_YAML = `# of this client
theme:  dark # mine
SERVERS:
    other:
        cmd: y   # odd
        args: [ 'a',  b ] # last@
# the end
last: [1,  2]
`;

const LIVED = { json: LIVED_JSON, toml: LIVED_TOML, yaml: LIVED_YAML } as const;

/** Runs `coffre connect` as a program of its own, in another folder. */
export function spawnConnect({ home, vault }: Person, cwd: string, ...argv: string[]): string {
  const words = [mainFile, "connect", ...argv, "--vault", vault];
  const environment = { HOME: home, USERPROFILE: home };
  const options = { cwd, env: environment, encoding: "utf8" } as const;
  return spawnSync(process.execPath, words, options).stdout;
}
