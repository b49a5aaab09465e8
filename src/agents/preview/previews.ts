import { ExpectedError } from "../../errors.ts";
import { landOverlay } from "../../vault/overlay/land-overlay.ts";
import type { OverlayVault } from "../../vault/overlay/overlay-vault.ts";
import type { Overlays } from "../../vault/overlay/overlays.ts";
import { proposedFiles, type ProposedFile } from "../../vault/overlay/proposed-files.ts";
import type { CallersVault, Vault } from "../../vault/vault.ts";
import { UPDATE_ACTOR } from "../agent-run.ts";
import type { UpdateReport } from "../contract.ts";
import type { QueuedUpdate, UpdateQueue } from "../queue/update-queue.ts";
import { touchedFiles, undoBatch } from "../update/batch.ts";
import { ClientPreviews } from "./client-previews.ts";

export interface PreviewsOptions {
  readonly vault: Vault;
  readonly overlays: Overlays;
  readonly updates: () => UpdateQueue;
  /** What a client may see of a vault. */
  readonly seen: (vault: Vault) => CallersVault;
  readonly now: () => Date;
}

/** Updates whose changes were only tried, and wait for a yes or a no. */
export class Previews {
  readonly #options: PreviewsOptions;
  /** Being accepted or rejected: a second answer would undo the first. */
  readonly #deciding = new Set<string>();
  /** What clients propose with tools of their own. */
  readonly clients: ClientPreviews;

  constructor(options: PreviewsOptions) {
    this.#options = options;
    this.clients = new ClientPreviews({
      ...options,
      isDeciding: (id) => this.#deciding.has(id),
    });
  }

  /** Runs an update on an overlay. Its report is a preview when it would change something. */
  async run(
    id: string,
    work: (vault: OverlayVault) => Promise<UpdateReport>,
  ): Promise<UpdateReport> {
    const { overlays } = this.#options;
    const overlay = await overlays.create(id);
    let report: UpdateReport | null = null;
    try {
      report = await work(overlay);
    } finally {
      overlay.close();
      if (report === null || report.touched.length === 0) await overlays.remove(id);
    }
    return report.touched.length === 0 ? report : { ...report, batch: null, isPreview: true };
  }

  /** What would become of each file; nothing when its copies were forgotten. */
  async proposed(id: string): Promise<ProposedFile[]> {
    if (!(await this.#options.overlays.has(id))) return [];
    const overlay = await this.#options.overlays.open(id);
    try {
      return await proposedFiles(overlay);
    } finally {
      overlay.close();
    }
  }

  /** Makes the changes: all of them, as one batch, or none. Throws `conflict` when a file changed meanwhile; the preview stays. */
  async accept(id: string): Promise<QueuedUpdate> {
    return this.#decide(id, async ({ report, input }) => {
      const { vault, overlays, updates } = this.#options;
      const batch = acceptedBatch(id);
      const overlay = await overlays.open(id);
      try {
        const isClients = input.connection !== undefined;
        const actor = isClients ? input.from : UPDATE_ACTOR;
        await landOverlay(overlay, vault, { actor, call: isClients ? "mcp" : "remember", batch });
      } finally {
        overlay.close();
      }
      const { isPreview: _, ...rest } = report;
      try {
        const touched = await touchedFiles(vault, batch);
        return await updates().decide(id, { ...rest, touched, batch });
      } catch (error) {
        // It still waits for its answer, so nothing of it may be there.
        await undoBatch(vault, batch);
        throw error;
      }
    });
  }

  /** Forgets them: no byte of the vault was changed. */
  async reject(id: string): Promise<QueuedUpdate> {
    return this.#decide(id, async () => this.#options.updates().decide(id, null));
  }

  async #decide(
    id: string,
    work: (update: QueuedUpdate & { readonly report: UpdateReport }) => Promise<QueuedUpdate>,
  ): Promise<QueuedUpdate> {
    const { vault, overlays } = this.#options;
    const asked = await this.#waiting(id);
    if (this.#deciding.has(id)) throw notWaiting(asked);
    this.#deciding.add(id);
    try {
      await this.clients.release(id);
      return await overlays.settle(id, async () => {
        // Another replica may have answered meanwhile.
        const update = await this.#waiting(id);
        // What a process made that was killed while it accepted.
        const notUndone = await undoBatch(vault, acceptedBatch(id));
        if (notUndone !== null) throw new ExpectedError("conflict", notUndone);
        const decided = await work(update);
        // It is decided: what a failing disk keeps of it goes at the next start.
        await overlays.remove(id).catch(() => {});
        return decided;
      });
    } finally {
      this.#deciding.delete(id);
    }
  }

  /** An update that waits for its answer. Throws `conflict` for any other. */
  async #waiting(id: string): Promise<QueuedUpdate & { readonly report: UpdateReport }> {
    const update = await this.#options.updates().get(id);
    const { status, report } = update;
    if (status === "preview" && report !== null) return { ...update, report };
    throw notWaiting(update);
  }

  /** Removes what belongs to no preview: of updates that a killed process was running or had just ended. */
  async sweep(): Promise<void> {
    const { overlays, updates } = this.#options;
    const waiting = await updates().previews();
    await overlays.keepOnly(new Set(waiting.map(({ id }) => id)));
  }
}

/** The batch of the changes that a yes makes. */
function acceptedBatch(id: string): string {
  return `${id}-yes`;
}

function notWaiting({ id, status }: QueuedUpdate): ExpectedError {
  return new ExpectedError(
    "conflict",
    `${id} is ${status}; only a preview is accepted or rejected.`,
  );
}
