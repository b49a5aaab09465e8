import path from "node:path";
import { crc32 } from "node:zlib";
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

import { openRebuildable, transaction } from "../storage/sqlite.ts";
import { LEFT_REASONS, type Left } from "../vault/files/frontmatter.ts";
import type { FileFacts } from "../vault/files/measure.ts";
import { joinPath, nameOf, parentOf, type VaultPath } from "../vault/paths.ts";

/** The kind under which our own `tree.md` is kept. */
const GENERATED = "generated";

/** What the job knows of a file it has processed. */
export interface ProcessedFile {
  readonly facts: FileFacts;
  /** Of the person's part of a markdown file; null for other files, and for one that could not be read. */
  readonly hash: string | null;
  /** It was read so soon after its last change that another change could have the same time: it must be read again. */
  readonly isFresh: boolean;
  /** See `VaultItem`: when it differs and the signature does not, the content decides. Null when it is not known. */
  readonly touched?: number | null;
  /** Local time at which a markdown file was made, as far as the disk and its own words know. */
  readonly created?: string | null;
  /** Why its frontmatter, or a key of it, is left as it is. */
  readonly left?: Left | null;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, signature TEXT NOT NULL, kind TEXT NOT NULL, tokens INTEGER NOT NULL, bytes INTEGER NOT NULL,
    changed TEXT NOT NULL, width INTEGER, height INTEGER, hash TEXT, fresh INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const TIMES_AND_REASONS = `
  ALTER TABLE files ADD COLUMN created TEXT;
  ALTER TABLE files ADD COLUMN reason TEXT;
  ALTER TABLE files ADD COLUMN problem TEXT;
`;

const TOUCHED = "ALTER TABLE files ADD COLUMN touched INTEGER;";

/** What was read before must be read again: whether a note says that it is private was not asked then. */
const PRIVATE = `
  ALTER TABLE files ADD COLUMN private INTEGER;
  UPDATE files SET signature = '' WHERE kind = 'text';
`;

/** By folders: what is under one is found without a search among all files. */
class KnownFolder {
  readonly files = new Map<string, ProcessedFile>();
  readonly folders = new Map<string, KnownFolder>();
}

function namesOf(place: VaultPath): readonly string[] {
  return place === "" ? [] : place.split("/");
}

function* filesIn(folder: KnownFolder, place: VaultPath): Generator<VaultPath> {
  for (const name of folder.files.keys()) yield joinPath(place, name);
  for (const [name, below] of folder.folders) yield* filesIn(below, joinPath(place, name));
}

/** Which version of every file was processed, kept in the state folder: a restart reads only the files that changed since. */
export class ProcessedFiles {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #root = new KnownFolder();
  readonly #unsaved = new Set<VaultPath>();
  /** Files whose frontmatter, or a key of it, was left as it is when this was opened. */
  readonly leftBefore: VaultPath[] = [];
  #size = 0;
  #last = { place: "", folder: this.#root };

  constructor(state: string) {
    // A lost list costs one read of every file; files that are right are not written.
    const { database } = openRebuildable({
      file: path.join(state, "job.sqlite"),
      name: "The list of processed files",
      consequence: "so no change can be followed",
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
      migrations: [SCHEMA, TIMES_AND_REASONS, TOUCHED, PRIVATE],
      check: "SELECT count(*) FROM files",
    });
    this.#database = database;
    this.#put = this.#database.prepare(
      `INSERT OR REPLACE INTO files VALUES
        (:path, :signature, :kind, :tokens, :bytes, :changed, :width, :height, :hash, :fresh,
          :created, :reason, :problem, :touched, :private)`,
    );
    this.#delete = this.#database.prepare("DELETE FROM files WHERE path = ?");
    const all = this.#database.prepare(
      `SELECT path, signature, kind, tokens, bytes, changed, width, height, hash, fresh, created, reason, problem, touched, private
        FROM files`,
    );
    // Twice as fast as objects, at every start for every file.
    all.setReturnArrays(true);
    for (const row of all.all()) {
      const [file, known] = [String(row[0]), processedFrom(row)];
      this.#keep(file, known);
      if (known.left !== null) this.leftBefore.push(file);
    }
  }

  get(file: VaultPath): ProcessedFile | undefined {
    return this.#folderAt(parentOf(file))?.files.get(nameOf(file));
  }

  /** Clears the signature, so that the file is processed again; its hash stays. */
  invalidate(file: VaultPath): void {
    const known = this.get(file);
    if (known !== undefined) this.set(file, { ...known, facts: { ...known.facts, signature: "" } });
  }

  /** The same for every file. */
  invalidateAll(): void {
    for (const file of this.paths()) this.invalidate(file);
    this.save();
  }

  get size(): number {
    return this.#size;
  }

  paths(): Generator<VaultPath> {
    return filesIn(this.#root, "");
  }

  /** The file at a path, or all files under it. */
  under(place: VaultPath): VaultPath[] {
    if (this.get(place) !== undefined) return [place];
    const folder = this.#folderAt(place);
    return folder === undefined ? [] : [...filesIn(folder, place)];
  }

  set(file: VaultPath, processed: ProcessedFile): void {
    this.#keep(file, processed);
    this.#unsaved.add(file);
  }

  remove(file: VaultPath): void {
    const folder = this.#folderAt(parentOf(file));
    if (folder?.files.delete(nameOf(file)) !== true) return;
    this.#size -= 1;
    this.#unsaved.add(file);
    this.#prune(parentOf(file));
  }

  #keep(file: VaultPath, processed: ProcessedFile): void {
    const { files } = this.#folderAt(parentOf(file)) ?? this.#makeFolder(parentOf(file));
    this.#size -= files.size;
    files.set(nameOf(file), processed);
    this.#size += files.size;
  }

  #makeFolder(place: VaultPath): KnownFolder {
    let folder = this.#root;
    for (const name of namesOf(place)) {
      let next = folder.folders.get(name);
      if (next === undefined) folder.folders.set(name, (next = new KnownFolder()));
      folder = next;
    }
    return folder;
  }

  #folderAt(place: VaultPath): KnownFolder | undefined {
    // Files are mostly asked for folder by folder.
    if (place === this.#last.place) return this.#last.folder;
    let folder: KnownFolder | undefined = this.#root;
    for (const name of namesOf(place)) folder = folder?.folders.get(name);
    if (folder !== undefined) this.#last = { place, folder };
    return folder;
  }

  /** Forgets folders without files, so that a folder that is gone costs nothing. */
  #prune(place: VaultPath): void {
    for (let at = place; at !== ""; at = parentOf(at)) {
      const folder = this.#folderAt(at);
      if (folder === undefined || folder.files.size + folder.folders.size > 0) return;
      this.#folderAt(parentOf(at))?.folders.delete(nameOf(at));
      this.#last = { place: "", folder: this.#root };
    }
  }

  /** Writes what changed, in one transaction. */
  save(): void {
    if (this.#unsaved.size === 0) return;
    transaction(this.#database, () => {
      for (const file of this.#unsaved) {
        const known = this.get(file);
        if (known === undefined) this.#delete.run(file);
        else this.#put.run(rowOf(file, known));
      }
    });
    this.#unsaved.clear();
  }

  /**
   * Whether the index, which has these numbers of files and chunks, has what was processed: the last process closed both without a
   * failure. Only the first call can say so.
   */
  agreesWith(index: { readonly files: number; readonly chunks: number }): boolean {
    const { application_id } = this.#database.prepare("PRAGMA application_id").get() ?? {};
    this.#database.exec("PRAGMA application_id = 0");
    return Number(application_id) === markOf(index);
  }

  /** Records for the next process that they agree. */
  setAgreement(index: { readonly files: number; readonly chunks: number }): void {
    this.#database.exec(`PRAGMA application_id = ${markOf(index)}`);
  }

  close(): void {
    this.#database.close();
  }
}

/** Never 0, which SQLite gives a database without a mark. */
function markOf({ files, chunks }: { readonly files: number; readonly chunks: number }): number {
  return (crc32(`${files}:${chunks}`) >>> 2) + 1;
}

function rowOf(file: VaultPath, known: ProcessedFile): Record<string, SQLInputValue> {
  const { facts, hash, isFresh, touched = null, created = null, left = null } = known;
  const { isGenerated = false, isPrivate, kind, width = null, height = null, ...others } = facts;
  return {
    ...others,
    kind: isGenerated ? GENERATED : kind,
    width,
    height,
    path: file,
    hash,
    fresh: isFresh ? 1 : 0,
    created,
    reason: left?.reason ?? null,
    problem: left?.problem ?? null,
    touched,
    private: isPrivate === undefined ? null : isPrivate ? 1 : 0,
  };
}

function processedFrom(row: Readonly<Record<number, SQLOutputValue>>): ProcessedFile {
  const { 1: signature, 2: kind, 3: tokens, 4: bytes, 5: changed } = row;
  const { 6: width, 7: height, 8: hash, 9: fresh, 10: created, 11: reason, 12: problem } = row;
  const { 13: touched, 14: isPrivate } = row;
  const facts: FileFacts = {
    kind: kind === GENERATED ? "text" : kind === "text" || kind === "image" ? kind : "other",
    tokens: Number(tokens),
    bytes: Number(bytes),
    changed: String(changed),
    signature: String(signature),
    ...(kind === GENERATED ? { isGenerated: true } : {}),
    ...(typeof isPrivate === "number" ? { isPrivate: isPrivate === 1 } : {}),
  };
  const hasSize = typeof width === "number" && typeof height === "number";
  return {
    facts: hasSize ? { ...facts, width, height } : facts,
    hash: typeof hash === "string" ? hash : null,
    isFresh: fresh === 1,
    touched: typeof touched === "number" ? touched : null,
    created: typeof created === "string" ? created : null,
    left: leftFrom(reason, problem),
  };
}

/** What was left as it is, from its columns. */
export function leftFrom(reason: unknown, problem: unknown): Left | null {
  const known = LEFT_REASONS.find((each) => each === reason);
  return known === undefined ? null : { reason: known, problem: String(problem) };
}
