/** Appends lines to the notes of a vault until it is killed, and prints each line once its change is acknowledged. Arguments: URL VAULT NAME. */
import { setTimeout as sleep } from "node:timers/promises";

import { openTeamVault } from "../../src/compose-team.ts";
import { ExpectedError } from "../../src/errors.ts";
import { openPostgres } from "../../src/storage/postgres/postgres.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";

const [url = "", vaultName = "", name = ""] = process.argv.slice(2);
const NOTES = 3;
const PAUSE = 20;

/** The database may be starting again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ExpectedError) || !["unavailable", "busy"].includes(error.code))
        throw error;
      await sleep(PAUSE);
    }
  }
}

const database = await patiently(async () => openPostgres({ url, connections: 3 }));
const row = await patiently(async () => makeVaultRow(database, vaultName));
const { vault } = await openTeamVault({
  database,
  row,
  now: () => new Date(),
  policy: () => "none",
});
for (let turn = 0; ; turn += 1) {
  // A line that may or may not have been kept is never written again: the next one has another number.
  const line = `${name}-${turn}`;
  const path = `notes/${turn % NOTES}.md`;
  try {
    await vault.change(
      { actor: name, call: "append", batch: null },
      async ({ writer, readWhole }) => {
        if ((await vault.find(path)).kind === "missing")
          await writer.create(path, Buffer.from(`${line}\n`));
        else {
          const seen = await readWhole(path);
          await writer.update(seen, Buffer.from(`${seen.text}${line}\n`));
        }
      },
    );
    process.stdout.write(`${line}\n`);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    await sleep(PAUSE);
  }
}
