import { existsSync } from "node:fs";
import path from "node:path";

import { homeFolder } from "../../config.ts";
import {
  arg,
  defineCommand,
  profileOf,
  profileOption,
  UsageError,
  type CommandContext,
} from "../table/command.ts";
import { clientNames, type Scope } from "../connect/clients.ts";
import {
  afterSnippet,
  beforeSnippet,
  connectionFor,
  outcomeText,
  putInPlace,
  type Connection,
} from "../connect/connection.ts";
import { launchOf } from "../connect/launch.ts";
import type { Machine } from "../connect/machine.ts";
import { placeOf } from "../vault/place.ts";

export const connect = defineCommand({
  name: "connect",
  summary: "Show or write the configuration that gives an AI client the vault",
  positionals: {
    client: arg.one("CLIENT", `One of ${clientNames.join(", ")}`, { choices: clientNames }),
  },
  options: {
    profile: profileOption,
    scope: arg.text("SCOPE", "The client's file for all you do (default), or for this folder", {
      choices: ["user", "project"],
    }),
    file: arg.text("FILE", "Another file than the client's own", { completes: "file" }),
    write: arg.flag("Write it; the file as it was is kept beside it"),
  },
  details:
    "Without --write it only prints: the configuration on standard output, and where it goes on standard error. A client can have several profiles at once, each a server of its own.",
  examples: [
    "coffre connect claude-code",
    "coffre connect cursor --write",
    "coffre connect codex --profile search --vault ~/notes --write",
  ],
  synonyms: ["install", "config", "configure", "client"],
  run: async (input, context) => {
    const named = { scope: input.text("scope"), file: input.text("file") };
    if (named.scope !== undefined && named.file !== undefined) {
      throw new UsageError("--scope and --file both say which file: give one.");
    }
    const machine = machineOf(context);
    const profile = profileOf(input.text("profile"));
    const scope: Scope = named.scope === "project" ? "project" : "user";
    const place = placeOf(context);
    const options = profile === "update" ? [] : ["--profile", profile];
    const launch = launchOf("mcp", place, context, options);
    const file = named.file === undefined ? undefined : path.resolve(named.file);
    const client = input.one("client");
    const connection = await connectionFor({ client, profile, scope, file, launch }, machine);
    const { screen } = context;
    if (input.flag("write")) {
      const { entry, ...done } = putInPlace(connection);
      const text = outcomeText(connection, done, place.root);
      const written = { ...connection, placement: { ...connection.placement, entry } };
      return screen.show({ ...facts(written), ...done }, () => text);
    }
    if (screen.json) return screen.printJson(facts(connection));
    screen.warn(beforeSnippet(connection, place.root));
    screen.print(connection.format.render(connection.placement));
    screen.warn(afterSnippet(connection));
  },
});

function machineOf({ environment }: CommandContext): Machine {
  return {
    platform: process.platform,
    home: homeFolder(environment),
    cwd: process.cwd(),
    environment,
    exists: existsSync,
  };
}

/** The connection as programs want it. */
function facts({ client, file, placement, command }: Connection): object {
  const { servers, name, entry } = placement;
  const config = { [servers]: { [name]: entry } };
  return { client: client.id, file, config, ...(command === null ? {} : { command }) };
}
