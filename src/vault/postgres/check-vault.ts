import { createHash } from "node:crypto";

import type { Postgres } from "../../storage/postgres/postgres.ts";
import { versionHash } from "../files/version.ts";
import type { VaultPath } from "../paths.ts";
import { Blobs } from "./blobs.ts";
import { checkHistory, type HistoryDamage } from "./check-history.ts";
import type { VaultRow } from "./vault-row.ts";

/** What is wrong with the rows of a vault, apart from its index. */
export interface VaultDamage {
  /** How many there are, whole or not. */
  readonly blobs: number;
  /** Present files whose bytes are missing, or are not those of their hash. */
  readonly files: readonly VaultPath[];
  /** Files whose row says another size or version than their bytes have. */
  readonly facts: readonly VaultPath[];
  /** What lies in a folder that has no row, or in a file. */
  readonly orphans: readonly VaultPath[];
  /** How many bytes all files have, when the row of the vault says something else. */
  readonly bytes: number | null;
  readonly history: HistoryDamage;
}

/**
 * Reads everything that is kept of a vault and compares it with its hashes and with each other; changes nothing. To be called in a transaction
 * that sees one moment.
 * @param onBlob called after each, with how many of how many are done
 */
export async function checkVault(
  database: Postgres,
  { id: vault }: VaultRow,
  onBlob: (done: number, total: number) => void = () => {},
): Promise<VaultDamage> {
  const { whole, blobs } = await wholeBlobs(database, vault, onBlob);
  const rows = await database.query(
    "SELECT path, parent, is_folder, hash, size, version FROM tree WHERE vault = $1 ORDER BY path",
    [vault],
  );
  const folders = new Set(
    rows.filter((row) => row["is_folder"] === true).map((row) => String(row["path"])),
  );
  const [lost, facts, orphans]: VaultPath[][] = [[], [], []];
  const present = new Map<VaultPath, string>();
  let bytes = 0;
  for (const row of rows) {
    const [path, parent] = [String(row["path"]), String(row["parent"])];
    const above = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    if (parent !== above || (parent !== "" && !folders.has(parent))) orphans?.push(path);
    if (row["is_folder"] === true) continue;
    bytes += Number(row["size"]);
    const blob = whole.get(String(row["hash"]));
    present.set(path, blob?.version ?? String(row["version"]));
    if (blob === undefined) lost?.push(path);
    else if (blob.size !== Number(row["size"]) || blob.version !== row["version"])
      facts?.push(path);
  }
  const sum = await database.one("SELECT bytes FROM vaults WHERE id = $1", [vault]);
  const versions = new Map([...whole].map(([hash, { version }]) => [hash, version]));
  return {
    blobs,
    files: lost ?? [],
    facts: facts ?? [],
    orphans: orphans ?? [],
    bytes: Number(sum?.["bytes"]) === bytes ? null : bytes,
    history: await checkHistory({ database, vault, versions, present }),
  };
}

interface WholeBlob {
  readonly size: number;
  /** The hash of the person's part. */
  readonly version: string;
}

/** All blobs whose bytes are those of their hash. */
async function wholeBlobs(
  database: Postgres,
  vault: number,
  onBlob: (done: number, total: number) => void,
): Promise<{ readonly whole: ReadonlyMap<string, WholeBlob>; readonly blobs: number }> {
  const hashes = await database.query(
    "SELECT hash FROM blobs WHERE vault = $1 GROUP BY hash ORDER BY hash",
    [vault],
  );
  const blobs = new Blobs(database, vault);
  const whole = new Map<string, WholeBlob>();
  for (const [at, row] of hashes.entries()) {
    const hash = String(row["hash"]);
    const bytes = await bytesOf(blobs, hash);
    if (bytes !== null && createHash("sha256").update(bytes).digest("hex") === hash)
      whole.set(hash, { size: bytes.length, version: versionHash(bytes) });
    onBlob(at + 1, hashes.length);
  }
  return { whole, blobs: hashes.length };
}

/** Null for what cannot be decompressed. */
async function bytesOf(blobs: Blobs, hash: string): Promise<Buffer | null> {
  try {
    return await blobs.read(hash);
  } catch (error) {
    // What zstd says of bytes that it did not write.
    if (error instanceof Error && "code" in error && /^Z(?:STD)?_/u.test(String(error.code)))
      return null;
    throw error;
  }
}
