import type { FileChanges, FilePage, ListedFile } from "../../src/server/api/contract.ts";
import { localTime } from "../../src/text/local-time.ts";
import type { EventSubscriber } from "../api/live-events.ts";
import { address, getJson } from "../api/request.ts";
import { Store } from "../api/store.ts";
import { keptFiles, keepFiles, type Listing } from "./kept-files.ts";
import { KnownPaths } from "./known-paths.ts";

/** Files of one answer: read in a few milliseconds, so that typing goes on between two. */
const PIECE = 2000;

/** All files of the vault by name, for the filter, for links by name, and for what changed last. Null until they came. */
export class FileList {
  readonly files = new Store<readonly ListedFile[] | null>(null);
  /** Replaced only when files were added or removed, so that notes do not resolve their links at every change. */
  readonly paths = new Store<KnownPaths | null>(null);
  readonly #now: () => Date;
  #version: string | null = null;
  #isWanted = false;
  #loading: Promise<void> | null = null;

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

  /** Loads them on first use: those that this tab knew before a reload, and what changed since. */
  want(): void {
    this.#isWanted = true;
    if (this.files.get() === null) void this.#load();
  }

  /** Keeps them in this tab: after a reload only what changed is asked for. */
  keep(): void {
    const files = this.files.get();
    if (files !== null && this.#version !== null) keepFiles({ files, version: this.#version });
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
    this.#loading ??= this.#loadOnce().finally(() => {
      this.#loading = null;
    });
    await this.#loading;
  }

  async #loadOnce(): Promise<void> {
    try {
      const known = this.files.get();
      const kept =
        known === null || this.#version === null
          ? keptFiles()
          : { files: known, version: this.#version };
      const { files, version } = await listingAfter(kept);
      this.#version = version;
      this.#set(files);
    } catch {
      // The connection banner says that the service is away; they are still wanted at the `resync` that follows when it is back.
    }
  }
}

interface FoundListing {
  readonly files: readonly ListedFile[];
  readonly version: string | null;
}

/** The present list, from an older one if there is one. */
async function listingAfter(older: Listing | null): Promise<FoundListing> {
  const found: ListedFile[] = [];
  let [after, version]: [string | undefined, string | null] = [undefined, null];
  do {
    const since = after === undefined ? older?.version : undefined;
    const page: FilePage = await getJson(address("/api/files", { since, after, limit: PIECE }));
    if (page.gone !== undefined && older !== null) {
      return { files: merged(older.files, page), version: page.version ?? null };
    }
    found.push(...page.files);
    after = page.next ?? undefined;
    version ??= page.version ?? null;
  } while (after !== undefined);
  if (version === null || found.length <= PIECE) return { files: found, version };
  // What changed while the pieces came.
  const page: FilePage = await getJson(address("/api/files", { since: version, limit: PIECE }));
  return page.gone === undefined
    ? { files: found, version }
    : { files: merged(found, page), version: page.version ?? version };
}

function merged(known: readonly ListedFile[], { files, gone = [] }: FilePage): ListedFile[] {
  const byPath = new Map(known.map((file) => [file.path, file]));
  for (const path of gone) byPath.delete(path);
  for (const file of files) byPath.set(file.path, file);
  return [...byPath.values()];
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
  const added = [...touched].map((path) => {
    const file = { path, bytes: 0, changed: now };
    // A new one is nearly always ours; the next load knows for certain.
    return path === "vault/tree.md" ? { ...file, generated: true as const } : file;
  });
  return [...kept, ...added];
}

/** The files that changed last, newest first. Without the generated listing, which changes with every other file. */
export function latest(files: readonly ListedFile[], most: number): ListedFile[] {
  const found: ListedFile[] = [];
  for (const file of files) {
    const { changed, generated } = file;
    if (changed === null || generated === true) continue;
    // Most files are older than the few that are kept: they cost one comparison.
    if (found.length === most && changed <= (found.at(-1)?.changed ?? "")) continue;
    const place = found.findIndex((other) => (other.changed ?? "") < changed);
    found.splice(place < 0 ? found.length : place, 0, file);
    if (found.length > most) found.pop();
  }
  return found;
}
