import { z } from "zod";

import { readSettings, saveSettings } from "./settings-file.ts";
import { TREE_FILE } from "./vault/files/generated-tree.ts";
import {
  defaultPolicy,
  FRONTMATTER_POLICIES,
  type FrontmatterPolicy,
} from "./vault/frontmatter-policy.ts";
import type { ChangeAuthor } from "./vault/history/history-types.ts";
import type { LocalVault } from "./vault/vault.ts";

const Stored = z.object({
  frontmatter: z.enum(FRONTMATTER_POLICIES).optional(),
  /** The last adoption, and the setting that its undo brings back. */
  adoption: z
    .object({
      id: z.string(),
      before: z.enum(FRONTMATTER_POLICIES),
      /** Who asked for it, until all its files are done: a killed process leaves that to the next. */
      unfinished: z.string().optional(),
    })
    .optional(),
});
export type Adoption = NonNullable<z.infer<typeof Stored>["adoption"]>;

/** Who writes frontmatter in a vault: what was chosen and is stored with its state, else what fits the folder. */
export class FrontmatterSetting {
  readonly #vault: LocalVault;
  #policy: FrontmatterPolicy = "none";
  #isChosen = false;
  #adoption: Adoption | undefined;

  constructor(vault: LocalVault) {
    this.#vault = vault;
  }

  /** Nothing is written until {@link open}. */
  get policy(): FrontmatterPolicy {
    return this.#policy;
  }

  /** False when nobody chose it. */
  get isChosen(): boolean {
    return this.#isChosen;
  }

  get adoption(): Adoption | undefined {
    return this.#adoption;
  }

  /** @param isEmptied the vault's files are away */
  async open(isEmptied = false): Promise<void> {
    const stored = readSettings(
      this.#vault.state,
      Stored,
      (name) => `"frontmatter" in ${name} is not one of ${FRONTMATTER_POLICIES.join(", ")}.`,
    );
    this.#isChosen = stored.frontmatter !== undefined;
    this.#adoption = stored.adoption;
    this.#policy = stored.frontmatter ?? (await defaultPolicy(this.#vault, isEmptied));
  }

  /** All files of an adoption are done; nothing when another choice was made meanwhile. */
  finish(id: string): void {
    if (this.#adoption?.id !== id) return;
    const { unfinished: _, ...adoption } = this.#adoption;
    saveSettings(this.#vault.state, { adoption });
    this.#adoption = adoption;
  }

  /** Stores a choice, and takes our `tree.md` away when it is no longer to be written; the history can bring it back. */
  async choose(
    policy: FrontmatterPolicy,
    author: ChangeAuthor,
    adoption?: Adoption,
  ): Promise<void> {
    saveSettings(this.#vault.state, { frontmatter: policy, adoption });
    this.#policy = policy;
    this.#isChosen = true;
    this.#adoption = adoption;
    // Asked first: a tree.md that is hidden is not ours, and cannot be looked for.
    if (policy === "all" || !(await this.#vault.isGenerated(TREE_FILE))) return;
    if ((await this.#vault.find(TREE_FILE)).kind !== "file") return;
    await this.#vault.change(author, async ({ writer }) => writer.remove(TREE_FILE));
  }
}
