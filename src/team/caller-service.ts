import type { Memory } from "../agents/memory.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { IndexReader } from "../index/search-index.ts";
import type { JobReport } from "../jobs/job-options.ts";
import type { PrivateFolders } from "../private-folders.ts";
import { modelView, type ReaderView } from "../reader-view.ts";
import type { ServiceStatus } from "../service-status.ts";
import type { CallAudit } from "./audit/call-audit.ts";
import type { PersonVault } from "./rights/person-vault.ts";
import { rightsFilter } from "./rights/rights-filter.ts";
import type { Rights } from "./rights/rights.ts";
import type { TeamParts } from "./team-parts.ts";
import { hidesFile } from "../vault/visible/read-filter.ts";

/** The vault as one caller is given it; of where it is they are shown its name alone. */
export type CallersTeamVault = PersonVault & { readonly root: string; readonly state: string };

export interface CallerServiceParts {
  readonly vault: CallersTeamVault;
  readonly index: IndexReader;
  readonly rights: Rights;
  readonly audit: CallAudit;
  readonly privates: PrivateFolders;
  readonly onDone: (listener: (done: JobReport) => void) => () => void;
  readonly onPresence: TeamParts["onPresence"];
  readonly rescan: () => Promise<{ changed: number; gone: number }>;
  readonly policy: () => ServiceStatus["frontmatter"]["setting"];
  readonly ingest: Ingest;
  readonly memory: (models: ReaderView) => Memory;
  readonly release: () => void;
}

/** A team's vault as one caller may use it: what its routes, MCP servers and agents are given instead of the whole. */
export class CallerService {
  readonly vault: CallersTeamVault;
  readonly index: IndexReader;
  readonly models: ReaderView;
  readonly ingest: Ingest;
  readonly memory: Memory;
  readonly audit: CallAudit;
  /** Only owners are told, and say, what is private. */
  readonly privates?: PrivateFolders;
  /** Nothing is ever left to be done. */
  readonly pending = 0;
  readonly #parts: CallerServiceParts;

  constructor(parts: CallerServiceParts) {
    const { vault, index, rights, privates } = parts;
    this.#parts = parts;
    this.vault = vault;
    this.index = index;
    this.models = modelView(this, () => privates.paths);
    this.ingest = parts.ingest;
    this.audit = parts.audit;
    this.memory = parts.memory(this.models);
    if (rights.isOwner) this.privates = privates;
  }

  /** Whether something is refused to them because they do not own the vault. */
  get isLimited(): boolean {
    return !this.#parts.rights.isOwner;
  }

  /** What happens to what they see: nothing is said of the rest. */
  onDone(listener: (done: JobReport) => void): () => void {
    const { rights, onDone } = this.#parts;
    if (rights.seesAll) return onDone(listener);
    const filter = rightsFilter(rights);
    const seen = (paths: readonly string[]): string[] =>
      paths.filter((path) => !hidesFile(filter, path));
    return onDone((done) => {
      const own = {
        changed: seen(done.changed),
        created: seen(done.created),
        gone: seen(done.gone),
      };
      if (own.changed.length + own.gone.length > 0) listener({ ...done, ...own });
    });
  }

  /** Calls `listener` when somebody came to a note that they see, or left it. */
  onPresence(listener: () => void): () => void {
    const { rights, onPresence } = this.#parts;
    return onPresence((path) => {
      if (path === null || rights.mayRead(path)) listener();
    });
  }

  async rescan(): Promise<{ changed: number; gone: number }> {
    return this.#parts.rescan();
  }

  async settle(): Promise<void> {}

  async settled(): Promise<void> {}

  async surveyed(): Promise<boolean> {
    return true;
  }

  async status(): Promise<ServiceStatus> {
    const { memory, privates, vault } = this;
    return {
      vault: vault.root,
      index: { ...(await this.index.stats()), pending: 0 },
      deep: {
        engine: "words",
        model: null,
        state: "words",
        embedded: 0,
        pending: 0,
        problem: null,
      },
      watcher: { alive: true, folders: 0, unwatched: 0, lastEvent: null, heartbeat: null },
      lastError: null,
      alarms: (await privates?.alarms(vault)) ?? [],
      model: memory.model,
      spent: memory.spent,
      inbox: await memory.inbox.count(),
      queue: await memory.updates.counts(),
      tidy: memory.tidy.status(),
      ignored: { hidden: 0, unlisted: 0 },
      frontmatter: { setting: this.#parts.policy(), chosen: true, left: {} },
      left: [],
    };
  }

  /** Lets go of its view; nobody may use it any more. */
  close(): void {
    this.#parts.release();
  }
}
