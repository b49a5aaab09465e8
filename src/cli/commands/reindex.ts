import { ExpectedError } from "../../errors.ts";
import { formatBytes } from "../../text/tokens.ts";
import { arg, defineCommand } from "../table/command.ts";
import { withVault } from "../vault/with-vault.ts";

export const reindex = defineCommand({
  name: "reindex",
  summary: "Rebuild the search index",
  options: {
    full: arg.flag("Rebuild from scratch; stop the service first"),
  },
  details:
    "Not needed in ordinary use: a search indexes what changed by itself. A running service compares its index with every file instead of rebuilding it.",
  examples: ["coffre reindex", "coffre reindex --vault ~/notes"],
  synonyms: ["index", "rebuild"],
  run: async (input, context) =>
    withVault(context, "search", async ({ client, owner }) => {
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
    }),
});
