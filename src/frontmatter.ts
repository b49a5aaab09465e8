import { FrontmatterSetting } from "./frontmatter-setting.ts";
import { previewAdoption, type AdoptionPreview } from "./jobs/adoption-preview.ts";
import type { BackgroundJob } from "./jobs/background-job.ts";
import type { ProcessedFiles } from "./jobs/processed-files.ts";
import type { ServiceStatus } from "./service-status.ts";
import { TREE_FILE } from "./vault/files/generated-tree.ts";
import type { FrontmatterPolicy } from "./vault/frontmatter-policy.ts";
import { newId } from "./vault/history/history.ts";
import type { InitOptions } from "./vault/init.ts";
import { showPath } from "./vault/paths.ts";
import type { LocalVault, UndoAuthor, Undone } from "./vault/vault.ts";

/** Reasons for which a file is only counted: whole sites are written so. */
const COUNTED: ReadonlySet<string> = new Set(["toml", "json", "read-only"]);
/** Of files that are left as they are. */
const MOST_NAMED = 100;

export interface FrontmatterParts {
  readonly vault: LocalVault;
  readonly job: BackgroundJob;
  readonly processed: ProcessedFiles;
  readonly now: () => Date;
  /** Compares everything with the disk. */
  readonly rescan: () => Promise<unknown>;
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

/** Who writes frontmatter in a vault that this process owns: what is in force, and how it changes. */
export class Frontmatter {
  readonly #parts: FrontmatterParts;
  readonly #setting: FrontmatterSetting;

  constructor(parts: FrontmatterParts) {
    this.#parts = parts;
    this.#setting = new FrontmatterSetting(parts.vault);
  }

  get policy(): FrontmatterPolicy {
    return this.#setting.policy;
  }

  /** False when nobody chose it. */
  get isChosen(): boolean {
    return this.#setting.isChosen;
  }

  /**
   * @param wanted stored when it differs from what is in force
   * @param isEmptied the vault's files are away
   */
  async open(wanted: FrontmatterPolicy | undefined, isEmptied: boolean): Promise<void> {
    await this.#setting.open(isEmptied);
    if (wanted !== undefined) await this.#choose(wanted);
  }

  /** Files that are known are processed again when they may need frontmatter now. */
  async #choose(policy: FrontmatterPolicy): Promise<void> {
    const { processed } = this.#parts;
    if (policy === "all" && this.policy !== "all") processed.invalidateAll();
    if (policy !== this.policy || !this.isChosen)
      await this.#setting.choose(policy, { actor: "coffre", call: "adopt", batch: null });
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
    const { vault } = this.#parts;
    const { adoption } = this.#setting;
    const [entry] = adoption === undefined ? [] : await vault.entries(id);
    const isAdoption = entry !== undefined && (entry.batch ?? entry.id) === adoption?.id;
    if (!isAdoption) return vault.undo(id, author);
    const { policy } = this;
    const by = { actor: author.actor, call: "undo", batch: null };
    // First, so that nothing is stamped again meanwhile.
    await this.#setting.choose(adoption.before, by);
    try {
      return await vault.undo(id, author);
    } catch (error) {
      await this.#setting.choose(policy, by, adoption);
      throw error;
    }
  }

  /** What is there, and what the setting `all` would change. */
  async preview(): Promise<AdoptionFacts> {
    const { vault, processed, now } = this.#parts;
    const hasTree =
      (await vault.isGenerated(TREE_FILE)) && (await vault.find(TREE_FILE)).kind === "file";
    return { ...(await previewAdoption(vault, processed, now())), hasTree };
  }

  /**
   * Chooses a setting and does at once what it means for the files that are there, as one batch of the history, whose old bytes are kept until
   * {@link forgetOld}.
   * @param onProgress called with how many of how many files are done
   */
  async adopt(
    policy: FrontmatterPolicy,
    actor: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<Adopted> {
    const { vault, job, now, rescan } = this.#parts;
    // Under the old setting: what the first comparison finds must not be stamped outside the batch.
    await rescan();
    const at = now();
    const [before, batch] = [this.policy, newId(at)];
    const author = { actor, call: "adopt", batch, isPinned: true };
    await this.#setting.choose(policy, author, { id: batch, before });
    if (policy === "all") await job.stampAll({ id: newId(at), at, author }, rescan, onProgress);
    const done = await vault.log({ path: null, call: "adopt", limit: 2 });
    const files = done
      .filter((entry) => entry.batch === batch)
      .reduce((sum, { changes }) => sum + changes.length, 0);
    return { setting: policy, before, history: files === 0 ? null : batch, files };
  }

  /** Lets go of the old bytes of adoptions: they are forgotten like those of any change. Returns of how many. */
  async forgetOld(): Promise<number> {
    return this.#parts.vault.unpin();
  }

  status(): Pick<ServiceStatus, "frontmatter" | "left"> {
    const counts: Record<string, number> = {};
    const named: ServiceStatus["left"][number][] = [];
    for (const [file, { reason, problem }] of this.#parts.job.left) {
      counts[reason] = (counts[reason] ?? 0) + 1;
      if (!COUNTED.has(reason) && named.length < MOST_NAMED)
        named.push({ path: showPath(file), problem, reason });
    }
    const { policy: setting, isChosen: chosen } = this;
    return { frontmatter: { setting, chosen, left: counts }, left: named };
  }
}
