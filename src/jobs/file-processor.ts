import { indexable } from "../index/fill-index.ts";
import { isIndexed } from "../index/search-index.ts";
import { ChangedMeanwhile } from "../vault/write/atomic-write.ts";
import { ExpectedError, type ErrorCode } from "../errors.ts";
import type { Left } from "../vault/files/frontmatter.ts";
import { versionHash } from "../vault/files/version.ts";
import { isDropped, isMarkdown, type VaultPath } from "../vault/paths.ts";
import { isSearchable, type FileFacts, type MeasuredFile } from "../vault/files/measure.ts";
import type { JobVault, VaultItem } from "../vault/vault.ts";
import type { StampPlan, StampResult, Unstamped } from "../vault/write/stamper.ts";
import type { NoteFacts } from "./bulk/bulk-messages.ts";
import { findReachable, isTouched } from "./comparison.ts";
import { changeOf, UNCHANGED, type Outcome } from "./file-outcome.ts";
import { MovedNotes, provisional, withKeptTime } from "./kept-times.ts";
import { planStamp, type PlanOptions } from "./stamping/plan-stamp.ts";
import { UndoneNotes } from "./stamping/undone-notes.ts";
import type { ProcessedFile, ProcessedFiles } from "./processed-files.ts";
import { earliestTime } from "./stamping/stamp-times.ts";

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

export interface FileProcessorOptions extends PlanOptions {
  readonly vault: JobVault;
  readonly processed: ProcessedFiles;
  /** Milliseconds another program's file must stay unchanged. */
  readonly quiet: number;
  /**
   * Called with a file that must be stamped once it has stayed unchanged for `delay` milliseconds; `after bulk` when another thread reads
   * many files, which it should do first.
   */
  readonly stampLater: (
    path: VaultPath,
    signature: string,
    delay: number,
    order?: "after bulk",
  ) => void;
  /** Called with a file that could not be stamped, because the disk is full. */
  readonly onFull: (error: ExpectedError, path: VaultPath) => void;
}

/** A version of a file, to be recorded. */
interface Version extends Pick<ProcessedFile, "hash" | "isFresh"> {
  readonly signature: string;
  readonly touched: number;
  /** When it was made, where the disk knows it: milliseconds since 1970. */
  readonly made?: number;
  /** When it was made, as a local time. */
  readonly created?: string;
}

const TEMPORARY_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "busy",
  "disk_full",
  "no_permission",
  "unavailable",
]);

const NOT_UTF8: Left = { reason: "not-utf8", problem: "it is not UTF-8 text, and is not searched" };

/** Processes one file at a time: first it is indexed, so that a search finds it; later, when nobody is writing it, stamped. */
export class FileProcessor {
  readonly #options: FileProcessorOptions;
  readonly #left = new Map<VaultPath, Left>();
  /** Paths that are links to files, and what they lead to; null when that is not known. */
  readonly #links = new Map<VaultPath, VaultPath | null>();
  /** Files that were indexed, and are reported when they are stamped. */
  readonly #unreported = new Set<VaultPath>();
  /** Files that a tool, an agent or ingest created, until they are stamped; after a crash the history knows them. */
  readonly #made = new Set<VaultPath>();
  readonly #moved: MovedNotes;
  readonly #undone: UndoneNotes;

  constructor(options: FileProcessorOptions) {
    const { vault, processed } = options;
    this.#options = options;
    this.#moved = new MovedNotes(processed);
    this.#undone = new UndoneNotes(processed);
    for (const path of processed.leftBefore) this.#setLeft(path, processed.get(path)?.left ?? null);
    vault.onChange((change) => {
      if (change.kind === "create" && isMarkdown(change.path)) this.#made.add(change.path);
      else if (change.kind === "move" && this.#made.delete(change.path)) this.#made.add(change.to);
      this.#moved.follow(change);
    });
  }

  /** Files whose frontmatter, or a key of it, is left as it is, and why. */
  get left(): ReadonlyMap<VaultPath, Left> {
    return this.#left;
  }

  #setLeft(path: VaultPath, left: Left | null): void {
    if (left === null) this.#left.delete(path);
    else this.#left.set(path, left);
  }

  addLink(path: VaultPath): void {
    if (!this.#links.has(path)) this.#links.set(path, null);
  }

  /** The links that may lead to one of these files. */
  linksTo(files: ReadonlySet<VaultPath>): VaultPath[] {
    // A link may lead through another.
    const isAny = this.#links.size > 0 && [...files].some((path) => this.#links.has(path));
    return [...this.#links]
      .filter(([, target]) => isAny || target === null || files.has(target))
      .map(([link]) => link);
  }

  /** Reads a file that may have changed, once, and plans its stamping. */
  async index(path: VaultPath, stage: Stage): Promise<Outcome> {
    const { vault, processed, now, quiet, stampLater } = this.#options;
    const found = await findReachable(vault, path);
    if (found?.kind !== "file") return UNCHANGED;
    if (found.path === path) this.#links.delete(path);
    else this.#links.set(path, found.path);
    const signature = found.version;
    const known = processed.get(path);
    const isSame = known?.facts.signature === signature;
    // A folder that came back has its files measured already.
    if (isSame && !vault.totals.has(path)) vault.totals.set(path, known.facts);
    if (isSame && !known.isFresh && !isTouched(known, found)) return UNCHANGED;
    const age = now().getTime() - found.modified;
    if (!isStamped(path, found) || (await vault.isGenerated(path)))
      return this.#record(path, vault.totals.read(path), {
        signature,
        touched: found.touched,
        hash: null,
        isFresh: age < TICK,
      });
    let measured: MeasuredFile | null = null;
    if (this.#options.policy() !== "all") {
      measured = vault.totals.read(path);
      const kept = measured === null ? null : await this.#keep(path, found, measured);
      if (kept !== null) return kept;
    }
    stampLater(path, signature, age >= quiet ? 0 : this.#delay(stage));
    // Its text is compared when it is stamped.
    if (isSame || stage === "now") return UNCHANGED;
    const { touched } = found;
    const version = { signature, touched, hash: known?.hash ?? null, isFresh: true };
    measured ??= vault.totals.read(path);
    const shown = provisional(measured, known);
    if (shown !== null && shown !== measured) vault.totals.set(path, shown.facts);
    const outcome = await this.#record(path, shown, version);
    // One save is reported once, when it is stamped; a file that changes again before that is reported at once.
    if (outcome.change === null || this.#unreported.has(path)) return outcome;
    this.#unreported.add(path);
    return { ...outcome, change: null };
  }

  /** Takes over a file that nothing is written to; null when that is not certain from its text alone. */
  async #keep(path: VaultPath, found: VaultItem, measured: MeasuredFile): Promise<Outcome | null> {
    const { vault, processed, now } = this.#options;
    const { text } = measured;
    if (text === null) return null;
    const hash = versionHash(Buffer.from(text));
    const times = { modified: found.modified, created: found.created };
    const plan = await this.#plan(path, { text, hash, ...times });
    if (!("leave" in plan)) return null;
    const known = processed.get(path);
    const kept = withKeptTime(measured, this.#moved.known(path), { text, hash, ...times }, now());
    this.#setLeft(path, plan.leave);
    vault.totals.set(path, kept.facts);
    const { version: signature, touched } = found;
    const isFresh = now().getTime() - found.modified < TICK;
    if (known?.facts.signature === signature && known.hash === hash) {
      processed.set(path, { ...known, isFresh, touched });
      return UNCHANGED;
    }
    const version = { signature, touched, hash, isFresh, made: found.created };
    const outcome = await this.#record(path, kept, version);
    this.#unreported.delete(path);
    this.#moved.delete(path);
    return outcome;
  }

  /** What to do with a file's frontmatter, in the setting of the vault. */
  async #plan(path: VaultPath, file: Unstamped): Promise<StampPlan> {
    const known = this.#moved.known(path);
    const wasUndone =
      known?.left?.reason === "undone" ||
      ((known?.hash ?? null) === null &&
        (await this.#undone.isOne(file.hash, this.#options.vault)));
    const facts = { known, wasUndone, isMade: this.#made.has(path) };
    return planStamp(path, file, facts, this.#options);
  }

  /** Whether a file must be read: it is not known, or another by now. */
  async isChanged(path: VaultPath): Promise<boolean> {
    const { vault, processed } = this.#options;
    const known = processed.get(path);
    if (known === undefined) return true;
    return (await findReachable(vault, path))?.version !== known.facts.signature;
  }

  /** Whether nothing is written to a file that another thread read, and all is known of it. */
  async isKept(path: VaultPath, facts: FileFacts, note: NoteFacts | null): Promise<boolean> {
    const { vault, policy } = this.#options;
    const known = this.#moved.known(path);
    // Put into the index with the time of a touch: it is compared when it is read here.
    const hasOtherTime = known?.hash === note?.hash && known?.facts.changed !== facts.changed;
    if (note === null || facts.isGenerated === true || hasOtherTime) return false;
    if (policy() === "none" || note.isOther) return true;
    if (policy() === "all" || note.carriesKeys || this.#made.has(path)) return false;
    return (await vault.origin(path, note.hash)) !== "made";
  }

  /**
   * Takes over what another thread read of a file and put into the index, and plans its stamping.
   * @param kept what was read of a file that {@link isKept}
   */
  takeRead(
    path: VaultPath,
    stage: Stage,
    { item, facts, kept }: { item: VaultItem; facts: FileFacts; kept: NoteFacts | null },
  ): Outcome["change"] {
    const { vault, processed, now, quiet, stampLater } = this.#options;
    if (item.path === path) this.#links.delete(path);
    else this.#links.set(path, item.path);
    const known = processed.get(path);
    const { version: signature, touched } = item;
    const age = now().getTime() - item.modified;
    const isFresh = age < TICK;
    vault.totals.set(path, facts);
    if (!isStamped(path, item) || facts.isGenerated === true)
      return this.#remember(path, facts, null, { signature, touched, hash: null, isFresh });
    if (kept !== null) {
      const { hash, left, created } = kept;
      this.#setLeft(path, left);
      this.#unreported.delete(path);
      this.#moved.delete(path);
      return this.#remember(path, facts, null, { signature, touched, hash, isFresh, created });
    }
    stampLater(path, signature, age >= quiet ? 0 : this.#delay(stage), "after bulk");
    // Until its text is compared, it keeps the time it had. Without a signature, it is put into the index again with the right one.
    const shown = provisional({ facts, text: null }, known)?.facts ?? facts;
    vault.totals.set(path, shown);
    const hash = known?.hash ?? null;
    const isPut = shown.changed === facts.changed;
    const version = { signature: isPut ? signature : "", touched, hash, isFresh: true };
    const change = this.#remember(path, shown, null, version);
    if (this.#unreported.has(path)) return change;
    this.#unreported.add(path);
    return null;
  }

  /** Brings a file's frontmatter up to date, and takes over the result. */
  async stamp(path: VaultPath): Promise<Outcome> {
    const { vault, processed, now, stampLater } = this.#options;
    const found = await findReachable(vault, path);
    if (found?.kind !== "file") return UNCHANGED;
    const known = processed.get(path);
    this.#left.delete(path);
    try {
      let seen: Unstamped | null = null;
      const stamped = await vault.stamp(path, async (file) => {
        seen = file;
        return this.#plan(path, file);
      });
      const { signature, touched, hash, left, hasOwnTime, updated } = stamped;
      this.#setLeft(path, left);
      this.#made.delete(path);
      if (stamped.measured?.facts.isGenerated === true) {
        this.#unreported.delete(path);
        this.#moved.delete(path);
        return await this.#record(path, stamped.measured, {
          signature,
          touched,
          hash: null,
          isFresh: now().getTime() - found.modified < TICK,
        });
      }
      // Its own write is not read again when the watcher reports it.
      const isFresh =
        !hasOwnTime && (signature !== found.version || now().getTime() - found.modified < TICK);
      const isSame = known?.facts.signature === signature && known.facts.kind === "text";
      const read =
        stamped.measured ?? (isSame ? { facts: known.facts, text: null } : vault.totals.read(path));
      const was = this.#moved.known(path);
      const measured = read === null ? null : withKeptTime(read, was, updated ?? seen, now());
      // The listing may have the disk's time by now.
      if (measured !== null) vault.totals.set(path, measured.facts);
      if (
        isSame &&
        this.#hasIndexed(path, known, stamped) &&
        measured?.facts.changed === known.facts.changed
      ) {
        processed.set(path, { ...known, touched, hash, isFresh, left });
        this.#undone.set(path, { left, hash });
        const isReported = !this.#unreported.delete(path) && known.hash === hash;
        return isReported ? UNCHANGED : { put: null, change: changeOf(known, hash) };
      }
      this.#unreported.delete(path);
      const version = { signature, touched, hash, isFresh, made: found.created };
      return await this.#record(path, measured, version).finally(() => this.#moved.delete(path));
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        stampLater(path, found.version, this.#delay("quiet"));
        return UNCHANGED;
      }
      if (!(error instanceof ExpectedError)) throw error;
      if (error.code === "not_found") return UNCHANGED;
      const { message: problem } = error;
      this.#left.set(path, error.code === "not_text" ? NOT_UTF8 : { reason: "invalid", problem });
      if (error.code === "disk_full") this.#options.onFull(error, path);
      // Without a signature, the next rescan tries again.
      const signature = TEMPORARY_ERRORS.has(error.code) ? "" : found.version;
      const { touched } = found;
      const version = { signature, touched, hash: known?.hash ?? null, isFresh: false };
      return this.#record(path, vault.totals.read(path), version);
    }
  }

  /** Whether the index has the text that was found when a file of a known signature was to be stamped. */
  #hasIndexed(path: VaultPath, known: ProcessedFile, found: StampResult): boolean {
    // What was read a moment ago and is indexed has the hash of the version before it.
    return this.#unreported.has(path) ? !isTouched(known, found) : known.hash === found.hash;
  }

  forget(path: VaultPath): void {
    this.#options.processed.remove(path);
    this.#links.delete(path);
    this.#left.delete(path);
    this.#made.delete(path);
    this.#unreported.delete(path);
    this.#moved.delete(path);
    const { totals } = this.#options.vault;
    if (totals.has(path)) totals.refresh(path);
  }

  #delay(stage: Stage): number {
    const { quiet } = this.#options;
    return { quiet, soon: Math.min(SOON, quiet), now: 0 }[stage];
  }

  /** Records the version that was found. If the text read is a later one already, that change is still to be reported. */
  async #record(
    path: VaultPath,
    measured: MeasuredFile | null,
    version: Version,
  ): Promise<Outcome> {
    if (measured === null) return UNCHANGED;
    const { vault, processed } = this.#options;
    const { facts, text, unread } = measured;
    if (unread !== undefined && !isDenied(unread)) throw unread;
    // What may not be read for now is tried again at the next comparison.
    const isFresh = version.isFresh || unread !== undefined;
    const change = this.#remember(path, facts, text, { ...version, isFresh });
    if (!isIndexed(path)) return { put: null, change };
    if (!isSearchable(facts)) return { put: null, change, isUnsearchable: true };
    const put = await indexable(vault, path, measured);
    // It changed since it was measured: it is read at its next event, or at the next comparison.
    if (put === null) processed.invalidate(path);
    return { put: put === null ? null : { ...put, updated: facts.changed }, change };
  }

  #remember(
    path: VaultPath,
    facts: FileFacts,
    text: string | null,
    { signature, touched, hash, isFresh, made = 0, created: given }: Version,
  ): Outcome["change"] {
    const { processed } = this.#options;
    const known = processed.get(path);
    const change = facts.isGenerated === true ? null : changeOf(known, hash);
    const found =
      given ?? (hash === null ? null : earliestTime(path, text ?? "", facts.changed, made));
    const before = this.#moved.known(path)?.created ?? found;
    const created = found !== null && before !== null && found < before ? found : before;
    const left = this.#left.get(path) ?? null;
    this.#undone.set(path, { left, hash });
    const isSame = facts.signature === signature;
    const present = isSame ? facts : { ...facts, signature };
    processed.set(path, { facts: present, hash, isFresh, touched, created, left });
    return change;
  }
}

/** Whether its owner keeps a file from being read, which is no failure of the disk. */
function isDenied(error: unknown): boolean {
  return error instanceof ExpectedError && error.code === "no_permission";
}

/** Markdown has frontmatter. A link is another name of a file that is stamped under its own. */
function isStamped(path: VaultPath, found: VaultItem): boolean {
  return isMarkdown(path) && !isDropped(path) && found.path === path;
}
