import { versionHash, type FileVersion } from "../files/version.ts";
import type { TextFile } from "../files/text-file.ts";
import type { ErasedHistory, Erasure } from "../history/erase-history.ts";
import type {
  Change,
  ChangeAuthor,
  FileOrigin,
  HistoryEntry,
  HistoryQuery,
} from "../history/history-types.ts";
import type { MovesAfter } from "../history/moved-places.ts";
import type { Listed } from "../listing.ts";
import { compareNames, isUnder, parentOf, type VaultPath } from "../paths.ts";
import type { Scanned } from "../scan.ts";
import { Folder, type FileNode, type TreeNode } from "../tree/folder-totals.ts";
import type { UndoAuthor, Undone, Vault, VaultItem, VaultReader, VaultWriter } from "../vault.ts";
import type { PlanStamp, StampResult } from "../write/stamper.ts";
import type { OverlayStore } from "./overlay-store.ts";
import { overlayWriter, type CopyingVault } from "./overlay-writer.ts";

/**
 * A vault in which changes are tried before they are made: it shows another vault, and keeps everything that is changed, with its history, in a
 * store of its own. A file is copied there before it is changed, moved or removed.
 */
export class OverlayVault implements Vault, CopyingVault {
  readonly base: VaultReader;
  readonly #store: OverlayStore;
  readonly #copies: Vault;
  /** Hashes of the person's text of files of the base, when they were copied. */
  #brought = new Map<VaultPath, string>();
  /** What was moved or removed: paths of files, and of folders with all under them. */
  readonly #gone = new Set<VaultPath>();
  readonly #touched = new Set<VaultPath>();

  constructor(base: VaultReader, store: OverlayStore) {
    this.base = base;
    this.#store = store;
    this.#copies = store.copies;
    this.#copies.onChange((change) => this.note(change));
  }

  /** All changes that were tried and not taken back, oldest first. */
  async changes(): Promise<Change[]> {
    const entries = await this.#copies.log({ path: null, limit: Number.MAX_SAFE_INTEGER });
    return entries
      .filter(({ undoes, undoneBy }) => undoes === null && undoneBy === null)
      .toReversed()
      .flatMap((entry) => entry.changes);
  }

  /** Every file that is kept here: those of the base that were copied, and new ones. */
  async copied(): Promise<VaultPath[]> {
    return Array.fromAsync(this.#copies.walk(""), ({ path: place }) => place);
  }

  async keepLarge(bytes: Buffer): Promise<void> {
    await this.#store.keepLarge(bytes);
  }

  /** The bytes of a new file that {@link keepLarge} kept. */
  async largeBytes(version: FileVersion): Promise<Buffer> {
    return this.#store.large(version);
  }

  /** The files of the base that were copied, with the hash that each had. */
  get brought(): ReadonlyMap<VaultPath, string> {
    return this.#brought;
  }

  note(change: Change): void {
    if (change.kind === "move" || change.kind === "remove") this.#gone.add(change.path);
    this.#touched.add(change.path);
    if (change.kind === "move") this.#touched.add(change.to);
  }

  #isHidden(place: VaultPath): boolean {
    for (let at = place; at !== ""; at = parentOf(at)) if (this.#gone.has(at)) return true;
    return false;
  }

  /** The vault that has what a path names; links followed. */
  async locate(place: VaultPath): Promise<{ in: VaultReader; item: VaultItem } | null> {
    const copy = await this.#copies.find(place);
    if (copy.kind === "file") return { in: this.#copies, item: copy };
    const found = this.#isHidden(place) ? null : await this.base.find(place);
    if (found !== null && found.kind !== "missing") {
      const isOther = found.path !== place && found.kind === "file";
      if (!isOther) return { in: this.base, item: found };
      const target = await this.locate(found.path);
      if (target !== null) return target;
    }
    return copy.kind === "missing" ? null : { in: this.#copies, item: copy };
  }

  /** Copies a file of the base. Resolves to where it is, links followed. */
  async bring(place: VaultPath): Promise<VaultPath> {
    const found = await this.locate(place);
    if (found === null || found.in !== this.base || found.item.kind !== "file")
      return found?.item.path ?? place;
    const at = found.item.path;
    const { bytes } = await this.base.readBytes(at, Number.MAX_SAFE_INTEGER);
    const hash = versionHash(bytes);
    await this.#store.bring(at, bytes, hash);
    this.#brought.set(at, hash);
    return at;
  }

  /** Copies a file, or a folder with all under it. */
  async bringAll(place: VaultPath): Promise<void> {
    const { kind } = await this.get(place);
    if (kind !== "folder") await this.bring(place);
    else {
      await this.#store.makeFolder(place);
      for (const { path: inside } of await Array.fromAsync(this.walk(place)))
        await this.bring(inside);
    }
  }

  async find(place: VaultPath): Promise<VaultItem | { readonly kind: "missing" }> {
    return (await this.locate(place))?.item ?? { kind: "missing" };
  }

  /** The vault to ask, also for its refusal when nothing is there. */
  async #asked(place: VaultPath): Promise<VaultReader> {
    const found = await this.locate(place);
    return found?.in ?? (this.#isHidden(place) ? this.#copies : this.base);
  }

  async get(place: VaultPath): Promise<VaultItem> {
    const found = await this.locate(place);
    return found?.item ?? (await this.#asked(place)).get(place);
  }

  async list(place: VaultPath): Promise<Listed[]> {
    const { kind } = await this.get(place);
    if (kind !== "folder") return (await this.#asked(place)).list(place);
    const listed = new Map<string, Listed>();
    const isInBase = !this.#isHidden(place) && (await this.base.find(place)).kind === "folder";
    for (const each of isInBase ? await this.base.list(place) : [])
      if (!this.#isHidden(each.path)) listed.set(each.name, each);
    const isCopied = (await this.#copies.find(place)).kind === "folder";
    for (const each of isCopied ? await this.#copies.list(place) : []) listed.set(each.name, each);
    return [...listed.values()].toSorted((a, b) =>
      a.kind === b.kind ? compareNames(a.name, b.name) : a.kind === "folder" ? -1 : 1,
    );
  }

  async *walk(place: VaultPath): AsyncGenerator<Listed> {
    for (const each of await this.list(place)) {
      if (each.kind === "folder") yield* this.walk(each.path);
      else yield each;
    }
  }

  async openText(place: VaultPath): Promise<TextFile> {
    return (await this.#asked(place)).openText(place);
  }

  async readBytes(place: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    return (await this.#asked(place)).readBytes(place, most);
  }

  async isGenerated(place: VaultPath): Promise<boolean> {
    return (await this.#asked(place)).isGenerated(place);
  }

  async shape(place: VaultPath, how?: "glance"): Promise<TreeNode> {
    const found = await this.locate(place);
    if (found?.item.kind !== "folder") return (await this.#asked(place)).shape(place);
    return this.#isTouched(place) ? this.#shapeOf(place) : this.base.shape(place, how);
  }

  /** Whether something in a folder differs from the base. */
  #isTouched(place: VaultPath): boolean {
    return [...this.#touched].some((each) => isUnder(each, place));
  }

  async #shapeOf(place: VaultPath): Promise<Folder> {
    const folder = new Folder(place);
    for (const { kind, name, path: inside } of await this.list(place)) {
      const node = kind === "folder" ? await this.#shapeOf(inside) : await this.#fileNode(inside);
      if (node !== null) folder.nodes.set(name, node);
    }
    folder.sum();
    return folder;
  }

  async #fileNode(place: VaultPath): Promise<FileNode | null> {
    const node = await (await this.#asked(place)).shape(place);
    return node.kind === "file" ? node : null;
  }

  async change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }> {
    try {
      return await this.#copies.change(author, async (inner) => {
        await this.refresh();
        return work(overlayWriter(this, inner));
      });
    } catch (error) {
      // What was noted of a change may be gone with it.
      await this.refresh();
      throw error;
    }
  }

  log(query: HistoryQuery): Promise<HistoryEntry[]> {
    return this.#copies.log(query);
  }

  entries(id: string): Promise<HistoryEntry[]> {
    return this.#copies.entries(id);
  }

  movesAfter(ids: readonly string[]): Promise<MovesAfter> {
    return this.#copies.movesAfter(ids);
  }

  kept(hash: string): Promise<Buffer> {
    return this.#copies.kept(hash);
  }

  historySize(): Promise<{ entries: number; bytes: number }> {
    return this.#copies.historySize();
  }

  undo(id: string, author: UndoAuthor): Promise<Undone> {
    return this.#copies.undo(id, author);
  }

  onChange(listener: (change: Change) => void): () => void {
    return this.#copies.onChange(listener);
  }

  close(): void {
    this.#copies.close();
  }

  /* Of the history and files that are only tried. */

  scan(): Promise<readonly Scanned[]> {
    return this.#copies.scan();
  }

  origin(place: VaultPath, hash: string): Promise<FileOrigin> {
    return this.#copies.origin(place, hash);
  }

  unpin(): Promise<number> {
    return this.#copies.unpin();
  }

  erase(erasure: Erasure, isDry: boolean): Promise<ErasedHistory> {
    return this.#copies.erase(erasure, isDry);
  }

  stamp(place: VaultPath, decide: PlanStamp): Promise<StampResult> {
    return this.#copies.stamp(place, decide);
  }

  /** Takes over what was changed before it was opened, or by another process. */
  async restore(): Promise<void> {
    const [brought, changes] = [await this.#store.brought(), await this.changes()];
    this.#brought = brought;
    this.#gone.clear();
    this.#touched.clear();
    for (const change of changes) this.note(change);
  }

  /** The same, where another process may have changed it. */
  async refresh(): Promise<void> {
    if (this.#store.isShared) await this.restore();
  }
}

/** Opens an overlay: a new one in an empty store, or one that was kept there. */
export async function openOverlayIn(base: VaultReader, store: OverlayStore): Promise<OverlayVault> {
  const overlay = new OverlayVault(base, store);
  await overlay.restore();
  return overlay;
}
