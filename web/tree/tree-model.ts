import type { FileChanges, TreeEntry } from "../../src/server/api/contract.ts";
import type { EventSubscriber } from "../api/live-events.ts";
import { problemOf, type RequestProblem } from "../api/problem.ts";
import { address, getJson } from "../api/request.ts";
import { Store } from "../api/store.ts";
import { foldersAbove, ROOT } from "./paths.ts";
import type { TreeState } from "./tree-rows.ts";

/** Unfolded at first: projects are seen, what is in each is not. */
const UNFOLDED = ["vault/projects/"];
/** Milliseconds: what happens within them is one change. */
const TOGETHER = 60;

/** The tree as far as it was unfolded. Changes are loaded folder by folder, so its cost does not grow with the vault. */
export class TreeModel {
  readonly state = new Store<TreeState>({ folders: new Map(), expanded: new Set(UNFOLDED) });
  /** The whole vault in one line; null until it came. */
  readonly root = new Store<TreeEntry | null>(null);
  readonly problem = new Store<RequestProblem | null>(null);
  /** Files that changed while the page was open, and when: milliseconds of `performance.now()`. */
  readonly recent = new Store<ReadonlyMap<string, number>>(new Map());
  readonly #asked = new Map<string, number>();
  readonly #stale = new Set<string>();
  #isWaiting = false;

  constructor(live: EventSubscriber) {
    live.subscribe((event) => {
      if (event.type === "resync") this.#refresh([ROOT, ...this.state.get().folders.keys()]);
      if (event.type === "file") this.#onChanges(event);
    });
  }

  /** Loads the root, and what is unfolded in it: a folder that is not there is not asked for. */
  async start(): Promise<void> {
    await this.#load(ROOT);
  }

  #loadUnfolded(inside: readonly TreeEntry[]): void {
    const { expanded } = this.state.get();
    for (const { path } of inside) {
      if (expanded.has(path) && !this.#asked.has(path)) void this.#load(path);
    }
  }

  toggle(folder: string): void {
    const { folders, expanded } = this.state.get();
    const next = new Set(expanded);
    if (!next.delete(folder)) {
      next.add(folder);
      void this.#load(folder);
    }
    this.state.set({ folders, expanded: next });
  }

  /** Unfolds what is above a path. */
  reveal(path: string): void {
    const { folders, expanded } = this.state.get();
    const above = foldersAbove(path).filter((folder) => !expanded.has(folder));
    if (above.length === 0) return;
    for (const folder of above) if (!folders.has(folder)) void this.#load(folder);
    this.state.set({ folders, expanded: new Set([...expanded, ...above]) });
  }

  #onChanges({ changed, gone }: FileChanges): void {
    const now = performance.now();
    const kept = [...this.recent.get()].filter(([, at]) => now - at < 10_000);
    const marks = changed
      .filter((path) => path !== "vault/tree.md")
      .map((path) => [path, now] as const);
    this.recent.set(new Map([...kept, ...marks]));
    this.#refresh([...changed, ...gone].flatMap(foldersAbove));
  }

  #refresh(folders: Iterable<string>): void {
    for (const folder of folders) this.#stale.add(folder);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      const known = this.state.get().folders;
      const due = [...this.#stale].filter((folder) => folder === ROOT || known.has(folder));
      this.#stale.clear();
      for (const folder of due) void this.#load(folder);
    }, TOGETHER);
  }

  async #load(folder: string): Promise<void> {
    // Answers may arrive out of order: only that of the last request counts.
    const turn = (this.#asked.get(folder) ?? 0) + 1;
    this.#asked.set(folder, turn);
    try {
      const entry: TreeEntry = await getJson(address("/api/tree", { path: folder, depth: 1 }));
      if (this.#asked.get(folder) !== turn) return;
      if (folder === ROOT) this.root.set(entry);
      this.problem.set(null);
      this.#put(folder, entry.children ?? []);
      if (folder === ROOT) this.#loadUnfolded(entry.children ?? []);
    } catch (error) {
      const problem = problemOf(error);
      // Its parent is requested as well, and will not list it any more.
      if (problem.code === "not_found") this.#put(folder, null);
      else this.problem.set(problem);
    }
  }

  #put(folder: string, entries: readonly TreeEntry[] | null): void {
    const { folders, expanded } = this.state.get();
    const next = new Map(folders);
    if (entries === null) next.delete(folder);
    else next.set(folder, entries);
    this.state.set({ folders: next, expanded });
  }
}
