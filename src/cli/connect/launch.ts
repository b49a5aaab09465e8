import { existsSync } from "node:fs";
import path from "node:path";

import { isStateChosen } from "../../config.ts";
import type { McpProfile } from "../../server/mcp/mcp-server.ts";
import type { CommandContext } from "../table/command.ts";

/** What another program runs. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * A command of ours on a vault, for another program to run. Absolute paths throughout: that program has another folder than ours, and often no
 * `PATH`.
 */
export function launchOf(
  command: "mcp" | "serve",
  { root, state }: { readonly root: string; readonly state: string },
  { named, environment }: Pick<CommandContext, "named" | "environment">,
  options: readonly string[],
): Launch {
  const chosen = isStateChosen(named.state, environment) ? ["--state", state] : [];
  return {
    command: lastingNode(process.execPath, existsSync),
    args: [mainFile, command, "--vault", root, ...chosen, ...options],
  };
}

/** How a client knows it. Profiles have names of their own, so that several can stand side by side. */
export function serverName(profile: McpProfile): string {
  return profile === "update" ? "coffre" : `coffre-${profile}`;
}

/** The vault that an entry of ours in a client's file gives access to; undefined for anything else. */
export function vaultOfEntry(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  // Some clients have the command and its arguments in one list.
  const lists = ["args" in entry ? entry.args : null, "command" in entry ? entry.command : null];
  const args: readonly unknown[] = lists.find((each) => Array.isArray(each)) ?? [];
  const vault = args[args.indexOf("--vault") + 1];
  return args.includes("--vault") && typeof vault === "string" ? vault : undefined;
}

/** The file that this program was started with, also when it runs from its sources. */
export const mainFile = path.join(
  import.meta.dirname,
  "..",
  `main${path.extname(import.meta.filename)}`,
);

/**
 * The path of this Node that lasts. Homebrew keeps each version in a folder that the next upgrade removes, and offers a link beside
 * them that always leads to the present one.
 */
export function lastingNode(node: string, exists: (file: string) => boolean): string {
  const link = node.replace(/\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/u, "/opt/$1/bin/node");
  return exists(link) ? link : node;
}
