import { existsSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../../errors.ts";
import { findOwner } from "../../../jobs/owner/owner-lock.ts";
import { formatBytes } from "../../../text/tokens.ts";
import type { ImportedFiles } from "../../../vault/postgres/import-files.ts";
import { arg, defineCommand, type CommandContext } from "../../table/command.ts";
import { holdVault } from "../../vault/hold-vault.ts";
import { placeIn, type Place } from "../../vault/place.ts";
import { databaseOption, vaultName, withDatabase } from "../../vault/team-database.ts";
import { privateLine } from "./private-line.ts";

/** What is not imported, by name, at most; the count is always whole. */
const MOST_NAMED = 20;

export const importFolder = defineCommand({
  name: "import",
  summary: "Put a folder, with its history, into a vault of a team's database",
  positionals: {
    folder: arg.one("DIR", "The folder of notes", { completes: "folder" }),
  },
  options: { database: databaseOption },
  details:
    "Into an empty vault only, which is made when it is missing. The folder is only read, and no other program of coffre may change it meanwhile. When it is cut off, the same command goes on. Hidden names, links and what is ignored are not imported: they are counted and named. What is private stays private, and the settings of frontmatter and tidying go along.",
  examples: [
    "coffre import ~/notes --vault team --database postgres://coffre@localhost/coffre",
    "COFFRE_DATABASE=postgres://localhost/coffre coffre import . --vault team",
  ],
  run: async (input, context) => {
    const folder = path.resolve(input.one("folder"));
    if (!existsSync(folder)) throw new ExpectedError("not_found", `There is no folder ${folder}.`);
    const name = vaultName(context);
    const place = placeIn(folder, context);
    const held = await holdVault(place, context);
    if (held === null) throw inUse(place);
    try {
      const imported = await importInto(place, name, input.text("database"), context);
      context.screen.progress(null);
      const { files, bytes, entries, skipped } = imported;
      context.screen.show({ vault: name, ...imported }, () =>
        [
          `Imported ${files} files, ${formatBytes(bytes)}, and ${entries} changes of their history into the vault ${name}.`,
          ...privateLine(imported.private),
          ...(skipped.length === 0 ? [] : [`Not imported: ${skipped.length}.`]),
          ...skipped.slice(0, MOST_NAMED).map((each) => `  ${each.path} (${each.reason})`),
          ...(skipped.length > MOST_NAMED ? ["  …"] : []),
        ].join("\n"),
      );
    } finally {
      context.screen.progress(null);
      held.release();
    }
  },
});

function inUse({ root, state }: Place): ExpectedError {
  const owner = findOwner(state);
  const who = owner === null ? "Another process" : `The process ${owner.pid}`;
  return new ExpectedError(
    "busy",
    `${who} owns the vault ${root}, and may change it meanwhile. Stop it, then import the folder.`,
  );
}

async function importInto(
  place: Place,
  name: string,
  url: string | undefined,
  context: CommandContext,
): Promise<ImportedFiles & { readonly entries: number; readonly private: number }> {
  const { openTeamVault } = await import("../../../compose-team.ts");
  const { reconcile } = await import("../../../index/fill-index.ts");
  const { copyHistory } = await import("../../../vault/history/copy-history.ts");
  const { SqliteHistory } = await import("../../../vault/history/sqlite-history.ts");
  const transfer = await import("../../../vault/postgres/import-files.ts");
  const { PostgresHistory } = await import("../../../vault/postgres/postgres-history.ts");
  const { importSettings } = await import("../../../team/carried-settings.ts");
  const { DEFAULT_LIMITS: limits } = await import("../../../vault/postgres/tree-writes.ts");
  const { makeVaultRow } = await import("../../../vault/postgres/vault-row.ts");
  const { createVault } = await import("../../../vault/vault.ts");
  const tell = (what: string) => (done: number, total: number) =>
    context.screen.progress(`${what}: ${done} of ${total}`);
  return withDatabase(url, context, async (database) => {
    const row = await makeVaultRow(database, name);
    await transfer.beginImport(database, row, place.root);
    const source = createVault(place);
    const history = new SqliteHistory(place.state);
    try {
      const marked = await importSettings(database, row, source);
      const onFile = tell("Importing files");
      const imported = await transfer.importFiles({ database, row, source, limits, onFile });
      const to = new PostgresHistory(database, row);
      const entries = await copyHistory(history, to, tell("Importing the history"));
      const team = await openTeamVault({ database, row, now: context.now, policy: () => "none" });
      await reconcile(team.vault, team.index, tell("Indexing"));
      await transfer.endImport(database, row);
      return { ...imported, entries, private: marked };
    } finally {
      history.close();
      source.close();
    }
  });
}
