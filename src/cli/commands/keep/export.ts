import { mkdirSync } from "node:fs";
import path from "node:path";

import { explainErrno } from "../../../errors.ts";
import { formatBytes } from "../../../text/tokens.ts";
import { shellQuote } from "../../system/shell-quote.ts";
import { arg, defineCommand } from "../../table/command.ts";
import { placeIn } from "../../vault/place.ts";
import { databaseOption, vaultName, withDatabase } from "../../vault/team-database.ts";
import { privateLine } from "./private-line.ts";

export const exportVault = defineCommand({
  name: "export",
  summary: "Write a vault of a team's database, with its history, into a folder",
  positionals: {
    folder: arg.one("DIR", "The folder to write; empty or missing", { completes: "folder" }),
  },
  options: { database: databaseOption },
  details:
    "Every file byte for byte, under the name it had when it was imported, and its history into the state folder: coffre log and undo work as before. So do the settings: what is private stays private. Nothing that is there is overwritten. When it is cut off, the same command goes on.",
  examples: [
    "coffre export ~/notes --vault team --database postgres://coffre@localhost/coffre",
    "COFFRE_DATABASE=postgres://localhost/coffre coffre export /tmp/notes --vault team",
  ],
  run: async (input, context) => {
    const { screen } = context;
    const folder = path.resolve(input.one("folder"));
    const name = vaultName(context);
    const { copyHistory } = await import("../../../vault/history/copy-history.ts");
    const { SqliteHistory } = await import("../../../vault/history/sqlite-history.ts");
    const { atOneMoment } = await import("../../../storage/postgres/at-one-moment.ts");
    const { exportFiles } = await import("../../../vault/postgres/export-files.ts");
    const { PostgresHistory } = await import("../../../vault/postgres/postgres-history.ts");
    const { exportSettings } = await import("../../../team/carried-settings.ts");
    const { findVaultRow } = await import("../../../vault/postgres/vault-row.ts");
    const tell = (what: string) => (done: number, total: number) =>
      screen.progress(`${what}: ${done} of ${total}`);
    try {
      const exported = await withDatabase(input.text("database"), context, async (database) => {
        const row = await findVaultRow(database, name);
        try {
          mkdirSync(folder, { recursive: true });
        } catch (error) {
          throw explainErrno(error, folder);
        }
        const onFile = tell("Exporting files");
        // People go on writing: each file has the bytes, and the history, of the same moment.
        return atOneMoment(database, async () => {
          const { state } = placeIn(folder, context);
          let marked = 0;
          const beforeFirst = async (): Promise<void> => {
            marked = await exportSettings(database, row, state);
          };
          const files = await exportFiles({ database, row, folder, onFile, beforeFirst });
          const to = new SqliteHistory(state);
          try {
            const from = new PostgresHistory(database, row);
            const entries = await copyHistory(from, to, tell("Exporting the history"));
            return { ...files, entries, private: marked };
          } finally {
            to.close();
          }
        });
      });
      screen.progress(null);
      const { files, bytes, entries } = exported;
      screen.show({ folder, ...exported }, () =>
        [
          `Exported ${files} files, ${formatBytes(bytes)}, and ${entries} changes of their history to ${folder}.`,
          ...privateLine(exported.private),
          `Serve it with: coffre serve --vault ${shellQuote(folder)}`,
        ].join("\n"),
      );
    } finally {
      screen.progress(null);
    }
  },
});
