import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { formatBytes } from "../../text/tokens.ts";
import { BLOCK_WINDOW, updatedOf } from "../files/frontmatter.ts";
import { measureBytes } from "../files/measure.ts";
import { versionHash } from "../files/version.ts";
import { hashOfParts } from "../history/history.ts";
import { joinPath, parentOf, refuseControls, showPath, type VaultPath } from "../paths.ts";
import { Blobs } from "./blobs.ts";
import { TreeRows, type FileRow, type FolderRow } from "./tree-rows.ts";
import type { VaultRow } from "./vault-row.ts";

/** What one vault may hold, so that it cannot fill the disk of all. */
export interface VaultLimits {
  /** Bytes of one file. */
  readonly file: number;
  /** Bytes of all its files, without their history. */
  readonly vault: number;
}

export const DEFAULT_LIMITS: VaultLimits = { file: 64 * 1024 * 1024, vault: 10 * 1024 ** 3 };

/** When a file was made, and last changed: milliseconds since 1970. */
export interface FileTimes {
  readonly created: number;
  readonly modified: number;
}

/** Writes the rows of files and folders, within a transaction that holds the vault's lock. */
export class TreeWrites {
  readonly #database: Postgres;
  readonly #row: VaultRow;
  readonly #limits: VaultLimits;
  readonly rows: TreeRows;
  readonly blobs: Blobs;
  /** Files that were written, moved or removed. */
  readonly touched = new Set<VaultPath>();

  constructor(database: Postgres, row: VaultRow, limits: VaultLimits) {
    this.#database = database;
    this.#row = row;
    this.#limits = limits;
    this.rows = new TreeRows(database, row.id);
    this.blobs = new Blobs(database, row.id);
  }

  /**
   * Gives a file its bytes: a new one, or in place of `before`.
   * @returns the hash of the bytes
   */
  async put(
    path: VaultPath,
    bytes: Buffer,
    before: FileRow | null,
    { created, modified }: FileTimes,
  ): Promise<string> {
    this.#refuseSize(path, bytes.length);
    const hash = hashOfParts([bytes]);
    const { facts } = measureBytes(
      path,
      { size: bytes.length, modified, signature: hash },
      (at, length) => bytes.subarray(at, at + length),
    );
    const isText = facts.kind === "text";
    const updated = isText ? updatedOf(bytes.toString("utf8", 0, BLOCK_WINDOW)) : null;
    await this.blobs.put([bytes], hash);
    await this.#grow(bytes.length - (before?.facts.bytes ?? 0));
    await this.#database.execute(
      `INSERT INTO tree (vault, path, parent, is_folder, hash, size, version, modified, created, content, tokens, updated, width, height, is_private)
       VALUES ($1, $2, $3, false, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       ON CONFLICT (vault, path) DO UPDATE SET hash = excluded.hash, size = excluded.size, version = excluded.version,
         modified = excluded.modified, created = excluded.created, content = excluded.content, tokens = excluded.tokens,
         updated = excluded.updated, width = excluded.width, height = excluded.height, is_private = excluded.is_private`,
      [
        this.#row.id,
        path,
        parentOf(path),
        hash,
        bytes.length,
        versionHash(bytes),
        modified,
        created,
        facts.isGenerated === true ? "generated" : facts.kind,
        facts.tokens,
        updated,
        facts.width ?? null,
        facts.height ?? null,
        facts.isPrivate ?? null,
      ],
    );
    this.touched.add(path);
    return hash;
  }

  #refuseSize(path: VaultPath, size: number): void {
    const { file } = this.#limits;
    if (size <= file) return;
    throw new ExpectedError(
      "too_large",
      `${showPath(path)} would be ${formatBytes(size)}; files of this vault may have ${formatBytes(file)}. Nothing was changed.`,
    );
  }

  async #grow(bytes: number): Promise<void> {
    const { vault } = this.#limits;
    const now = await this.#row.grow(bytes);
    if (bytes <= 0 || now <= vault) return;
    throw new ExpectedError(
      "too_large",
      `This vault would have ${formatBytes(now)}, and may have ${formatBytes(vault)}. Nothing was changed; remove something first.`,
    );
  }

  /** Makes the missing folders of a path. Returns them, outermost first. */
  async makeParents(path: VaultPath, now: number): Promise<VaultPath[]> {
    const folder = parentOf(path);
    const found = await this.rows.find(folder);
    if (found.kind === "folder") return [];
    if (found.kind === "file")
      throw new ExpectedError("not_a_folder", `${showPath(folder)} is a file, not a folder.`);
    const made: VaultPath[] = [];
    const missing = folder.slice(found.folder === "" ? 0 : found.folder.length + 1).split("/");
    let at = found.folder;
    for (const name of missing) {
      at = joinPath(at, name);
      refuseControls(at);
      await this.putFolder(at, now);
      made.push(at);
    }
    return made;
  }

  async putFolder(path: VaultPath, now: number): Promise<void> {
    await this.#database.execute(
      "INSERT INTO tree (vault, path, parent, is_folder, modified, created) VALUES ($1, $2, $3, true, $4, $4)",
      [this.#row.id, path, parentOf(path), now],
    );
  }

  /** Keeps the name that something had on a disk, which may be of another Unicode form, for an export. */
  nameOnDisk(path: VaultPath, name: string): void {
    this.#database.send("UPDATE tree SET on_disk = $3 WHERE vault = $1 AND path = $2", [
      this.#row.id,
      path,
      name,
    ]);
  }

  /** Removes rows that {@link TreeRows.under} gave. */
  async remove(rows: readonly (FileRow | FolderRow)[]): Promise<void> {
    await this.#database.execute("DELETE FROM tree WHERE vault = $1 AND path = ANY ($2)", [
      this.#row.id,
      rows.map(({ path }) => path),
    ]);
    const files = rows.filter((row) => row.kind === "file");
    for (const { path } of files) this.touched.add(path);
    await this.#row.grow(-files.reduce((sum, { facts }) => sum + facts.bytes, 0));
  }

  /** Gives something, and all under it, another path. */
  async move(from: VaultPath, to: VaultPath): Promise<void> {
    for (const { kind, path } of await this.rows.under(from))
      if (kind === "file") this.touched.add(path).add(to + path.slice(from.length));
    await this.#database.execute(
      `UPDATE tree SET on_disk = CASE WHEN path = $2 THEN NULL ELSE on_disk END, path = $3 || substr(path, length($2) + 1),
         parent = CASE WHEN path = $2 THEN $4 ELSE $3 || substr(parent, length($2) + 1) END
       WHERE vault = $1 AND (path = $2 OR (path >= $2 || '/' AND path < $2 || '0'))`,
      [this.#row.id, from, to, parentOf(to)],
    );
  }
}
