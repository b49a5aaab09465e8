import path from "node:path";

import { errnoOf } from "../../errors.ts";
import { isIgnoreFile } from "../../vault/ignore-file.ts";
import type { IgnoreRules } from "../../vault/ignore-rules.ts";
import { joinPath, nameKey, showPath, type VaultPath } from "../../vault/paths.ts";
import { ChangeBatch } from "./change-batch.ts";
import { isSame, kindOf, namesIn, statsOf, type Identity } from "./watch-disk.ts";
import { describeFailure, describeLostRoot } from "./watch-problem.ts";
import type { Watch, Watcher, WatcherOptions, WatchPlace } from "./watcher.ts";

/** One watch for the whole tree, where the system has such a thing. It keeps no list of names: events are passed on as they come. */
export class RecursiveWatcher implements Watcher {
  readonly #root: string;
  readonly #watchPlace: WatchPlace;
  readonly #batch: ChangeBatch;
  readonly #ignore: IgnoreRules;
  readonly #onIgnoreFile: () => void;
  /** Names from the root, as they are on disk, and whether they may be new. */
  #hints = new Map<string, boolean>();
  #identity: Identity | null = null;
  #watch: Watch | null = null;
  #isClosed = false;

  constructor(options: WatcherOptions, watch: WatchPlace) {
    this.#root = options.root;
    this.#ignore = options.ignore;
    this.#onIgnoreFile = options.onIgnoreFile;
    this.#watchPlace = watch;
    this.#batch = new ChangeBatch(options, () => this.#compareWithDisk());
  }

  get folders(): number {
    return this.#watch === null ? 0 : 1;
  }

  get unwatched(): number {
    return this.#watch === null ? 1 : 0;
  }

  start(): Promise<void> {
    if (!this.#isClosed) {
      this.#attach();
      this.#batch.release();
    }
    return Promise.resolve();
  }

  rescan(): void {
    if (this.#isClosed) return;
    if (this.#watch !== null && this.#isRootStill()) return;
    this.#attach();
    if (this.#watch !== null) this.#batch.markBurst();
  }

  close(): void {
    this.#isClosed = true;
    this.#batch.close();
    this.#detach();
  }

  #attach(): void {
    this.#detach();
    this.#identity = statsOf(this.#root);
    if (this.#identity === null) return this.#batch.reportProblem(describeLostRoot(this.#root));
    try {
      const watch = this.#watchPlace(this.#root, { recursive: true }, (type, name) => {
        if (this.#watch === watch) this.#onEvent(type, name);
      });
      this.#watch = watch;
      watch.on("error", (error) => {
        if (this.#watch === watch) this.#fail(error);
      });
      this.#batch.reportProblem(null);
    } catch (error) {
      this.#fail(error);
    }
  }

  #detach(): void {
    this.#watch?.close();
    this.#watch = null;
  }

  #fail(error: unknown): void {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    this.#detach();
    this.#batch.markBurst();
    const failed = describeFailure({ step: "watch", errno }, showPath("", "folder"));
    this.#batch.reportProblem(this.#isRootStill() ? failed : describeLostRoot(this.#root));
  }

  #onEvent(type: string, name: string | null): void {
    this.#batch.countEvent();
    // Windows reports lost events so.
    if (name === null) return this.#batch.markBurst();
    if (isIgnoreFile(path.basename(name))) {
      this.#ignore.invalidate();
      this.#onIgnoreFile();
    }
    if (name.split(path.sep).some((each) => each.startsWith("."))) return;
    this.#hints.set(name, type === "rename" || this.#hints.get(name) === true);
  }

  #compareWithDisk(): void {
    const hints = this.#hints;
    this.#hints = new Map();
    if (this.#watch === null) return;
    if (!this.#isRootStill()) {
      this.#detach();
      this.#batch.drop();
      return this.#batch.reportProblem(describeLostRoot(this.#root));
    }
    for (const [name, isNew] of hints) {
      const place = path.join(this.#root, name);
      const key = name.split(path.sep).map(nameKey).join("/");
      const isFolder = kindOf(place) === "folder";
      if (this.#ignore.judge(name.split(path.sep), isFolder ? "folder" : "file") !== null) continue;
      // Windows reports a folder as changed when something in it did.
      if (isNew || !isFolder) this.#batch.add(key);
      if (isNew && isFolder) this.#addBelow(place, key);
    }
  }

  /** A folder that is moved in raises one event, whatever it holds. */
  #addBelow(place: string, folder: VaultPath): void {
    try {
      const { files, folders } = namesIn(place, (entries) => this.#ignore.inFolder(place, entries));
      for (const name of files) this.#batch.add(joinPath(folder, nameKey(name)));
      for (const name of folders) {
        const below = joinPath(folder, nameKey(name));
        this.#batch.add(below);
        this.#addBelow(path.join(place, name), below);
      }
    } catch (error) {
      // Gone again, or not readable.
      if (errnoOf(error) === null) throw error;
    }
  }

  #isRootStill(): boolean {
    const stats = statsOf(this.#root);
    return this.#identity !== null && stats !== null && isSame(this.#identity, stats);
  }
}
