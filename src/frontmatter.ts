import { ExpectedError } from "./errors.ts";
import { FrontmatterSetting, type Adoption } from "./frontmatter-setting.ts";
import { previewAdoption, type AdoptionPreview } from "./jobs/adoption-preview.ts";
import type { BackgroundJob } from "./jobs/background-job.ts";
import type { ProcessedFiles } from "./jobs/processed-files.ts";
import { leftFacts } from "./jobs/stamping/left-facts.ts";
import { SharedPreview } from "./jobs/stamping/shared-preview.ts";
import { stampAll } from "./jobs/stamping/stamp-all.ts";
import type { ServiceStatus } from "./service-status.ts";
import { TREE_FILE } from "./vault/files/generated-tree.ts";
import type { FrontmatterPolicy } from "./vault/frontmatter-policy.ts";
import { newId } from "./vault/history/history.ts";
import type { HistoryEntry } from "./vault/history/history-types.ts";
import type { InitOptions } from "./vault/init.ts";
import type { VaultPath } from "./vault/paths.ts";
import type { LocalVault, UndoAuthor, Undone } from "./vault/vault.ts";

export interface FrontmatterParts {
  readonly vault: LocalVault;
  readonly job: BackgroundJob;
  readonly processed: ProcessedFiles;
  readonly now: () => Date;
  /** Compares everything with the disk. */
  readonly rescan: () => Promise<unknown>;
}

/** What a service is opened with. */
interface WantedFrontmatter {
  readonly frontmatter?: FrontmatterPolicy;
  readonly adopter?: string;
}

/** What an adoption did. */
export interface Adopted {
  readonly setting: FrontmatterPolicy;
  readonly before: FrontmatterPolicy;
  /** Undoes all of it; null when no file had to be changed. */
  readonly history: string | null;
  /** Files that were changed. */
  readonly files: number;
}

/** What a vault holds, and whether our own `tree.md` lies in it. */
export type AdoptionFacts = AdoptionPreview & { readonly hasTree: boolean };

type OnProgress = (done: number, total: number) => void;
/** Null when it is over. */
type OnWriting = (progress: { readonly done: number; readonly total: number } | null) => void;

/** An adoption that is being done. */
interface Running {
  readonly done: Promise<Adopted>;
  readonly listeners: OnProgress[];
  /** A killed process began it. */
  readonly isResumed: boolean;
}

function isRunning(adoption: Adoption | undefined): ExpectedError {
  const undo = adoption === undefined ? "" : `, or take it back: coffre undo ${adoption.id}`;
  return new ExpectedError(
    "busy",
    `Frontmatter is being written into the notes already. Wait until that is done${undo}.`,
  );
}

/** Who writes frontmatter in a vault that this process owns: what is in force, and how it changes. */
export class Frontmatter {
  readonly #parts: FrontmatterParts;
  readonly #setting: FrontmatterSetting;
  readonly #watching = new Set<OnWriting>();
  readonly #preview: SharedPreview<AdoptionFacts>;
  #running: Running | null = null;

  constructor(parts: FrontmatterParts) {
    this.#parts = parts;
    this.#setting = new FrontmatterSetting(parts.vault);
    this.#preview = new SharedPreview(async () => this.#look());
  }

  get policy(): FrontmatterPolicy {
    return this.#setting.policy;
  }

  /** False when nobody chose it. */
  get isChosen(): boolean {
    return this.#setting.isChosen;
  }

  /** The adoption by which all notes get frontmatter; null when there was none. */
  get adoption(): { readonly id: string; readonly isDone: boolean } | null {
    const { adoption, policy } = this.#setting;
    if (adoption === undefined || policy !== "all") return null;
    return { id: adoption.id, isDone: adoption.unfinished === undefined };
  }

  /**
   * @param wanted stored when it differs from what is in force; with who asked for it, it may be an adoption
   * @param isEmptied the vault's files are away
   */
  async open(wanted: WantedFrontmatter, isEmptied: boolean): Promise<void> {
    await this.#setting.open(isEmptied);
    const { frontmatter: policy, adopter } = wanted;
    if (policy === "all" && this.policy !== "all" && adopter !== undefined)
      await this.#begin(adopter);
    else if (policy !== undefined) await this.#choose(policy);
    const { adoption } = this.#setting;
    // Also for a process that does not resume it.
    if (adoption !== undefined) this.#fix(adoption);
  }

  /** Files that are known are processed again when they may need frontmatter now. */
  async #choose(policy: FrontmatterPolicy): Promise<void> {
    const { processed } = this.#parts;
    if (policy === "all" && this.policy !== "all") processed.invalidateAll();
    if (policy !== this.policy || !this.isChosen)
      await this.#setting.choose(policy, { actor: "coffre", call: "adopt", batch: null });
  }

  /** Begins an adoption, whose files {@link resume} does. */
  async #begin(actor: string): Promise<void> {
    const { processed, now } = this.#parts;
    const adoption = { id: newId(now()), before: this.policy, unfinished: actor };
    processed.invalidateAll();
    const author = { actor, call: "adopt", batch: adoption.id, isPinned: true };
    await this.#setting.choose("all", author, adoption);
  }

  /** Adds the usual files that are missing, in the setting of the vault. Returns their paths. */
  async init(options: Omit<InitOptions, "frontmatter">): Promise<string[]> {
    const { initVault } = await import("./vault/init.ts");
    const { policy, isChosen } = this;
    const made = await initVault(this.#parts.vault, { ...options, frontmatter: policy });
    // Stored: from now on the history holds an `init`, whatever was there before.
    if (!isChosen) await this.#choose(policy);
    return made;
  }

  /** Takes back an entry of the history or a batch; that of the last adoption brings back the setting before too. */
  async undo(id: string, author: UndoAuthor): Promise<Undone> {
    const { vault, job } = this.#parts;
    const { adoption } = this.#setting;
    if (adoption === undefined) return vault.undo(id, author);
    const isNamed = id === adoption.id;
    const [entry] = isNamed ? await this.#entriesOf(id) : await vault.entries(id);
    if (!isNamed && (entry?.batch ?? entry?.id) !== adoption.id) return vault.undo(id, author);
    const { policy } = this;
    const by = { actor: author.actor, call: "undo", batch: null };
    // First, so that nothing is stamped again meanwhile, also by an adoption that still runs.
    job.firstStamps.fix(null);
    await this.#setting.choose(adoption.before, by);
    // It changed no file yet.
    if (entry === undefined) return { id: null, changes: [], skipped: [] };
    try {
      // All of it: an adoption that was interrupted has several entries.
      return await vault.undo(adoption.id, author).finally(() => this.#preview.drop());
    } catch (error) {
      await this.#setting.choose(policy, by, adoption);
      this.#fix(adoption);
      throw error;
    }
  }

  /** What is there, and what the setting `all` would change: of one look through all notes, until one changes. */
  async preview(): Promise<AdoptionFacts> {
    return this.#preview.get();
  }

  /** Call it when files changed. */
  outdate(): void {
    this.#preview.outdate();
  }

  async #look(): Promise<AdoptionFacts> {
    const { vault, processed, now } = this.#parts;
    const hasTree =
      (await vault.isGenerated(TREE_FILE)) && (await vault.find(TREE_FILE)).kind === "file";
    return { ...(await previewAdoption(vault, processed, now())), hasTree };
  }

  /**
   * Chooses a setting and does at once what it means for the files that are there, as one batch of the history, whose old bytes are kept until
   * {@link forgetOld}. Asked for again, it goes on with the same batch, so that one undo takes all of it back. `busy` while another one runs.
   * @param onProgress called with how many of how many files are done
   */
  async adopt(policy: FrontmatterPolicy, actor: string, onProgress: OnProgress): Promise<Adopted> {
    const running = this.#running;
    // Who asks for what a killed process left waits for the end of it.
    if (policy === "all" && running?.isResumed === true) {
      running.listeners.push(onProgress);
      return running.done;
    }
    if (running !== null) throw isRunning(this.#setting.adoption);
    return this.#run(policy, actor, [onProgress], false);
  }

  /** Calls `listener` at intervals while frontmatter is written into many notes, whoever asked for it, until the function it returns is called. */
  onWriting(listener: OnWriting): () => void {
    // A function for each call: the same listener may be added twice.
    const own: OnWriting = (progress) => listener(progress);
    this.#watching.add(own);
    return () => void this.#watching.delete(own);
  }

  /** Does the rest of an adoption whose process was killed; nothing when there is none. What fails is left to the next start. */
  async resume(): Promise<void> {
    const { adoption } = this.#setting;
    if (adoption?.unfinished === undefined || this.#running !== null) return;
    await this.#run("all", adoption.unfinished, [], true);
  }

  /** Resolves when nothing of it runs any more. Close the job before. */
  async close(): Promise<void> {
    await this.#running?.done.catch(() => {});
  }

  async #run(
    policy: FrontmatterPolicy,
    actor: string,
    listeners: OnProgress[],
    isResumed: boolean,
  ): Promise<Adopted> {
    const tell: OnProgress = (at, total) => {
      for (const listener of listeners) listener(at, total);
      for (const listener of this.#watching) listener({ done: at, total });
    };
    const done = this.#adopt(policy, actor, tell, isResumed).finally(() => {
      this.#running = null;
      this.#preview.drop();
      for (const listener of this.#watching) listener(null);
    });
    this.#running = { done, listeners, isResumed };
    return done;
  }

  async #adopt(
    policy: FrontmatterPolicy,
    actor: string,
    onProgress: OnProgress,
    isResumed: boolean,
  ): Promise<Adopted> {
    const { job, now, rescan } = this.#parts;
    // Under the old setting: what the first comparison finds must not be stamped outside the batch.
    await rescan();
    // Taken back, or replaced by another choice, before it could be gone on with.
    if (isResumed && this.#setting.adoption?.unfinished === undefined)
      return { setting: this.policy, before: this.policy, history: null, files: 0 };
    const given = this.policy === policy && policy === "all" ? this.#setting.adoption : undefined;
    const { id, before } = given ?? { id: newId(now()), before: this.policy };
    const from = given?.unfinished === undefined ? this.policy : before;
    const known = given?.unfinished === undefined ? await this.#filesOf(id) : new Set<VaultPath>();
    const author = { actor, call: "adopt", batch: id, isPinned: true };
    const unfinished = policy === "all" ? { unfinished: actor } : {};
    // Before the setting, by which files are stamped.
    this.#fix({ id, before, ...unfinished });
    await this.#setting.choose(policy, author, { id, before, ...unfinished });
    if (policy === "all" && (await stampAll(job, rescan, onProgress))) this.#finish(id);
    const files = [...(await this.#filesOf(id))].filter((path) => !known.has(path)).length;
    return { setting: policy, before: from, history: files === 0 ? null : id, files };
  }

  /** From now on the first stamps belong to an adoption that is not finished. */
  #fix({ id, unfinished: actor }: Adoption): void {
    const at = this.#parts.now();
    const author = { actor: actor ?? "", call: "adopt", batch: id, isPinned: true };
    const entry = actor === undefined ? null : { id: newId(at), at, author };
    this.#parts.job.firstStamps.fix(entry);
  }

  #finish(id: string): void {
    this.#setting.finish(id);
    this.#parts.job.firstStamps.fix(null);
  }

  /** Those that an adoption changed. */
  async #filesOf(batch: string): Promise<Set<VaultPath>> {
    const entries = await this.#entriesOf(batch);
    return new Set(entries.flatMap(({ changes }) => changes.map(({ path }) => path)));
  }

  /** Those of an adoption; none while it changed no file. */
  async #entriesOf(batch: string): Promise<HistoryEntry[]> {
    return this.#parts.vault.entries(batch).catch((error: unknown) => {
      if (error instanceof ExpectedError && error.code === "not_found") return [];
      throw error;
    });
  }

  /** Lets go of the old bytes of adoptions: they are forgotten like those of any change. Returns of how many. */
  async forgetOld(): Promise<number> {
    return this.#parts.vault.unpin();
  }

  status(): Pick<ServiceStatus, "frontmatter" | "left"> {
    const { counts, named } = leftFacts(this.#parts.job.left);
    const { policy: setting, isChosen: chosen } = this;
    return { frontmatter: { setting, chosen, left: counts }, left: named };
  }
}
