import { ExpectedError } from "../../errors.ts";
import { showPath } from "../../vault/paths.ts";
import { newId } from "../../vault/history/history.ts";
import type { OverlayVault } from "../../vault/overlay/overlay-vault.ts";
import type { Overlays } from "../../vault/overlay/overlays.ts";
import { proposedFiles, type ProposedFile } from "../../vault/overlay/proposed-files.ts";
import type { CallersVault, Vault } from "../../vault/vault.ts";
import { NO_USAGE, type UpdateInput, type UpdateReport } from "../contract.ts";
import type { UpdateQueue } from "../queue/update-queue.ts";

/** A client whose changes wait for a yes. */
export interface PreviewClient {
  /** Tells apart clients of one name. */
  readonly connection: string;
  /** Who proposes, for the history. */
  readonly name: string;
}

export interface ClientPreviewsOptions {
  readonly overlays: Overlays;
  readonly updates: () => Pick<UpdateQueue, "previews" | "propose">;
  /** What a client may see of a vault. */
  readonly seen: (vault: Vault) => CallersVault;
  readonly isDeciding: (id: string) => boolean;
  readonly now: () => Date;
}

interface Opened {
  readonly id: string;
  readonly overlay: OverlayVault;
  readonly vault: CallersVault;
}

/**
 * The changes that AI clients try with tools of their own: one overlay for each connection, which is one preview, from its first change until the
 * person answers it. What a client reads has its own changes in it.
 */
export class ClientPreviews {
  readonly #options: ClientPreviewsOptions;
  readonly #opened = new Map<string, Opened>();
  /** Calls of one connection run one after the other. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(options: ClientPreviewsOptions) {
    this.#options = options;
  }

  /**
   * Runs a call on the vault as its client has changed it so far.
   * @param work null when there is nothing of theirs to see: it then reads the vault itself
   */
  async read<T>(
    client: PreviewClient,
    work: (vault: CallersVault | null) => Promise<T>,
  ): Promise<T> {
    return this.#alone(client, async () => {
      const opened = await this.#find(client);
      return work(opened?.vault ?? null);
    });
  }

  /** Runs a call that may change something. `id` is that of the preview; null when nothing is proposed. */
  async change<T>(
    client: PreviewClient,
    work: (vault: CallersVault) => Promise<T>,
  ): Promise<{ readonly value: T; readonly id: string | null }> {
    return this.#alone(client, async () => {
      const opened = (await this.#find(client)) ?? (await this.#create(client));
      const value = await work(opened.vault);
      const isProposed = await this.#record(client, opened);
      return { value, id: isProposed ? opened.id : null };
    });
  }

  /** Lets go of a preview that is answered now: what its client changes next is another one. */
  async release(id: string): Promise<void> {
    for (const [connection, { id: own }] of this.#opened)
      if (own === id) {
        await this.#last.get(connection)?.catch(() => {});
        this.#close(connection);
      }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#last.values());
    for (const connection of this.#opened.keys()) this.#close(connection);
  }

  #close(connection: string): void {
    this.#opened.get(connection)?.overlay.close();
    this.#opened.delete(connection);
  }

  async #alone<T>({ connection }: PreviewClient, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(connection);
    const run = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#last.set(connection, run);
    try {
      return await run;
    } finally {
      if (this.#last.get(connection) === run) this.#last.delete(connection);
    }
  }

  /** What this connection has proposed, also before a restart; null when nothing waits for an answer. */
  async #find({ connection }: PreviewClient): Promise<Opened | null> {
    const { overlays, updates, isDeciding } = this.#options;
    const waiting = (await updates().previews()).find(
      ({ input }) => input.connection === connection,
    );
    const known = this.#opened.get(connection);
    if (known !== undefined && known.id !== waiting?.id) this.#close(connection);
    if (waiting === undefined || !(await overlays.has(waiting.id))) return null;
    if (isDeciding(waiting.id)) {
      throw new ExpectedError(
        "busy",
        "The person is answering what you proposed before; try again in a moment.",
      );
    }
    const opened = this.#opened.get(connection);
    if (opened === undefined) return this.#keep(connection, waiting.id, "open");
    await opened.overlay.refresh();
    return opened;
  }

  async #create({ connection }: PreviewClient): Promise<Opened> {
    return this.#keep(connection, newId(this.#options.now()), "create");
  }

  async #keep(connection: string, id: string, how: "create" | "open"): Promise<Opened> {
    const { overlays, seen } = this.#options;
    const overlay = await overlays[how](id);
    const opened = { id, overlay, vault: seen(overlay) };
    this.#opened.set(connection, opened);
    return opened;
  }

  /** Puts what is changed by now before the person. False when that is nothing. */
  async #record({ connection, name }: PreviewClient, { id, overlay }: Opened): Promise<boolean> {
    const { overlays, updates } = this.#options;
    const proposed = await proposedFiles(overlay);
    const isKnown = (await updates().previews()).some((each) => each.id === id);
    if (proposed.length === 0 && !isKnown) {
      this.#close(connection);
      await overlays.remove(id);
      return false;
    }
    const count = proposed.length === 1 ? "1 file" : `${proposed.length} files`;
    const text = `${name} proposes changes to ${count}.`;
    const touched = proposed.map((file) => ({ path: showPath(file.path), change: changeOf(file) }));
    const input: UpdateInput = {
      content: text,
      images: [],
      inboxRef: null,
      sources: [],
      files: [],
      isUntrusted: false,
      isRelayed: false,
      isPreview: true,
      from: name,
      connection,
    };
    const report: UpdateReport = {
      outcome: "filed",
      text,
      touched,
      inbox: null,
      batch: null,
      model: null,
      steps: 0,
      usage: NO_USAGE,
      isPreview: true,
    };
    await updates().propose(id, input, report);
    return true;
  }
}

function changeOf({ from, before, after }: ProposedFile): string {
  if (from !== null) return `moved from ${showPath(from)}`;
  if (before === null) return "created";
  return after === null ? "deleted" : "changed";
}
