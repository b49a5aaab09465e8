import { formatBytes, formatTokens } from "../../vault/tokens.ts";
import type { TreeNode } from "../../vault/totals.ts";
import { defineCommand, type ExitCode } from "../command.ts";
import { withVault } from "../open-vault.ts";
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
      const facts = {
        version: packageVersion(),
        vault: vault.root,
        state: vault.state,
        ...counts,
        history: vault.historySize(),
      };
      const { screen } = context;
      if (screen.json) screen.printJson(facts);
      else screen.print(statusText(facts));
      return 0;
    }),
});

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
}

function statusText({ version, vault, state, files, folders, tokens, history }: Facts): string {
  const content = `${count(files, "file")} in ${count(folders, "folder")}, ${formatTokens(tokens)} tokens`;
  const rows = [
    ["Vault", vault],
    ["Content", content],
    ["State", state],
    ["History", `${count(history.entries, "change")}, ${formatBytes(history.bytes)}`],
    ["Version", version],
  ] as const;
  return rows.map(([name, value]) => `${name.padEnd(9)}${value}`).join("\n");
}

function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}
