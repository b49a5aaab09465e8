import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { stampFrontmatter } from "../files/frontmatter.ts";
import type { WholeText } from "../files/text-file.ts";
import { SMALL_FILE, versionHash, type FileVersion } from "../files/version.ts";
import { newId, type History, type KeepBytes } from "../history/history.ts";
import type {
  Change,
  ChangeAuthor,
  ChangeGuard,
  FileOrigin,
  Relinking,
  RemovedItem,
} from "../history/history-types.ts";
import type { FoundReplacement, UndoWriter } from "../history/undo-files.ts";
import { notFound } from "../missing-path.ts";
import {
  isMarkdown,
  isUnder,
  joinPath,
  nameOf,
  parentOf,
  refuseControls,
  showPath,
  type VaultPath,
} from "../paths.ts";
import { alreadyExists, ChangedMeanwhile, intoItself } from "../write/atomic-write.ts";
import { keptSplice, spliceBetween, type Splice } from "../write/splice.ts";
import type { StampTimes, Unstamped } from "../write/stamper.ts";
import type { SeenFile } from "../write/writer.ts";
import { rowPath, type FileRow, type TreeRow } from "./tree-rows.ts";
import type { TreeWrites } from "./tree-writes.ts";

/** A note that is about to be written. */
export interface NoteInWrite extends Unstamped {
  readonly path: VaultPath;
  /** The hash of the person's part before; null for a new note. */
  readonly known: string | null;
  /** How it came to be, as far as the history knows. */
  readonly origin: () => Promise<FileOrigin>;
}

/** The times that a note's frontmatter is given as it is written; null leaves it as it is. */
export type StampInWrite = (note: NoteInWrite) => Promise<StampTimes | null>;

/** What {@link PostgresWriter} needs from the vault it writes to. */
export interface PostgresWriterParts {
  readonly database: Postgres;
  readonly tree: TreeWrites;
  readonly history: History;
  readonly author: ChangeAuthor;
  readonly at: Date;
  readonly stamp: StampInWrite | null;
  /** Gets every change that was made. */
  readonly done: Change[];
}

/** Nobody's in particular, so that a file that is written to a disk later belongs to whoever writes it. */
const NO_OWNER = { uid: -1, gid: -1 };
const FOLDER = { mode: 0o755, ...NO_OWNER };
const FILE = { mode: 0o644, ...NO_OWNER };

/** Changes the files of a vault in PostgreSQL. Each method is one change: made with its record, or not at all. */
export class PostgresWriter implements UndoWriter<TreeRow, FileRow> {
  readonly id: string;
  /** None: a transaction is made whole or not at all. */
  readonly half = 0;
  readonly #parts: PostgresWriterParts;

  constructor(parts: PostgresWriterParts) {
    this.id = newId(parts.at);
    this.#parts = parts;
  }

  get done(): readonly Change[] {
    return this.#parts.done;
  }

  get #now(): number {
    return this.#parts.at.getTime();
  }

  #ask(deed: Parameters<ChangeGuard>[0], path: VaultPath): void {
    this.#parts.author.guard?.(deed, path);
  }

  /** Records what `make` describes once it is made; when something fails, nothing of it is left. */
  async #make(make: () => Promise<(keep: KeepBytes) => readonly Change[]>): Promise<void> {
    const { database, history, at, author } = this.#parts;
    const changes = await database.transaction(async () =>
      history.recordAll({ id: this.id, at, author }, await make()),
    );
    this.#parts.done.push(...changes);
  }

  async create(given: VaultPath, bytes: Buffer): Promise<void> {
    const { tree } = this.#parts;
    const path = rowPath(given);
    if (path === "" || (await tree.rows.lookup(path)) !== null) throw alreadyExists(path);
    refuseControls(path);
    this.#ask("add", path);
    await this.#make(async () => {
      const madeFolders = await tree.makeParents(path, this.#now);
      const version = await this.#put(path, bytes, null);
      return (keep) => {
        const after = bytes.length <= SMALL_FILE ? keep([bytes]) : null;
        return [{ kind: "create", path, after, version, madeFolders }];
      };
    });
  }

  async replace(seen: SeenFile, before: Buffer, bytes: Buffer, how: Relinking = {}): Promise<void> {
    this.#ask("alter", seen.path);
    const row = await this.#present(seen);
    await this.#make(async () => {
      const version = await this.#put(row.path, bytes, row);
      return (keep) => {
        const kept = { wholeBefore: keep([before]), wholeAfter: keep([bytes]) };
        return [{ kind: "modify", path: row.path, kept, version, ...how }];
      };
    });
  }

  async replaceAll(files: readonly FoundReplacement<FileRow>[]): Promise<VaultPath[]> {
    const { tree } = this.#parts;
    for (const { located } of files) this.#ask("alter", located.path);
    const changed: VaultPath[] = [];
    await this.#make(async () => {
      const written: { file: FoundReplacement<FileRow>; version: FileVersion }[] = [];
      for (const file of files) {
        const { located, after, modified = this.#now } = file;
        const now = await tree.rows.find(located.path);
        if (now.kind !== "file" || now.hash !== located.hash) changed.push(located.path);
        else {
          const times = { created: now.created, modified };
          const signature = await tree.put(located.path, after, now, times);
          written.push({ file, version: { signature, hash: versionHash(after) } });
        }
      }
      return (keep) =>
        written.map(({ file: { located, before, after }, version }) => ({
          kind: "modify",
          path: located.path,
          kept: { wholeBefore: keep([before]), wholeAfter: keep([after]) },
          version,
        }));
    });
    return changed;
  }

  async update(seen: WholeText, bytes: Buffer, how: Relinking = {}): Promise<void> {
    const splice = spliceBetween(seen.bytes, bytes);
    if (splice === null) return this.replace(seen, seen.bytes, bytes, how);
    await this.splice(seen, splice, how);
  }

  async splice(seen: SeenFile, splice: Splice, how: Relinking = {}): Promise<void> {
    const { tree } = this.#parts;
    this.#ask("alter", seen.path);
    const row = await this.#present(seen);
    const before = (await tree.blobs.read(row.hash)) ?? Buffer.alloc(0);
    const { at, removed, inserted } = splice;
    const rest = before.subarray(at + removed.length);
    const bytes = Buffer.concat([before.subarray(0, at), inserted, rest]);
    await this.#make(async () => {
      const version = await this.#put(row.path, bytes, row);
      const read = (from: number, length: number): Buffer => before.subarray(from, from + length);
      return (keep) => {
        const kept = keptSplice(splice, bytes.length, read, keep);
        return [{ kind: "modify", path: row.path, kept, version, ...how }];
      };
    });
  }

  async move(from: VaultPath, to: VaultPath): Promise<VaultPath> {
    return this.moveEntry(await this.#entry(from), rowPath(to));
  }

  async moveEntry(entry: TreeRow, to: VaultPath, onDisk?: string): Promise<VaultPath> {
    const { tree } = this.#parts;
    const { path, kind } = entry;
    if (to === "" || (await tree.rows.lookup(to)) !== null) throw alreadyExists(to);
    if (onDisk === undefined) refuseControls(to);
    if (kind === "folder" && isUnder(to, path)) throw intoItself(path);
    this.#ask("take", path);
    this.#ask("add", to);
    await this.#make(async () => {
      const madeFolders = await tree.makeParents(to, this.#now);
      await tree.move(path, to);
      return () => [{ kind: "move", path, onDisk: nameOf(path), to, madeFolders }];
    });
    return to;
  }

  async remove(path: VaultPath): Promise<readonly RemovedItem[]> {
    return this.removeEntry(await this.#entry(path));
  }

  async removeEntry({ path }: TreeRow): Promise<readonly RemovedItem[]> {
    const { tree } = this.#parts;
    this.#ask("take", path);
    const rows = await tree.rows.under(path);
    const items = rows.map((row) => removedItem(row, parentOf(path)));
    await this.#make(async () => {
      await tree.remove(rows);
      return () => [{ kind: "remove", path, items }];
    });
    return items;
  }

  async restore(path: VaultPath, items: readonly RemovedItem[]): Promise<void> {
    const { tree } = this.#parts;
    if ((await tree.rows.lookup(path)) !== null) throw alreadyExists(path);
    await this.#make(async () => {
      const madeFolders = await tree.makeParents(path, this.#now);
      for (const item of items) await this.#restoreItem(path, item);
      return () => [{ kind: "restore", path, items, madeFolders }];
    });
  }

  async #restoreItem(path: VaultPath, item: RemovedItem): Promise<void> {
    const { tree } = this.#parts;
    // The first item is the removed thing itself, under the name it had.
    const inside = item.name.split("/").slice(1).join("/");
    const place = rowPath(inside === "" ? path : joinPath(path, inside));
    if (item.kind === "folder") return tree.putFolder(place, this.#now);
    const bytes = item.kind === "file" ? await tree.blobs.read(item.bytes) : null;
    if (item.kind === "link")
      throw new ExpectedError(
        "invalid_argument",
        `${showPath(place)} was a link, which a vault in a database cannot have.`,
      );
    if (bytes === null)
      throw new ExpectedError("not_found", "The old bytes of this change are no longer kept.");
    await tree.put(place, bytes, null, { created: item.modified, modified: item.modified });
  }

  /** What is moved or removed; the root is in no folder. */
  async #entry(path: VaultPath): Promise<TreeRow> {
    const found = await this.#parts.tree.rows.find(path);
    if (found.kind === "missing" || found.path === "") throw notFound(path);
    return found;
  }

  /** The file that was seen. Throws {@link ChangedMeanwhile} when it is another now. */
  async #present({ path, version }: SeenFile): Promise<FileRow> {
    const found = await this.#parts.tree.rows.find(path);
    if (found.kind !== "file" || found.hash !== version.signature)
      throw new ChangedMeanwhile(showPath(path));
    return found;
  }

  /** Writes a file with the frontmatter that it must have. The history keeps it without: so an undo shows what the caller wrote. */
  async #put(path: VaultPath, bytes: Buffer, before: FileRow | null): Promise<FileVersion> {
    const times = { created: before?.created ?? this.#now, modified: this.#now };
    const hash = versionHash(bytes);
    const stamped = await this.#stamped({ path, bytes, hash, before, ...times });
    return { signature: await this.#parts.tree.put(path, stamped, before, times), hash };
  }

  async #stamped(file: {
    readonly path: VaultPath;
    readonly bytes: Buffer;
    readonly hash: string;
    readonly before: FileRow | null;
    readonly created: number;
    readonly modified: number;
  }): Promise<Buffer> {
    const { history, stamp } = this.#parts;
    const { path, bytes, hash, before, created, modified } = file;
    if (stamp === null || !isMarkdown(path) || !isTextBytes(bytes)) return bytes;
    const text = bytes.toString("utf8");
    const known = before?.version ?? null;
    const origin = async (): Promise<FileOrigin> =>
      known === null ? "made" : history.origin(path, known);
    const wanted = await stamp({ path, text, hash, created, modified, known, origin });
    if (wanted === null) return bytes;
    const stamped = stampFrontmatter(text, wanted);
    return stamped.kind === "left" || stamped.text === text ? bytes : Buffer.from(stamped.text);
  }
}

function removedItem(row: TreeRow, above: VaultPath): RemovedItem {
  const name = above === "" ? row.path : row.path.slice(above.length + 1);
  if (row.kind === "folder") return { kind: "folder", name, ...FOLDER };
  const { hash, modified, facts } = row;
  return { kind: "file", name, ...FILE, bytes: hash, size: facts.bytes, modified };
}
