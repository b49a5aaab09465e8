import type { IndexReader } from "./index/search-index.ts";
import { VisibleIndex } from "./index/visible-index.ts";
import type { JobReport } from "./jobs/background-job.ts";
import type { VaultPath } from "./vault/paths.ts";
import { nodesUnder } from "./vault/tree/nodes-under.ts";
import type { CallersVault } from "./vault/vault.ts";
import { hidesFile, privateFilter, type ReadFilter } from "./vault/visible/read-filter.ts";
import { VisibleVault } from "./vault/visible/visible-vault.ts";

export interface ReaderViewParts {
  readonly vault: CallersVault;
  readonly index: IndexReader;
  readonly filter: ReadFilter;
  readonly onDone: (listener: (done: JobReport) => void) => () => void;
  /** Resolves when the vault is measured, as far as it will be at the start; at once when left out. */
  readonly started?: () => Promise<void>;
}

/** A service as one kind of caller sees it: vault, index and what happens in them, without what is hidden from that caller. */
export class ReaderView {
  readonly vault: VisibleVault;
  readonly index: VisibleIndex;
  readonly #parts: ReaderViewParts;

  constructor(parts: ReaderViewParts) {
    this.#parts = parts;
    this.vault = this.of(parts.vault);
    this.index = new VisibleIndex(parts.index, this.vault);
  }

  /** Another vault under the same filter: an overlay. */
  of(vault: CallersVault): VisibleVault {
    return new VisibleVault(vault, this.#parts.filter);
  }

  async sees(path: VaultPath): Promise<boolean> {
    return (await this.vault.find(path)).kind !== "missing";
  }

  /** Reports what happens to what is seen: a note that is hidden from now on is gone, and nothing is said of one that was. */
  onDone(listener: (done: JobReport) => void): () => void {
    const hidden = new Set<VaultPath>();
    // One report after the other, the first when it is known what is hidden now.
    let last = this.#hiddenNotes(hidden);
    const report = async (before: Promise<void>, done: JobReport): Promise<void> => {
      await before;
      const seen = await this.#seen(done, hidden);
      if (seen.isAll === true || seen.changed.length + seen.gone.length > 0) listener(seen);
    };
    return this.#parts.onDone((done) => {
      // What cannot be judged is not reported.
      last = report(last, done).catch(() => {});
    });
  }

  async #seen(done: JobReport, hidden: Set<VaultPath>): Promise<JobReport> {
    const { filter } = this.#parts;
    const seen = {
      changed: [] as VaultPath[],
      created: [] as VaultPath[],
      gone: [] as VaultPath[],
    };
    const created = new Set(done.created);
    for (const path of done.changed) {
      if (hidesFile(filter, path)) continue;
      if (await this.sees(path)) {
        seen.changed.push(path);
        // For its reader, one that was hidden until now is new.
        if (hidden.delete(path) || created.has(path)) seen.created.push(path);
      } else if (!hidden.has(path)) {
        hidden.add(path);
        if (!created.has(path)) seen.gone.push(path);
      }
    }
    for (const path of done.gone)
      if (!hidesFile(filter, path) && !hidden.delete(path)) seen.gone.push(path);
    return { ...done, ...seen };
  }

  async #hiddenNotes(hidden: Set<VaultPath>): Promise<void> {
    if (this.#parts.filter.hidesNote === null) return;
    // Before, every note would have to be read.
    await this.#parts.started?.();
    for (const node of nodesUnder(await this.#parts.vault.shape("")))
      if (node.kind === "file" && node.facts.isPrivate === true) hidden.add(node.path);
  }
}

/** A service as models, and clients that carry text to them, may see it. */
export function modelView(
  service: Pick<ReaderViewParts, "vault" | "index" | "onDone">,
  privates: () => readonly VaultPath[],
  started?: () => Promise<void>,
): ReaderView {
  const { vault, index } = service;
  const filter = privateFilter(privates);
  const onDone: ReaderViewParts["onDone"] = (listener) => service.onDone(listener);
  return new ReaderView({
    vault,
    index,
    filter,
    onDone,
    ...(started === undefined ? {} : { started }),
  });
}
