import { ExpectedError } from "../../errors.ts";
import { formatBytes } from "../../text/tokens.ts";
import { arg, defineCommand, type CommandContext } from "../table/command.ts";
import {
  databaseOption,
  databaseForVault,
  vaultName,
  withDatabase,
} from "../vault/team-database.ts";
import { withVault } from "../vault/with-vault.ts";

export const reindex = defineCommand({
  name: "reindex",
  summary: "Rebuild the search index",
  options: {
    full: arg.flag("Rebuild from scratch; stop the service first"),
    database: databaseOption,
  },
  details:
    "Not needed in ordinary use: a search indexes what changed by itself. A running service compares its index with every file instead of rebuilding it. With --database the index of a team's vault is made again from scratch: searches see the old one until it is done, and changes of that vault wait. COFFRE_DATABASE counts with a --vault that is a name, and not a path.",
  examples: [
    "coffre reindex",
    "coffre reindex --vault ~/notes",
    "coffre reindex --database postgres://coffre@localhost/coffre --vault house",
  ],
  synonyms: ["index", "rebuild"],
  run: async (input, context) => {
    const url = databaseForVault(input.text("database"), context);
    if (url !== undefined) return rebuildInDatabase(url, context);
    return withVault(context, "search", async ({ client, owner }) => {
      if (owner !== null && input.flag("full")) {
        throw new ExpectedError(
          "busy",
          `The index is in use by the running service (pid ${owner.pid}). Stop it, then rebuild the index; without --full the service compares the index with every file.`,
        );
      }
      const { changed, gone } = await client.rescan();
      const { index } = await client.status();
      const { files, chunks, bytes } = index;
      context.screen.show(owner === null ? index : { ...index, changed, gone }, () =>
        owner === null
          ? `Indexed ${files} files in ${chunks} sections, ${formatBytes(bytes)}.`
          : `The running service (pid ${owner.pid}) compared its index with every file: ${changed} changed, ${gone} gone.`,
      );
    });
  },
});

async function rebuildInDatabase(url: string, context: CommandContext): Promise<void> {
  const { rebuildTeamIndex } = await import("../../compose-team.ts");
  const { findVaultRow } = await import("../../vault/postgres/vault-row.ts");
  const name = vaultName(context);
  await withDatabase(url, context, async (database) => {
    const row = await findVaultRow(database, name);
    const index = await rebuildTeamIndex({ database, row, now: context.now });
    const { files, chunks, bytes } = index;
    context.screen.show(
      index,
      () => `Indexed ${files} files in ${chunks} sections, ${formatBytes(bytes)}.`,
    );
  });
}
