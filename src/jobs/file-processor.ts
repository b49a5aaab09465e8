import { readIndexed } from "../index/fill-index.ts";
import { isIndexed, type IndexedFile } from "../index/search-index.ts";
import { ChangedMeanwhile } from "../vault/write/changed-meanwhile.ts";
import { ExpectedError, type ErrorCode } from "../errors.ts";
import { isDropped, isGenerated, isMarkdown, type VaultPath } from "../vault/paths.ts";
import type { Vault, VaultItem } from "../vault/vault.ts";
import type { FileRecord, Records } from "./processed-files.ts";
import { timesFor } from "./stamp-times.ts";

/**
 * When a changed file may be written to. `quiet`: another program changed it, and may not be done; it must stay as it is first.
 * `soon`: a tool wrote it whole, and may write it again in a moment. `now`: at once.
 */
export type Stage = "quiet" | "soon" | "now";
/** Milliseconds for `quiet`, unless told otherwise, and for `soon`. */
export const QUIET = 300;
export const SOON = 60;

/** A change within so many milliseconds of another can have the same time on disk. */
const TICK = 50;

export interface FileWorkParts {
  readonly vault: Vault;
  readonly records: Records;
  readonly now: () => Date;
  /** Milliseconds another program's file must stay as it is. */
  readonly quiet: number;
  /** The file is to be stamped, once it has stayed as it is for so many milliseconds. */
  readonly stampLater: (path: VaultPath, signature: string, delay: number) => void;
}

/** What came of a file: what to index, and whether it is another than before. */
export interface Outcome {
  readonly put: IndexedFile | null;
  readonly isChanged: boolean;
}

const MAY_PASS: ReadonlySet<ErrorCode> = new Set([
  "busy",
  "disk_full",
  "no_permission",
  "unavailable",
]);

const NOTHING: Outcome = { put: null, isChanged: false };

/** What is done with one file: first it is noted, so that a search finds it; later, when nobody is writing it, stamped. */
export class FileWork {
  readonly #parts: FileWorkParts;
  readonly #left = new Map<VaultPath, string>();
  readonly #links = new Set<VaultPath>();

  constructor(parts: FileWorkParts) {
    this.#parts = parts;
  }

  /** Files whose frontmatter is left as it is, and why. */
  get left(): ReadonlyMap<VaultPath, string> {
    return this.#left;
  }

  /** Paths that are links to files. */
  get links(): ReadonlySet<VaultPath> {
    return this.#links;
  }

  addLink(path: VaultPath): void {
    this.#links.add(path);
  }

  /** What is at a path, if it can be reached. */
  async find(path: VaultPath): Promise<VaultItem | null> {
    try {
      const found = await this.#parts.vault.find(path);
      return found.kind === "missing" ? null : found;
    } catch (error) {
      if (error instanceof ExpectedError) return null;
      throw error;
    }
  }

  /** Takes a file in as it is now. */
  async note(path: VaultPath, stage: Stage): Promise<Outcome> {
    const { records, stampLater } = this.#parts;
    const found = await this.find(path);
    if (found?.kind !== "file") return NOTHING;
    if (found.path === path) this.#links.delete(path);
    else this.#links.add(path);
    const signature = found.version;
    const known = records.get(path);
    const isSame = known?.facts.signature === signature;
    if (isSame && !known.isFresh) return NOTHING;
    const age = this.#parts.now().getTime() - found.modified;
    if (isStamped(path, found)) {
      stampLater(path, signature, age >= this.#parts.quiet ? 0 : this.#delay(stage));
      // The same, as far as its time tells: the stamping looks at its text.
      if (isSame || stage === "now") return NOTHING;
      return this.#keep(path, { signature, hash: known?.hash ?? null, isFresh: true });
    }
    return this.#keep(path, { signature, hash: null, isFresh: age < TICK });
  }

  /** Makes a file's frontmatter right, and takes in what that made of it. */
  async stamp(path: VaultPath): Promise<Outcome> {
    const { vault, records, now, stampLater } = this.#parts;
    const found = await this.find(path);
    if (found?.kind !== "file") return NOTHING;
    const known = records.get(path);
    this.#left.delete(path);
    try {
      const stamped = await vault.stamp(path, (file) => timesFor(file, known?.hash ?? null, now()));
      const { signature, hash, replaced, problem } = stamped;
      if (problem !== null) this.#left.set(path, problem);
      const age = now().getTime() - found.modified;
      const isFresh = replaced !== null || age < TICK;
      if (replaced === null && known?.hash === hash && known.facts.signature === signature) {
        records.set(path, { ...known, isFresh });
        return NOTHING;
      }
      return await this.#keep(path, { signature, hash, isFresh });
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        stampLater(path, found.version, this.#delay("quiet"));
        return NOTHING;
      }
      if (!(error instanceof ExpectedError)) throw error;
      if (error.code === "not_found") return NOTHING;
      this.#left.set(path, error.message);
      // What may pass (a full disk, a missing right) is tried again when everything is compared: as if it were not known.
      const signature = MAY_PASS.has(error.code) ? "" : found.version;
      return this.#keep(path, { signature, hash: known?.hash ?? null, isFresh: false });
    }
  }

  #delay(stage: Stage): number {
    const { quiet } = this.#parts;
    return { quiet, soon: Math.min(SOON, quiet), now: 0 }[stage];
  }

  forget(path: VaultPath): void {
    this.#parts.records.remove(path);
    this.#links.delete(path);
    this.#left.delete(path);
    this.#parts.vault.totals.refresh(path);
  }

  /** Remembers the version that was looked at. Should there be a later one already, it is another change, still to come. */
  async #keep(
    path: VaultPath,
    { signature, hash, isFresh }: Omit<FileRecord, "facts"> & { signature: string },
  ): Promise<Outcome> {
    const { vault, records } = this.#parts;
    vault.totals.refresh(path);
    const node = vault.totals.get(path);
    if (node?.kind !== "file") return NOTHING;
    records.set(path, { facts: { ...node.facts, signature }, hash, isFresh });
    const put = isIndexed(path) ? await readIndexed(vault, path) : null;
    return { put, isChanged: !isGenerated(path) };
  }
}

/** Markdown has frontmatter. A link is another name of a file that is dealt with under its own. */
function isStamped(path: VaultPath, found: VaultItem): boolean {
  return isMarkdown(path) && !isGenerated(path) && !isDropped(path) && found.path === path;
}
