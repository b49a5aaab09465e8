import { indexedFrom, readIndexed } from "../index/fill-index.ts";
import { isIndexed, type IndexedFile } from "../index/search-index.ts";
import { ChangedMeanwhile } from "../vault/write/writer-errors.ts";
import { ExpectedError, type ErrorCode } from "../errors.ts";
import { isDropped, isGenerated, isMarkdown, type VaultPath } from "../vault/paths.ts";
import type { MeasuredFile } from "../vault/files/measure.ts";
import type { Vault, VaultItem } from "../vault/vault.ts";
import { findReachable } from "./comparison.ts";
import type { ProcessedFile, ProcessedFiles } from "./processed-files.ts";
import { timesFor } from "./stamp-times.ts";

/**
 * When a changed file may be written to. `quiet`: another program changed it and may still be writing, so it must stay unchanged
 * first. `soon`: a tool wrote it whole, and may write it again in a moment. `now`: at once.
 */
export type Stage = "quiet" | "soon" | "now";
/** Default delays in milliseconds for `quiet` and `soon`. */
export const QUIET = 300;
export const SOON = 60;

/** Two changes within so many milliseconds can have the same time on disk. */
const TICK = 50;

export interface FileProcessorOptions {
  readonly vault: Vault;
  readonly processed: ProcessedFiles;
  readonly now: () => Date;
  /** Milliseconds another program's file must stay unchanged. */
  readonly quiet: number;
  /** Called with a file that must be stamped once it has stayed unchanged for `delay` milliseconds. */
  readonly stampLater: (path: VaultPath, signature: string, delay: number) => void;
}

/** The result of processing a file: what to index, and what to report. */
export interface Outcome {
  readonly put: IndexedFile | null;
  readonly change: "created" | "changed" | null;
}

const TEMPORARY_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "busy",
  "disk_full",
  "no_permission",
  "unavailable",
]);

const UNCHANGED: Outcome = { put: null, change: null };

/** Processes one file at a time: first it is indexed, so that a search finds it; later, when nobody is writing it, stamped. */
export class FileProcessor {
  readonly #options: FileProcessorOptions;
  readonly #skipped = new Map<VaultPath, string>();
  readonly #links = new Set<VaultPath>();
  /** Files that were indexed, and are reported when they are stamped. */
  readonly #unreported = new Set<VaultPath>();

  constructor(options: FileProcessorOptions) {
    this.#options = options;
  }

  /** Files whose frontmatter is not stamped, and why. */
  get skipped(): ReadonlyMap<VaultPath, string> {
    return this.#skipped;
  }

  /** Paths that are links to files. */
  get links(): ReadonlySet<VaultPath> {
    return this.#links;
  }

  addLink(path: VaultPath): void {
    this.#links.add(path);
  }

  /** Reads a file that may have changed, once, and plans its stamping. */
  async index(path: VaultPath, stage: Stage): Promise<Outcome> {
    const { vault, processed, now, quiet, stampLater } = this.#options;
    const found = await findReachable(vault, path);
    if (found?.kind !== "file") return UNCHANGED;
    if (found.path === path) this.#links.delete(path);
    else this.#links.add(path);
    const signature = found.version;
    const known = processed.get(path);
    const isSame = known?.facts.signature === signature;
    if (isSame && !known.isFresh) return UNCHANGED;
    const age = now().getTime() - found.modified;
    if (!isStamped(path, found))
      return this.#record(path, vault.totals.refresh(path), {
        signature,
        hash: null,
        isFresh: age < TICK,
      });
    stampLater(path, signature, age >= quiet ? 0 : this.#delay(stage));
    // Its text is compared when it is stamped.
    if (isSame || stage === "now") return UNCHANGED;
    const version = { signature, hash: known?.hash ?? null, isFresh: true };
    const outcome = await this.#record(path, vault.totals.refresh(path), version);
    // One save is reported once, when it is stamped; a file that changes again before that is reported at once.
    if (outcome.change === null || this.#unreported.has(path)) return outcome;
    this.#unreported.add(path);
    return { ...outcome, change: null };
  }

  /** Brings a file's frontmatter up to date, and takes over the result. */
  async stamp(path: VaultPath): Promise<Outcome> {
    const { vault, processed, now, stampLater } = this.#options;
    const found = await findReachable(vault, path);
    if (found?.kind !== "file") return UNCHANGED;
    const known = processed.get(path);
    this.#skipped.delete(path);
    try {
      const stamped = await vault.stamp(path, (file) => timesFor(file, known?.hash ?? null, now()));
      const { signature, hash, problem, measured } = stamped;
      if (problem !== null) this.#skipped.set(path, problem);
      const isFresh = signature !== found.version || now().getTime() - found.modified < TICK;
      if (known?.facts.signature === signature) {
        // This version is in the index already.
        processed.set(path, { ...known, hash, isFresh });
        const isReported = !this.#unreported.delete(path) && known.hash === hash;
        return isReported ? UNCHANGED : { put: null, change: changeOf(known, hash) };
      }
      if (measured !== null) vault.totals.set(path, measured.facts);
      const present = measured ?? vault.totals.refresh(path);
      this.#unreported.delete(path);
      return await this.#record(path, present, { signature, hash, isFresh });
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        stampLater(path, found.version, this.#delay("quiet"));
        return UNCHANGED;
      }
      if (!(error instanceof ExpectedError)) throw error;
      if (error.code === "not_found") return UNCHANGED;
      this.#skipped.set(path, error.message);
      // Without a signature, the next rescan tries again.
      const signature = TEMPORARY_ERRORS.has(error.code) ? "" : found.version;
      const version = { signature, hash: known?.hash ?? null, isFresh: false };
      return this.#record(path, vault.totals.refresh(path), version);
    }
  }

  forget(path: VaultPath): void {
    this.#options.processed.remove(path);
    this.#links.delete(path);
    this.#skipped.delete(path);
    this.#unreported.delete(path);
    this.#options.vault.totals.refresh(path);
  }

  #delay(stage: Stage): number {
    const { quiet } = this.#options;
    return { quiet, soon: Math.min(SOON, quiet), now: 0 }[stage];
  }

  /** Records the version that was found. If the text read is a later one already, that change is still to be reported. */
  async #record(
    path: VaultPath,
    measured: MeasuredFile | null,
    { signature, hash, isFresh }: Omit<ProcessedFile, "facts"> & { readonly signature: string },
  ): Promise<Outcome> {
    if (measured === null) return UNCHANGED;
    const { vault, processed } = this.#options;
    const change = isGenerated(path) ? null : changeOf(processed.get(path), hash);
    processed.set(path, { facts: { ...measured.facts, signature }, hash, isFresh });
    const isText = isIndexed(path) && measured.facts.kind === "text";
    // A text too large to be held whole is read again by its lines.
    const put = isText ? (indexedFrom(path, measured) ?? (await readIndexed(vault, path))) : null;
    return { put, change };
  }
}

/** A file is new until it is stamped for the first time, which gives it a hash. */
function changeOf(known: ProcessedFile | undefined, hash: string | null): "created" | "changed" {
  return known === undefined || (known.hash === null && hash !== null) ? "created" : "changed";
}

/** Markdown has frontmatter. A link is another name of a file that is stamped under its own. */
function isStamped(path: VaultPath, found: VaultItem): boolean {
  return isMarkdown(path) && !isGenerated(path) && !isDropped(path) && found.path === path;
}
