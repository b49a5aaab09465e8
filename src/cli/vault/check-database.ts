import { checkTeamIndex, createTeamIndex, type IndexDamage } from "../../index/create-index.ts";
import { readIndexable } from "../../index/fill-index.ts";
import { VaultLinks } from "../../index/vault-links.ts";
import { atOneMoment } from "../../storage/postgres/at-one-moment.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { showPath } from "../../vault/paths.ts";
import type { HistoryDamage } from "../../vault/postgres/check-history.ts";
import { checkVault, type VaultDamage } from "../../vault/postgres/check-vault.ts";
import { PostgresVault } from "../../vault/postgres/postgres-vault.ts";
import { findVaultRow, vaultNames, type VaultRow } from "../../vault/postgres/vault-row.ts";
import { ok, problem, type Finding } from "../output/finding.ts";
import type { CommandContext } from "../table/command.ts";

/** What a finding names, at most. */
const MOST_NAMED = 5;

/** Checks one vault of a database, or all of them; changes nothing, and may run while they are served. */
export async function databaseFindings(
  database: Postgres,
  name: string | undefined,
  context: CommandContext,
): Promise<Finding[]> {
  const names = name === undefined ? await vaultNames(database) : [name];
  const findings: Finding[] = [];
  for (const each of names)
    findings.push(...(await vaultFindings(database, await findVaultRow(database, each), context)));
  return findings.length === 0 ? [ok("The database has no vaults.")] : findings;
}

/** Everything is read as it was at one moment, however long it takes. */
async function vaultFindings(
  database: Postgres,
  row: VaultRow,
  { screen, now }: CommandContext,
): Promise<Finding[]> {
  const found = await atOneMoment(database, async () => {
    const rows = await checkVault(database, row, (done, total) =>
      screen.progress(`${row.name}: ${done} of ${total} contents`),
    );
    // An index cannot be compared with files that cannot be read.
    if (rows.files.length > 0) return [...rowFindings(row, rows), unread(row)];
    const vault = new PostgresVault({ database, row, now });
    let done = 0;
    const index = await checkTeamIndex(database, row, readIndexable(vault), () => {
      done += 1;
      screen.progress(`${row.name}: ${done} files of the index`);
    });
    const { links: stored } = await createTeamIndex(database, row);
    const links = new VaultLinks(async () => stored, vault);
    return [
      ...rowFindings(row, rows),
      ...indexFindings(row, index),
      linksFinding(row, (await links.dead()).length),
    ];
  });
  screen.progress(null);
  return found;
}

function unread({ name }: VaultRow): Finding {
  return problem(
    `${name}: the index was not compared, because files cannot be read.`,
    "Check again when they can.",
  );
}

const RESTORE = "Restore the database from a backup, or write them again.";

function rowFindings({ name }: VaultRow, damage: VaultDamage): Finding[] {
  const { blobs, files, facts, orphans, bytes, history } = damage;
  const findings: Finding[] = [];
  if (files.length > 0)
    findings.push(
      problem(
        `${name}: the bytes of ${paths(files)} are missing, or are not those of their hash.`,
        RESTORE,
      ),
    );
  if (facts.length > 0)
    findings.push(
      problem(
        `${name}: the rows of ${paths(facts)} do not fit their bytes.`,
        "Write them again, with any tool: the row is made from the bytes.",
      ),
    );
  if (orphans.length > 0)
    findings.push(
      problem(
        `${name}: the folder of ${paths(orphans)} has no row, so lists do not show it.`,
        "Restore the database from a backup.",
      ),
    );
  if (bytes !== null)
    findings.push(
      problem(
        `${name}: the size of the vault is counted wrongly; it is ${bytes} bytes.`,
        `Set it, in psql: UPDATE vaults SET bytes = ${bytes} WHERE name = '${name}';`,
      ),
    );
  if (files.length + facts.length + orphans.length === 0 && bytes === null)
    findings.push(ok(`${name}: ${blobs} contents are those of their hashes, and fit their files.`));
  return [...findings, ...historyFindings(name, history)];
}

function historyFindings(name: string, { entries, lost, rows, chains }: HistoryDamage): Finding[] {
  const findings: Finding[] = [];
  if (lost.length > 0)
    findings.push(
      problem(
        `${name}: old bytes of the changes ${named(lost)} are missing or damaged: these cannot be undone.`,
        "Restore the database from a backup if you need them.",
      ),
    );
  if (rows.length > 0)
    findings.push(
      problem(
        `${name}: the rows of the changes ${named(rows)} contradict each other.`,
        "Restore the database from a backup; the files themselves are not concerned.",
      ),
    );
  if (chains.length > 0) {
    const broken = chains.map(({ path, entry }) =>
      entry === null ? `${showPath(path)} (now)` : `${showPath(path)} (${entry})`,
    );
    findings.push(
      problem(
        `${name}: the history does not lead from version to version: ${named(broken)}.`,
        "Rows were changed by hand, or a backup was restored in parts. Compare with a backup.",
      ),
    );
  }
  if (findings.length === 0)
    findings.push(ok(`${name}: the history leads from version to version, ${entries} changes.`));
  return findings;
}

function indexFindings({ name }: VaultRow, damage: IndexDamage): Finding[] {
  const { files, links, strays, words, hasWrongTotals } = damage;
  const advice = `Make it again: coffre reindex --database URL --vault ${name}`;
  const findings = [
    ...(files.length > 0 ? [`${name}: the index differs for ${paths(files)}.`] : []),
    ...(links.length > 0 ? [`${name}: the links differ for ${paths(links)}.`] : []),
    ...(strays.length > 0
      ? [`${name}: the index has files that are not in the vault: ${paths(strays)}.`]
      : []),
    ...(words.length > 0 ? [`${name}: words are counted wrongly: ${named(words)}.`] : []),
    ...(hasWrongTotals ? [`${name}: the totals of the index are wrong.`] : []),
  ].map((what) => problem(what, advice));
  return findings.length > 0 ? findings : [ok(`${name}: the index is equal to a new one.`)];
}

/** People link to notes that they mean to write: that is no problem. */
function linksFinding({ name }: VaultRow, dead: number): Finding {
  return ok(
    dead === 0
      ? `${name}: every link leads to a file.`
      : `${name}: links that lead to no file: ${dead}.`,
  );
}

function paths(of: readonly string[]): string {
  return named(of.map((path) => showPath(path)));
}

function named(all: readonly string[]): string {
  const rest = all.length - MOST_NAMED;
  return all.slice(0, MOST_NAMED).join(", ") + (rest > 0 ? ` (+ ${rest})` : "");
}
