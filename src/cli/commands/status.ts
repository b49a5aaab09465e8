import type { TreeNode } from "../../vault/tree/totals.ts";
import type { Vault } from "../../vault/vault.ts";
import { defineCommand, type ExitCode } from "../table/command.ts";
import { withVault } from "../vault/open-vault.ts";
import { withOwner } from "../vault/owner.ts";
import { statusText, type StatusFacts } from "../output/status-text.ts";
import { openSqliteIndex } from "../vault/vault-index.ts";
import { packageVersion } from "../version.ts";

export const status = defineCommand({
  name: "status",
  summary: "Show which vault is used, how large it is, and whether a service runs",
  group: "Vault",
  positionals: {},
  options: {},
  examples: ["coffre status", "coffre status --vault ~/notes --json"],
  synonyms: ["info", "stat"],
  run: async (_, context) =>
    withVault(context, async (vault): Promise<ExitCode> => {
      const root = await vault.shape("");
      const facts: StatusFacts = {
        version: packageVersion(),
        vault: vault.root,
        state: vault.state,
        files: root.kind === "folder" ? root.files : 1,
        folders: countFolders(root),
        tokens: root.kind === "folder" ? root.tokens : root.facts.tokens,
        history: await vault.historySize(),
        ...((await serviceFacts(vault)) ?? { index: await indexFacts(vault), service: null }),
      };
      const { screen } = context;
      if (screen.json) screen.printJson(facts);
      else screen.print(statusText(facts));
      return 0;
    }),
});

/** What the running service says; null when none runs. */
async function serviceFacts(vault: Vault): Promise<Pick<StatusFacts, "index" | "service"> | null> {
  return withOwner(vault, async (owner) => {
    const { vault: _, index, ...facts } = await owner.status();
    const { pid, started, address = null } = owner.owner;
    return { index, service: { pid, started, address, ...facts } };
  });
}

/** What is indexed now, and how many files changed since. */
async function indexFacts(vault: Vault): Promise<StatusFacts["index"]> {
  const index = await openSqliteIndex(vault);
  try {
    const { engine, files, chunks, bytes } = index.stats();
    const { changesOf } = await import("../../index/reconcile.ts");
    const { changed, gone } = await changesOf(vault, index);
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
