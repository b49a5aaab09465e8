import { ExpectedError } from "../../errors.ts";
import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { localTime } from "../../text/local-time.ts";
import type { FileFacts } from "../files/measure.ts";
import { NO_FILES } from "../folder-rules.ts";
import { isUnder, nameKey, parentOf, showPath, type VaultPath } from "../paths.ts";

/** A file as its row has it. */
export interface FileRow {
  readonly kind: "file";
  readonly path: VaultPath;
  /** Of all its bytes: which version it is. */
  readonly hash: string;
  /** Of the person's part of them. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly created: number;
  readonly facts: FileFacts;
}

export interface FolderRow {
  readonly kind: "folder";
  readonly path: VaultPath;
  readonly modified: number;
  readonly created: number;
}

export type TreeRow = FileRow | FolderRow;

/** Nothing has that path; `folder` is the innermost one on its way that is there. */
export interface MissingRow {
  readonly kind: "missing";
  readonly folder: VaultPath;
}

const ROOT: FolderRow = { kind: "folder", path: "", modified: 0, created: 0 };
const COLUMNS =
  "path, is_folder, hash, size, version, modified, created, content, tokens, updated, width, height, is_private";

/** As paths are stored: each name in the one form in which names are compared. */
export function rowPath(path: VaultPath): VaultPath {
  return path.split("/").map(nameKey).join("/");
}

/** Reads the files and folders of one vault. The root has no row: it is always there. */
export class TreeRows {
  readonly #database: Postgres;
  readonly #vault: number;

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
  }

  /** Throws `not_a_folder` when a file is on the way. */
  async find(path: VaultPath): Promise<TreeRow | MissingRow> {
    const asked = rowPath(path);
    if (asked === "") return ROOT;
    const above: VaultPath[] = [];
    for (let at = asked; at !== ""; at = parentOf(at)) above.push(at);
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM tree WHERE vault = $1 AND path = ANY ($2) ORDER BY length(path) DESC LIMIT 1`,
      [this.#vault, above],
    );
    const innermost = rows[0] === undefined ? ROOT : treeRow(rows[0]);
    if (innermost.path === asked) return innermost;
    if (innermost.kind === "folder") return { kind: "missing", folder: innermost.path };
    throw new ExpectedError(
      "not_a_folder",
      `${showPath(innermost.path)} is a file, so nothing can be under it.`,
    );
  }

  /** What has a name in a folder that is there; null for anything else, and for the root, which is in no folder. */
  async lookup(path: VaultPath): Promise<TreeRow | null> {
    if (path === "") return null;
    const folder = await this.find(parentOf(path));
    if (folder.kind !== "folder") return null;
    const found = await this.find(path);
    return found.kind === "missing" ? null : found;
  }

  /** What is known of files, those that are there. */
  async facts(paths: readonly VaultPath[]): Promise<Map<VaultPath, FileFacts>> {
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM tree WHERE vault = $1 AND path = ANY ($2) AND NOT is_folder`,
      [this.#vault, paths],
    );
    return new Map(
      rows.map(treeRow).flatMap((row) => (row.kind === "file" ? [[row.path, row.facts]] : [])),
    );
  }

  /** What is directly in a folder. */
  async children(path: VaultPath): Promise<TreeRow[]> {
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM tree WHERE vault = $1 AND parent = $2 ORDER BY path`,
      [this.#vault, path],
    );
    return rows.map(treeRow);
  }

  /** Something and all under it, each folder before what is in it. */
  async under(path: VaultPath): Promise<TreeRow[]> {
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM tree WHERE vault = $1 AND ($2 = '' OR path = $2 OR (path >= $2 || '/' AND path < $2 || '0')) ORDER BY path`,
      [this.#vault, path],
    );
    return rows.map(treeRow);
  }

  /** At most so many paths, to find one that resembles another. */
  async paths(most: number): Promise<VaultPath[]> {
    const rows = await this.#database.query(
      "SELECT path FROM tree WHERE vault = $1 ORDER BY path LIMIT $2",
      [this.#vault, most],
    );
    return rows.map((row) => String(row["path"])).filter((path) => isListed(path, "folder"));
  }
}

/** Whether lists show something: not what is in a folder that programs fill. */
export function isListed(path: VaultPath, kind: TreeRow["kind"]): boolean {
  const names = path === "" ? [] : path.split("/");
  const folders = kind === "folder" ? names : names.slice(0, -1);
  return folders.every((name) => NO_FILES.judge(name, true) === null);
}

/** Whether something under a folder is in a list of that folder: one that is in no list itself shows all it has. */
export function isListedIn(folder: VaultPath, { path, kind }: TreeRow): boolean {
  return isUnder(path, folder) && (isListed(path, kind) || !isListed(folder, "folder"));
}

function treeRow(row: Row): TreeRow {
  const path = String(row["path"]);
  const [modified, created] = [Number(row["modified"]), Number(row["created"])];
  if (row["is_folder"] === true) return { kind: "folder", path, modified, created };
  const hash = String(row["hash"]);
  const { content, updated, width, height, is_private: isPrivate } = row;
  const facts: FileFacts = {
    kind: content === "image" || content === "other" ? content : "text",
    tokens: Number(row["tokens"]),
    bytes: Number(row["size"]),
    changed: typeof updated === "string" ? updated : localTime(new Date(modified)),
    ...(content === "image" ? { width: Number(width), height: Number(height) } : {}),
    ...(content === "generated" ? { isGenerated: true } : {}),
    // A note that was called otherwise when it was written is not known to say so.
    ...(typeof isPrivate === "boolean" ? { isPrivate } : {}),
    signature: hash,
  };
  return { kind: "file", path, hash, version: String(row["version"]), modified, created, facts };
}
