import { setImmediate as nextTurn } from "node:timers/promises";

import { isIgnoreFile } from "../../vault/ignore-file.ts";
import type { IgnoreRules } from "../../vault/ignore-rules.ts";
import { showPath } from "../../vault/paths.ts";
import { ChangeBatch } from "./change-batch.ts";
import { FolderTree, ITSELF, type WatchedFolder } from "./folder-tree.ts";
import { isEmptyFolder, kindOf } from "./watch-disk.ts";
import { describeFailure, describeLostRoot } from "./watch-problem.ts";
import type { Watcher, WatcherOptions, WatchPlace } from "./watcher.ts";

/** Folders scanned between two turns of the event loop, at the start. */
const SLICE = 500;

/**
 * One watch per folder: on Linux no other way loses no event. An event is only a hint where to compare with the disk, which is done
 * a moment later.
 */
export class FolderWatcher implements Watcher {
  readonly #root: string;
  readonly #tree: FolderTree;
  readonly #batch: ChangeBatch;
  readonly #ignore: IgnoreRules;
  readonly #onIgnoreFile: () => void;
  /** Names to compare with the disk before the next report. */
  #hints = new Map<WatchedFolder, Set<string>>();
  #hadContent = false;
  #isStarting = true;
  #isClosed = false;

  constructor(options: WatcherOptions, watch: WatchPlace) {
    const { root, ignore, onIgnoreFile } = options;
    this.#root = root;
    this.#ignore = ignore;
    this.#onIgnoreFile = onIgnoreFile;
    this.#batch = new ChangeBatch(options, () => this.#compareWithDisk());
    this.#tree = new FolderTree({
      root,
      ignore,
      watch,
      // What is found at the start is not a change.
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
    this.#reportState();
  }

  rescan(): void {
    if (this.#isStarting || this.#isClosed) return;
    this.#ignore.invalidate();
    if (!this.#tree.root.isGone) this.#tree.scan(this.#tree.root, { reportAll: false });
    else if (this.#isRootBack()) {
      this.#tree.replant();
      this.#batch.markBurst();
      this.#tree.scan(this.#tree.root, { reportAll: false });
    }
    this.#reportState();
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
    if (isIgnoreFile(name)) {
      this.#ignore.invalidate();
      return this.#onIgnoreFile();
    }
    if (name.startsWith(".") && name !== ITSELF) return;
    if (folder.isLeftOut(name, false)) return;
    this.#addHint(folder, name);
    if (name === ITSELF) return;
    const known = folder.folders.get(name);
    if (known === undefined) this.#batch.add(folder.pathOf(name));
    // A watch follows its folder to a new place: its later events are not about the old one.
    else if (!known.isStill()) this.#tree.forget(known);
  }

  #onError(): void {
    if (this.#isClosed) return;
    this.#batch.markBurst();
    if (!this.#isStarting) this.#reportState();
  }

  #addHint(folder: WatchedFolder, name: string): void {
    const names = this.#hints.get(folder);
    if (names === undefined) this.#hints.set(folder, new Set([name]));
    else names.add(name);
  }

  #compareWithDisk(): void {
    const hints = this.#hints;
    this.#hints = new Map();
    const { root } = this.#tree;
    if (!root.isGone && !root.isStill()) this.#tree.forget(root);
    for (const [folder, names] of hints) {
      if (folder.isGone) continue;
      // Gone without an event: a disk was unmounted, or the event was lost.
      if (folder.parent !== null && !folder.isStill())
        this.#compareName(folder.parent, folder.name);
      else for (const name of names) this.#compareName(folder, name);
    }
    this.#reportState();
  }

  #compareName(folder: WatchedFolder, name: string): void {
    if (folder.isGone) return;
    if (name === ITSELF) {
      // It may have been deleted and made again with the same inode. For other folders, the parent's events show that.
      if (folder.parent === null) this.#tree.scan(folder, { reportAll: true });
      return;
    }
    const known = folder.folders.get(name);
    const kind = kindOf(folder.placeOf(name));
    if (kind === "folder" && folder.isLeftOut(name, true)) return;
    if (kind === "file") folder.files.add(name);
    else folder.files.delete(name);
    if (kind === "folder") {
      // Even a known one may be another by now: the inode of a deleted folder is reused at once.
      this.#tree.scan(known ?? this.#tree.adopt(folder, name), { reportAll: true });
    } else if (known !== undefined) this.#tree.forget(known);
  }

  /** An empty folder where there was content is what an unmounted disk leaves: it is not taken for the vault. */
  #isRootBack(): boolean {
    return kindOf(this.#root) === "folder" && !(this.#hadContent && isEmptyFolder(this.#root));
  }

  /** Reports a problem, or that it is over. When the root is gone no file is reported: none was deleted. */
  #reportState(): void {
    const { root, unwatched } = this.#tree;
    if (root.isGone) {
      this.#hadContent ||= root.files.size + root.folders.size > 0;
      this.#batch.drop();
      return this.#batch.reportProblem(describeLostRoot(this.#root));
    }
    for (const { failure, path } of unwatched) {
      const problem = failure === null ? null : describeFailure(failure, showPath(path, "folder"));
      if (problem !== null) return this.#batch.reportProblem(problem);
    }
    this.#batch.reportProblem(null);
  }
}
