import { ExpectedError } from "../../errors.ts";
import { notFound } from "../missing-path.ts";
import { BLOCK_WINDOW } from "../files/frontmatter.ts";
import { TREE_FILE } from "../files/generated-tree.ts";
import { holdsFrontmatter } from "../files/private-mark.ts";
import { textInMemory, type TextFile } from "../files/text-file.ts";
import type { Change, ChangeAuthor, HistoryEntry, HistoryQuery } from "../history/history-types.ts";
import { ambiguousChange, noSuchChange } from "../history/history.ts";
import { MovedPlaces, type MovesAfter } from "../history/moved-places.ts";
import type { Listed } from "../listing.ts";
import { nearKnownNames } from "../near-names.ts";
import { joinPath, nameKey, parentOf, showPath, type VaultPath } from "../paths.ts";
import { Folder, type FileNode, type TreeNode } from "../tree/folder-totals.ts";
import { generatedNode } from "../tree/tree-text.ts";
import type { FileFacts } from "../files/measure.ts";
import type { Totals } from "../tree/totals.ts";
import type { CallersVault, UndoAuthor, Undone, VaultItem, VaultWriter } from "../vault.ts";
import { canSayHidden, hidesFile, type ReadFilter } from "./read-filter.ts";
import { folderOf, visibleTree, withOwnListing } from "./visible-tree.ts";
import { visibleWriter } from "./visible-writer.ts";

/** Bytes in which most notes have all of their frontmatter. */
const USUAL_HEAD = 4096;

const MISSING = { kind: "missing" } as const;

/** One with a background job, and one in a database, knows of most notes already whether they say that they are private. */
type MeasuredVault = CallersVault & {
  readonly totals?: Pick<Totals, "isWarm" | "get" | "isLink">;
  readonly measured?: (paths: readonly VaultPath[]) => Promise<ReadonlyMap<VaultPath, FileFacts>>;
};

/**
 * A vault without what a caller may not see: the one gate for reading, below the tools. What is hidden is in no list, total or suggestion, cannot
 * be read or changed, and is answered as missing. What a caller does to a folder happens to what they see of it.
 */
export class VisibleVault implements CallersVault {
  readonly #base: MeasuredVault;
  readonly #filter: ReadFilter;
  /** Batches made through this gate: what a caller wrote into a note that says it is private can be taken back. */
  readonly #own = new Set<string>();

  constructor(base: MeasuredVault, filter: ReadFilter) {
    this.#base = base;
    this.#filter = filter;
  }

  async find(path: VaultPath): Promise<VaultItem | { readonly kind: "missing" }> {
    if (this.#filter.hidesPath(path)) return MISSING;
    const item = await this.#base.find(path);
    if (item.kind === "missing" || !(await this.#sees(item))) return MISSING;
    // A link to it as well.
    if (item.path !== TREE_FILE) return item;
    const listing = await this.#listing();
    return listing === null ? item : { ...item, size: Buffer.byteLength(listing) };
  }

  /** What is found at a path, links followed. */
  async #sees(item: VaultItem): Promise<boolean> {
    if (this.#filter.hidesPath(item.path)) return false;
    if (item.kind === "folder") return this.#seesFolder(item.path);
    if (hidesFile(this.#filter, item.path)) return false;
    if (!canSayHidden(this.#filter, item.path)) return true;
    // Not read again when it is the version that was measured; what is opened is judged by itself.
    const known = this.#known(item.path);
    const measured = known?.signature === item.version ? known.isPrivate : undefined;
    return !(item.isPrivate ?? measured ?? (await this.#saysHidden(item.path)));
  }

  /**
   * Those among versions of files, as an index has them, that the caller may know of. What was measured of a version says whether it is private, so
   * its file is not looked up here; whoever shows something of one looks it up.
   */
  async seesVersions(versions: ReadonlyMap<VaultPath, string>): Promise<Set<VaultPath>> {
    const named = [...versions].filter(([path]) => !hidesFile(this.#filter, path));
    const measured = await this.#base.measured?.(named.map(([path]) => path));
    const seen = new Set<VaultPath>();
    for (const [path, version] of named) {
      const known = measured?.get(path) ?? this.#known(path);
      const isOther = known?.signature !== version || this.#base.totals?.isLink(path) === true;
      const isPrivate = canSayHidden(this.#filter, path) ? known?.isPrivate : false;
      const isSeen =
        isOther || isPrivate === undefined
          ? (await this.find(path)).kind !== "missing"
          : !isPrivate;
      if (isSeen) seen.add(path);
    }
    return seen;
  }

  #known(path: VaultPath): FileFacts | null {
    const { totals } = this.#base;
    const node = totals?.isWarm === true ? totals.get(path) : null;
    return node?.kind === "file" ? node.facts : null;
  }

  /** A folder that holds only what is hidden is hidden; an empty one is not, unless it is only passed. */
  async #seesFolder(folder: VaultPath): Promise<boolean> {
    if (folder === "") return true;
    let listed: Listed[];
    try {
      listed = await this.#base.list(folder);
    } catch (error) {
      // One that may not be listed shows nothing.
      if (error instanceof ExpectedError) return !hidesFile(this.#filter, folder);
      throw error;
    }
    for (const each of listed) if (await this.#seesListed(each)) return true;
    return listed.length === 0 && !hidesFile(this.#filter, folder);
  }

  async #seesListed({ path, kind, isLink }: Listed): Promise<boolean> {
    if (this.#filter.hidesPath(path)) return false;
    if (kind === "folder") return this.#seesFolder(path);
    if (hidesFile(this.#filter, path)) return false;
    if (isLink) return (await this.find(path)).kind !== "missing";
    if (!canSayHidden(this.#filter, path)) return true;
    // Of a note that was read before, the name at least is known already.
    return !(this.#known(path)?.isPrivate ?? (await this.#saysHidden(path)));
  }

  /** What a note says of itself now. One that cannot be read says nothing, and is not shown either. */
  async #saysHidden(path: VaultPath): Promise<boolean> {
    try {
      const { bytes, size } = await this.#base.readBytes(path, USUAL_HEAD);
      const head = bytes.toString("utf8");
      if (holdsFrontmatter(head, size <= bytes.length)) return this.#hidesNote(head);
      const more = await this.#base.readBytes(path, BLOCK_WINDOW);
      return this.#hidesNote(more.bytes.toString("utf8"));
    } catch (error) {
      if (error instanceof ExpectedError) return false;
      throw error;
    }
  }

  #hidesNote(text: string): boolean {
    return this.#filter.hidesNote?.(text) ?? false;
  }

  async get(path: VaultPath): Promise<VaultItem> {
    const found = await this.find(path);
    if (found.kind !== "missing") return found;
    const listing = path === TREE_FILE ? await this.#listing() : null;
    if (path === TREE_FILE && !hidesFile(this.#filter, path) && (await this.isGenerated(path))) {
      const item = await this.#base.get(path);
      return listing === null ? item : { ...item, size: Buffer.byteLength(listing) };
    }
    throw await this.#notFound(path);
  }

  /** As for something that is not there: names near it are those that the caller sees. */
  async #notFound(path: VaultPath): Promise<ExpectedError> {
    const near = nearKnownNames(path, await this.#root());
    if (near.length > 0)
      return notFound(path, ` Did you mean ${near.map((name) => showPath(name)).join(", or ")}?`);
    let above = parentOf(path);
    while (above !== "" && (await this.find(above)).kind !== "folder") above = parentOf(above);
    return notFound(path, ` Look with tree("${showPath(above, "folder")}").`);
  }

  async list(path: VaultPath): Promise<Listed[]> {
    await this.get(path);
    const listed: Listed[] = [];
    for (const each of await this.#base.list(path))
      if (await this.#seesListed(each)) listed.push(each);
    return listed;
  }

  async *walk(path: VaultPath): AsyncGenerator<Listed> {
    await this.get(path);
    for await (const each of this.#base.walk(path)) if (await this.#seesListed(each)) yield each;
  }

  async openText(path: VaultPath): Promise<TextFile> {
    const file = await this.#openBase(path);
    const listing = file.path === TREE_FILE ? await this.#listing() : null;
    if (listing !== null) return textInMemory(path, listing);
    // Of what was opened, since another program may have written it meanwhile.
    const head = canSayHidden(this.#filter, file.path) ? beginningOf(file) : "";
    if (hidesFile(this.#filter, file.path) || this.#hidesNote(head))
      throw await this.#notFound(path);
    return file;
  }

  /** Without looking it up first, since what it is shows when it is open. */
  async #openBase(path: VaultPath): Promise<TextFile> {
    if (this.#filter.hidesPath(path)) throw await this.#notFound(path);
    try {
      return await this.#base.openText(path);
    } catch (error) {
      // Why it cannot be opened is not said of what is hidden.
      if (error instanceof ExpectedError) await this.get(path);
      throw error;
    }
  }

  async readBytes(path: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    const item = await this.get(path);
    const listing = item.path === TREE_FILE ? await this.#listing() : null;
    if (listing !== null) {
      const bytes = Buffer.from(listing);
      return { bytes: bytes.subarray(0, most), size: bytes.length };
    }
    if (!canSayHidden(this.#filter, item.path)) return this.#base.readBytes(path, most);
    const { bytes, size } = await this.#base.readBytes(path, Math.max(most, BLOCK_WINDOW));
    if (this.#hidesNote(bytes.subarray(0, BLOCK_WINDOW).toString("utf8")))
      throw await this.#notFound(path);
    return { bytes: bytes.subarray(0, most), size };
  }

  async shape(path: VaultPath, how?: "glance"): Promise<TreeNode> {
    const item = await this.get(path);
    const listing = item.path === TREE_FILE ? await this.#listing() : null;
    const node = await this.#base.shape(path, how);
    if (listing !== null && node.kind === "file") return generatedNode(listing, node.facts.changed);
    if (path === "") return this.#rootOf(node);
    const visible = await this.#visible(node);
    if (visible === null) throw await this.#notFound(path);
    return visible;
  }

  async #visible(node: TreeNode): Promise<TreeNode | null> {
    const sees = (file: FileNode): boolean | Promise<boolean> => {
      if (hidesFile(this.#filter, file.path)) return false;
      if (!canSayHidden(this.#filter, file.path)) return true;
      const { isPrivate } = file.facts;
      return isPrivate === undefined ? this.#saysHidden(file.path).then((is) => !is) : !isPrivate;
    };
    const hidesFolder = ({ path }: TreeNode, isEmpty: boolean): boolean =>
      this.#filter.hidesPath(path) || (isEmpty && hidesFile(this.#filter, path));
    return visibleTree(node, sees, hidesFolder);
  }

  /** All that the caller sees, with a listing of that. */
  async #root(): Promise<Folder> {
    return this.#rootOf(await this.#base.shape(""));
  }

  async #rootOf(whole: TreeNode): Promise<Folder> {
    const visible = await this.#visible(whole);
    if (visible?.kind !== "folder") return new Folder("");
    if (visible === whole && visible instanceof Folder) return visible;
    return withOwnListing(folderOf("", visible.children())).root;
  }

  /** The text of `tree.md` for this caller; null when it is the person's own, or names nothing that is hidden. */
  async #listing(): Promise<string | null> {
    if (hidesFile(this.#filter, TREE_FILE) || !(await this.#base.isGenerated(TREE_FILE)))
      return null;
    const whole = await this.#base.shape("");
    const visible = await this.#visible(whole);
    if (visible === whole || visible?.kind !== "folder") return null;
    return withOwnListing(folderOf("", visible.children())).text;
  }

  async isGenerated(path: VaultPath): Promise<boolean> {
    return !hidesFile(this.#filter, path) && this.#base.isGenerated(path);
  }

  async change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }> {
    if (author.batch !== null) this.#own.add(author.batch);
    return this.#base.change(author, async (inner) =>
      work(visibleWriter(inner, { visible: this, base: this.#base, filter: this.#filter })),
    );
  }

  async log(query: HistoryQuery): Promise<HistoryEntry[]> {
    // More are asked for while hidden ones leave too few.
    for (let limit = query.limit; ; limit = limit * 4 + 100) {
      const all = await this.#base.log({ ...query, limit });
      const moved = await this.#movedSince(all);
      const seen: HistoryEntry[] = [];
      for (const entry of all) {
        if (seen.length === query.limit) break;
        if (await this.#seesEntry(entry, moved)) seen.push(entry);
      }
      if (seen.length === query.limit || all.length < limit) return seen;
    }
  }

  /** One that touched something hidden is as unknown as one that never was. */
  async entries(id: string): Promise<HistoryEntry[]> {
    let entries: HistoryEntry[];
    try {
      entries = await this.#base.entries(id);
    } catch (error) {
      if (!(error instanceof ExpectedError) || error.code !== "ambiguous") throw error;
      entries = await this.#seenNamed(id);
    }
    const moved = await this.#movedSince(entries);
    for (const entry of entries) if (!(await this.#seesEntry(entry, moved))) throw noSuchChange(id);
    return entries;
  }

  /** Ids of hidden changes make none of the others ambiguous. */
  async #seenNamed(id: string): Promise<HistoryEntry[]> {
    const seen = await this.log({ path: null, limit: Number.MAX_SAFE_INTEGER });
    const named = seen.filter((entry) => entry.id.startsWith(id));
    if (named.length === 0) throw noSuchChange(id);
    if (named.length > 1)
      throw ambiguousChange(
        id,
        named.map((entry) => entry.id),
      );
    return named;
  }

  async #movedSince(entries: readonly HistoryEntry[]): Promise<MovedPlaces> {
    return new MovedPlaces(await this.#base.movesAfter(entries.map(({ id }) => id)));
  }

  /**
   * One of which every place may be seen: by its name, by where what was there is now, and by what hid it then, which moved with its folder. So
   * neither a move out of what is hidden nor one into it shows what was hidden before.
   */
  async #seesEntry(entry: HistoryEntry, moved: MovedPlaces): Promise<boolean> {
    const isOwn = entry.batch !== null && this.#own.has(entry.batch);
    for (const change of entry.changes) {
      const nowAt = moved.after(entry, change);
      for (const path of placesOf(change)) {
        const now = nowAt(path);
        if (hidesFile(this.#filter, path) || hidesFile(this.#filter, now)) return false;
        if (this.#filter.hidesOld(path, nowAt)) return false;
        if (isOwn || this.#filter.hidesNote === null) continue;
        if ((await this.#isHiddenNote(path)) || (now !== path && (await this.#isHiddenNote(now))))
          return false;
      }
    }
    return true;
  }

  async #isHiddenNote(path: VaultPath): Promise<boolean> {
    return (
      (await this.find(path)).kind === "missing" && (await this.#base.find(path)).kind !== "missing"
    );
  }

  async movesAfter(ids: readonly string[]): Promise<MovesAfter> {
    return this.#base.movesAfter(ids);
  }

  async undo(id: string, author: UndoAuthor): Promise<Undone> {
    await this.entries(id);
    return this.#base.undo(id, author);
  }

  onChange(listener: (change: Change) => void): () => void {
    return this.#base.onChange((change) => {
      if (!placesOf(change).some((path) => hidesFile(this.#filter, path))) listener(change);
    });
  }
}

/** Every path that a change names, those of removed files included. */
export function placesOf(change: Change): VaultPath[] {
  if (change.kind === "move") return [change.path, change.to];
  if (change.kind === "remove" || change.kind === "restore") {
    const folder = parentOf(change.path);
    return [change.path, ...change.items.map(({ name }) => joinPath(folder, nameKey(name)))];
  }
  return [change.path];
}

/** As much of a note as holds its frontmatter. */
function beginningOf(file: TextFile): string {
  const usual = file.head(USUAL_HEAD).lines;
  const head = usual.join("\n");
  if (holdsFrontmatter(head, usual.length === file.totalLines)) return head;
  return file.head(BLOCK_WINDOW).lines.join("\n");
}
