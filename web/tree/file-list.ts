import type { FileChanges, FilePage, ListedFile } from "../../src/server/api/contract.ts";
import type { EventSubscriber } from "../api/live-events.ts";
import { address, getJson } from "../api/request.ts";
import { Store } from "../api/store.ts";
import { KnownPaths } from "./known-paths.ts";

/** At once: a page with this many takes a fraction of a second on the same machine. */
const PAGE = 50_000;

/** All files of the vault by name, for the filter, for links by name, and for what changed last. Null until they came. */
export class FileList {
  readonly files = new Store<readonly ListedFile[] | null>(null);
  /** Replaced only when files were added or removed, so that notes do not resolve their links at every change. */
  readonly paths = new Store<KnownPaths | null>(null);
  readonly #now: () => Date;
  #isWanted = false;

  constructor(live: EventSubscriber, now: () => Date) {
    this.#now = now;
    live.subscribe((event) => {
      const known = this.files.get();
      if (event.type === "resync" && this.#isWanted) void this.#load();
      if (event.type === "file" && known !== null) {
        this.#set(withChanges(known, event, localTime(this.#now())));
      }
    });
  }

  /** Loads them on first use. */
  want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    void this.#load();
  }

  #set(files: readonly ListedFile[]): void {
    const before = this.files.get();
    const paths = this.paths.get();
    const isSame =
      paths !== null &&
      files.length === before?.length &&
      files.every(({ path }) => paths.has(path));
    this.files.set(files);
    if (!isSame) this.paths.set(new KnownPaths(files.map(({ path }) => path)));
  }

  async #load(): Promise<void> {
    try {
      const found: ListedFile[] = [];
      let after: string | undefined;
      do {
        const page: FilePage = await getJson(address("/api/files", { after, limit: PAGE }));
        found.push(...page.files);
        after = page.next ?? undefined;
      } while (after !== undefined);
      this.#set(found);
    } catch {
      // The connection banner says that the service is away; `resync` follows when it is back.
      this.#isWanted = false;
    }
  }
}

/** The list after some files changed, and some are gone. */
export function withChanges(
  known: readonly ListedFile[],
  { changed, gone }: FileChanges,
  now: string,
): ListedFile[] {
  const touched = new Set(changed);
  const lost = new Set(gone);
  const kept = known
    .filter(({ path }) => !lost.has(path))
    .map((file) => (touched.delete(file.path) ? { ...file, changed: now } : file));
  return [...kept, ...[...touched].map((path) => ({ path, bytes: 0, changed: now }))];
}

/** The files that changed last, newest first. Without the generated listing, which changes with every other file. */
export function latest(files: readonly ListedFile[], most: number): ListedFile[] {
  return files
    .filter(({ path, changed }) => changed !== null && path !== "vault/tree.md")
    .toSorted((a, b) => (b.changed ?? "").localeCompare(a.changed ?? ""))
    .slice(0, most);
}

/** As the service writes times: local, without a zone. */
function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
