import path from "node:path";

import { errnoOf } from "../../errors.ts";
import { joinPath, nameKey, showPath, type VaultPath } from "../../vault/paths.ts";
import { ChangeBatch } from "../change-batch.ts";
import { isSame, kindOf, namesIn, statsOf, type Identity } from "./watch-disk.ts";
import { describeFailure, describeLostRoot, ProblemTeller } from "./watch-problem.ts";
import type { Watch, Watcher, WatcherOptions, WatchPlace } from "./watcher.ts";

/** One watch for the whole tree, where the system has such a thing. It knows no names: an event is passed on as it comes. */
export class RecursiveWatcher implements Watcher {
  readonly #root: string;
  readonly #watchPlace: WatchPlace;
  readonly #batch: ChangeBatch;
  readonly #problem: ProblemTeller;
  /** Names from the root, as they are on disk, and whether they may be new. */
  #looks = new Map<string, boolean>();
  #identity: Identity | null = null;
  #watch: Watch | null = null;
  #isClosed = false;

  constructor({ root, settle, onChanges, onProblem }: WatcherOptions, watch: WatchPlace) {
    this.#root = root;
    this.#watchPlace = watch;
    this.#problem = new ProblemTeller(onProblem);
    this.#batch = new ChangeBatch({ settle, onChanges, look: () => this.#look() });
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
    if (this.#identity === null) return this.#problem.tell(describeLostRoot(this.#root));
    try {
      const watch = this.#watchPlace(this.#root, { recursive: true }, (type, name) => {
        if (this.#watch === watch) this.#onEvent(type, name);
      });
      this.#watch = watch;
      watch.on("error", (error) => {
        if (this.#watch === watch) this.#fail(error);
      });
      this.#problem.tell(null);
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
    this.#problem.tell(this.#isRootStill() ? failed : describeLostRoot(this.#root));
  }

  #onEvent(type: string, name: string | null): void {
    this.#batch.countEvent();
    // That is how Windows says that it lost some.
    if (name === null) return this.#batch.markBurst();
    if (name.split(path.sep).some((each) => each.startsWith("."))) return;
    this.#looks.set(name, type === "rename" || this.#looks.get(name) === true);
  }

  #look(): void {
    const looks = this.#looks;
    this.#looks = new Map();
    if (this.#watch === null) return;
    if (!this.#isRootStill()) {
      this.#detach();
      this.#batch.drop();
      return this.#problem.tell(describeLostRoot(this.#root));
    }
    for (const [name, isNew] of looks) {
      const place = path.join(this.#root, name);
      const key = name.split(path.sep).map(nameKey).join("/");
      const isFolder = kindOf(place) === "folder";
      // Windows also says of a folder that it changed when something in it did.
      if (isNew || !isFolder) this.#batch.add(key);
      if (isNew && isFolder) this.#tellBelow(place, key);
    }
  }

  /** A folder that is moved in raises one event, whatever it holds. */
  #tellBelow(place: string, folder: VaultPath): void {
    try {
      const { files, folders } = namesIn(place);
      for (const name of files) this.#batch.add(joinPath(folder, nameKey(name)));
      for (const name of folders) {
        const below = joinPath(folder, nameKey(name));
        this.#batch.add(below);
        this.#tellBelow(path.join(place, name), below);
      }
    } catch (error) {
      // It is gone again, or may not be read.
      if (errnoOf(error) === null) throw error;
    }
  }

  #isRootStill(): boolean {
    const stats = statsOf(this.#root);
    return this.#identity !== null && stats !== null && isSame(this.#identity, stats);
  }
}
