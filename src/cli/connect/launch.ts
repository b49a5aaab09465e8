import path from "node:path";

import type { McpProfile } from "../../server/mcp/mcp-server.ts";

/** What a client runs to have the tools. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Absolute paths throughout: a client has another folder than ours, and often no `PATH`. */
export interface LaunchFacts {
  readonly node: string;
  /** The command line's main file. */
  readonly main: string;
  readonly vault: string;
  /** Undefined when the default is right. */
  readonly state: string | undefined;
  readonly profile: McpProfile;
}

export function launchOf({ node, main, vault, state, profile }: LaunchFacts): Launch {
  return {
    command: node,
    args: [
      main,
      "mcp",
      "--vault",
      vault,
      ...(state === undefined ? [] : ["--state", state]),
      ...(profile === "update" ? [] : ["--profile", profile]),
    ],
  };
}

/** How a client knows it. Profiles have names of their own, so that several can stand side by side. */
export function serverName(profile: McpProfile): string {
  return profile === "update" ? "coffre" : `coffre-${profile}`;
}

/** The vault that an entry of ours in a client's file gives access to; undefined for anything else. */
export function vaultOfEntry(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null || !("args" in entry)) return undefined;
  const args: readonly unknown[] = Array.isArray(entry.args) ? entry.args : [];
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
