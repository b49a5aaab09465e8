import { formatBytes, formatTokens } from "../../vault/tokens.ts";
import type { TreeNode } from "../../vault/totals.ts";
import type { Vault } from "../../vault/vault.ts";
import { defineCommand, type ExitCode } from "../command.ts";
import { withVault } from "../open-vault.ts";
import { openSqliteIndex } from "../vault-index.ts";
import { packageVersion } from "../version.ts";

export const status = defineCommand({
  name: "status",
  summary: "Show which vault is used, and how large it is",
  group: "Vault",
  positionals: {},
  options: {},
  examples: ["coffre status", "coffre status --vault ~/notes --json"],
  synonyms: ["info", "stat"],
  run: async (_, context) =>
    withVault(context, async (vault): Promise<ExitCode> => {
      const root = vault.shape("");
      const counts = {
        files: root.kind === "folder" ? root.files : 1,
        folders: countFolders(root),
        tokens: root.kind === "folder" ? root.tokens : root.facts.tokens,
      };
      const facts: Facts = {
        version: packageVersion(),
        vault: vault.root,
        state: vault.state,
        ...counts,
        history: vault.historySize(),
        index: await indexFacts(vault),
      };
      const { screen } = context;
      if (screen.json) screen.printJson(facts);
      else screen.print(statusText(facts));
      return 0;
    }),
});

/** What is indexed now, and how many files changed since. */
async function indexFacts(vault: Vault): Promise<Facts["index"]> {
  const index = await openSqliteIndex(vault);
  try {
    const { engine, files, chunks, bytes } = index.stats();
    const { changesOf } = await import("../../index/reconcile.ts");
    const { changed, gone } = changesOf(vault, index);
    return { engine, files, chunks, bytes, pending: changed.length + gone.length };
  } finally {
    index.close();
  }
}

/** Those under a node, not itself. */
function countFolders(node: TreeNode): number {
  if (node.kind === "file") return 0;
  const folders = node.children().filter(({ kind }) => kind === "folder");
  return folders.reduce((sum, folder) => sum + countFolders(folder), folders.length);
}

interface Facts {
  readonly version: string;
  readonly vault: string;
  readonly state: string;
  readonly files: number;
  readonly folders: number;
  readonly tokens: number;
  readonly history: { readonly entries: number; readonly bytes: number };
  readonly index: {
    readonly engine: string;
    readonly files: number;
    readonly chunks: number;
    readonly bytes: number;
    readonly pending: number;
  };
}

function statusText(facts: Facts): string {
  const { version, vault, state, files, folders, tokens, history, index } = facts;
  const pending = index.pending === 0 ? "up to date" : `${count(index.pending, "file")} to look at`;
  const content = `${count(files, "file")} in ${count(folders, "folder")}, ${formatTokens(tokens)} tokens`;
  const rows = [
    ["Vault", vault],
    ["Content", content],
    ["State", state],
    ["History", `${count(history.entries, "change")}, ${formatBytes(history.bytes)}`],
    [
      "Index",
      `${count(index.files, "file")} in ${count(index.chunks, "section")}, ${formatBytes(index.bytes)}, ${pending}`,
    ],
    ["Version", version],
  ] as const;
  return rows.map(([name, value]) => `${name.padEnd(9)}${value}`).join("\n");
}

function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}
