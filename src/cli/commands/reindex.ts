import { formatBytes } from "../../vault/tokens.ts";
import { defineCommand, type ExitCode } from "../command.ts";
import { withVault } from "../open-vault.ts";
import { bringUpToDate, openSqliteIndex } from "../vault-index.ts";

export const reindex = defineCommand({
  name: "reindex",
  summary: "Make the search index anew",
  group: "Vault",
  positionals: {},
  options: {},
  details: "Never needed in ordinary use: a search looks at what changed by itself.",
  examples: ["coffre reindex", "coffre reindex --vault ~/notes"],
  synonyms: ["index", "rebuild"],
  run: async (_, context) =>
    withVault(context, async (vault): Promise<ExitCode> => {
      const { screen } = context;
      const index = await openSqliteIndex(vault);
      try {
        index.clear();
        await bringUpToDate(vault, index, screen);
        const stats = index.stats();
        if (screen.json) screen.printJson(stats);
        else
          screen.print(
            `Indexed ${stats.files} files in ${stats.chunks} sections, ${formatBytes(stats.bytes)}.`,
          );
        return 0;
      } finally {
        index.close();
      }
    }),
});
