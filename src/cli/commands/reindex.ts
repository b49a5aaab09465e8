import { ExpectedError } from "../../errors.ts";
import { formatBytes } from "../../text/tokens.ts";
import type { Vault } from "../../vault/vault.ts";
import { defineCommand, type CommandContext, type ExitCode } from "../table/command.ts";
import { withVault } from "../vault/open-vault.ts";
import { withOwner } from "../vault/owner.ts";
import { bringUpToDate, openSqliteIndex } from "../vault/vault-index.ts";

export const reindex = defineCommand({
  name: "reindex",
  summary: "Make the search index anew",
  group: "Vault",
  positionals: {},
  options: {
    full: {
      kind: "flag",
      summary: "Nothing less than anew: refused while a service runs, which else compares",
    },
  },
  details:
    "Never needed in ordinary use: a search looks at what changed by itself. A running service is asked to compare its index with every file.",
  examples: ["coffre reindex", "coffre reindex --vault ~/notes"],
  synonyms: ["index", "rebuild"],
  run: async (input, context) =>
    withVault(context, async (vault): Promise<ExitCode> => {
      const code = await askOwner(vault, input.flag("full"), context);
      return code ?? makeAnew(vault, context);
    }),
});

/** Null when no service runs. */
async function askOwner(
  vault: Vault,
  isFull: boolean,
  { screen }: CommandContext,
): Promise<ExitCode | null> {
  return withOwner(vault, async (owner): Promise<ExitCode> => {
    const { pid } = owner.owner;
    if (isFull) {
      throw new ExpectedError(
        "busy",
        `The index is in use by the running service (pid ${pid}). Stop it, then make the index anew; without --full it compares the index with every file.`,
      );
    }
    const { changed, gone } = await owner.rescan();
    const { index } = await owner.status();
    if (screen.json) screen.printJson({ ...index, changed, gone });
    else
      screen.print(
        `The running service (pid ${pid}) compared its index with every file: ${changed} changed, ${gone} gone.`,
      );
    return 0;
  });
}

async function makeAnew(vault: Vault, { screen }: CommandContext): Promise<ExitCode> {
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
}
