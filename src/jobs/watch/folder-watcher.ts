import { setImmediate as nextTurn } from "node:timers/promises";

import { showPath } from "../../vault/paths.ts";
import { ChangeBatch } from "../change-batch.ts";
import { FolderTree, ITSELF } from "./folder-tree.ts";
import { isEmptyFolder, kindOf } from "./watch-disk.ts";
import { describeFailure, describeLostRoot, ProblemTeller } from "./watch-problem.ts";
import type { WatchedFolder } from "./watched-folder.ts";
import type { Watcher, WatcherOptions, WatchPlace } from "./watcher.ts";

/** Folders looked into between two turns of the event loop, at the start. */
const SLICE = 500;

/**
 * One watch per folder, since Linux has no other that loses nothing. An event is only a hint of where to look: when things
 * have settled, the disk is looked at, and what is there then counts.
 */
export class FolderWatcher implements Watcher {
  readonly #root: string;
  readonly #tree: FolderTree;
  readonly #batch: ChangeBatch;
  readonly #problem: ProblemTeller;
  /** Names to look at when things have settled. */
  #looks = new Map<WatchedFolder, Set<string>>();
  #hadContent = false;
  #isStarting = true;
  #isClosed = false;

  constructor({ root, settle, onChanges, onProblem }: WatcherOptions, watch: WatchPlace) {
    this.#root = root;
    this.#problem = new ProblemTeller(onProblem);
    this.#batch = new ChangeBatch({ settle, onChanges, look: () => this.#look() });
    this.#tree = new FolderTree({
      root,
      watch,
      // What is found at the start is no news.
      onFound: (folder, name) => {
        if (!this.#isStarting) this.#batch.add(folder.pathOf(name));
      },
      onGone: (path) => this.#batch.add(path),
      onEvent: (folder, name) => this.#onEvent(folder, name),
      onError: () => this.#onError(),
    });
  }

  get folders(): number {
    return this.#tree.watched.size;
  }

  get unwatched(): number {
    return this.#tree.root.isGone ? 1 : this.#tree.unwatched.size;
  }

  async start(): Promise<void> {
    const waiting = [this.#tree.root];
    while (waiting.length > 0 && !this.#isClosed) {
      this.#tree.scanSome(waiting, SLICE);
      await nextTurn();
    }
    if (this.#isClosed) return;
    this.#isStarting = false;
    this.#batch.release();
    this.#takeStock();
  }

  rescan(): void {
    if (this.#isStarting || this.#isClosed) return;
    if (!this.#tree.root.isGone) this.#tree.scan(this.#tree.root, { tellAll: false });
    else if (this.#isRootBack()) {
      this.#tree.replant();
      this.#batch.markBurst();
      this.#tree.scan(this.#tree.root, { tellAll: false });
    }
    this.#takeStock();
  }

  close(): void {
    this.#isClosed = true;
    this.#batch.close();
    this.#tree.close();
  }

  #onEvent(folder: WatchedFolder, name: string | null): void {
    if (this.#isClosed) return;
    this.#batch.countEvent();
    if (folder.isGone) return;
    if (name === null) return this.#batch.markBurst();
    if (name.startsWith(".") && name !== ITSELF) return;
    this.#lookLater(folder, name);
    if (name === ITSELF) return;
    const known = folder.folders.get(name);
    if (known === undefined) this.#batch.add(folder.pathOf(name));
    // A watch follows its folder to a new place: what it says from here on is not about the old one.
    else if (!known.isStill()) this.#tree.forget(known);
  }

  #onError(): void {
    if (this.#isClosed) return;
    this.#batch.markBurst();
    if (!this.#isStarting) this.#takeStock();
  }

  #lookLater(folder: WatchedFolder, name: string): void {
    const names = this.#looks.get(folder);
    if (names === undefined) this.#looks.set(folder, new Set([name]));
    else names.add(name);
  }

  #look(): void {
    const looks = this.#looks;
    this.#looks = new Map();
    const { root } = this.#tree;
    if (!root.isGone && !root.isStill()) this.#tree.forget(root);
    for (const [folder, names] of looks) {
      if (folder.isGone) continue;
      // It went without a word: a disk was unmounted, or the word was lost.
      if (folder.parent !== null && !folder.isStill()) this.#lookAt(folder.parent, folder.name);
      else for (const name of names) this.#lookAt(folder, name);
    }
    this.#takeStock();
  }

  #lookAt(folder: WatchedFolder, name: string): void {
    if (folder.isGone) return;
    if (name === ITSELF) {
      // Deleted, and made again with the same number? Of the other folders, the parent tells.
      if (folder.parent === null) this.#tree.scan(folder, { tellAll: true });
      return;
    }
    const known = folder.folders.get(name);
    const kind = kindOf(folder.placeOf(name));
    if (kind === "file") folder.files.add(name);
    else folder.files.delete(name);
    if (kind === "folder") {
      // Even one that is known may be another by now: the number of a deleted folder is given again at once.
      this.#tree.scan(known ?? this.#tree.adopt(folder, name), { tellAll: true });
    } else if (known !== undefined) this.#tree.forget(known);
  }

  /** An empty folder where there was content is what a disk that is not mounted leaves: it is not taken for the vault. */
  #isRootBack(): boolean {
    return kindOf(this.#root) === "folder" && !(this.#hadContent && isEmptyFolder(this.#root));
  }

  /** Tells what the person should know. Of a root that is gone no file is reported: none was deleted. */
  #takeStock(): void {
    const { root, unwatched } = this.#tree;
    if (root.isGone) {
      this.#hadContent ||= root.files.size + root.folders.size > 0;
      this.#batch.drop();
      return this.#problem.tell(describeLostRoot(this.#root));
    }
    for (const { failure, path } of unwatched) {
      const problem = failure === null ? null : describeFailure(failure, showPath(path, "folder"));
      if (problem !== null) return this.#problem.tell(problem);
    }
    this.#problem.tell(null);
  }
}
