import type {
  Change,
  ChangeAuthor,
  ChangeGuard,
  HistoryEntry,
  HistoryQuery,
} from "../../vault/history/history-types.ts";
import type { MovesAfter } from "../../vault/history/moved-places.ts";
import type { FileFacts } from "../../vault/files/measure.ts";
import type { Listed } from "../../vault/listing.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { Scanned } from "../../vault/scan.ts";
import type { TextFile } from "../../vault/files/text-file.ts";
import type { TreeNode } from "../../vault/tree/folder-totals.ts";
import type {
  CallersVault,
  UndoAuthor,
  Undone,
  Vault,
  VaultItem,
  VaultWriter,
} from "../../vault/vault.ts";
import { VisibleVault } from "../../vault/visible/visible-vault.ts";
import { refuseUndo, refuseUnwritable, rightsGuard } from "./rights-guard.ts";
import { rightsFilter } from "./rights-filter.ts";
import type { Rights } from "./rights.ts";

/** What a caller does with a vault. */
export interface PersonWatch {
  /** Asked in the transaction of every change before anything is written: what the caller may do by then. What it throws refuses the change. */
  readonly rightsNow?: () => Promise<Rights>;
  /** Called in the transaction of every change that changed something. */
  readonly changed?: (made: readonly Change[], author: ChangeAuthor, id: string) => Promise<void>;
  /** Called with what is read of files. */
  readonly read?: (path: VaultPath) => void;
}

export interface PersonVaultParts {
  readonly vault: Vault & { readonly measured?: PersonVault["measured"] };
  readonly rights: Rights;
  readonly watch?: PersonWatch;
  /** Who stands in the history for somebody who calls themselves so; the same when left out. */
  readonly nameOf?: (actor: string) => string;
  /** The batch of an agent's run: what it wrote can be taken back, also when its asker may no longer write there. */
  readonly batch?: string;
}

/** A vault as one person may use it: without what their rights hide, and changed only where they allow it. */
export class PersonVault implements CallersVault {
  readonly #parts: PersonVaultParts;
  readonly #seen: CallersVault;
  readonly #guard: ChangeGuard;

  constructor(parts: PersonVaultParts) {
    this.#parts = parts;
    // A gate that hides nothing would only ask the database more often.
    this.#seen = parts.rights.seesAll
      ? parts.vault
      : new VisibleVault(parts.vault, rightsFilter(parts.rights));
    this.#guard = rightsGuard(parts.rights);
  }

  async find(path: VaultPath): Promise<VaultItem | { readonly kind: "missing" }> {
    return this.#seen.find(path);
  }

  /** What is known of those among files that may be read, without reading them. */
  async measured(paths: readonly VaultPath[]): Promise<ReadonlyMap<VaultPath, FileFacts>> {
    const { vault, rights } = this.#parts;
    return (await vault.measured?.(paths.filter((path) => rights.mayRead(path)))) ?? new Map();
  }

  async get(path: VaultPath): Promise<VaultItem> {
    return this.#seen.get(path);
  }

  async list(path: VaultPath): Promise<Listed[]> {
    return this.#seen.list(path);
  }

  walk(path: VaultPath): AsyncIterable<Listed> {
    return this.#seen.walk(path);
  }

  async openText(path: VaultPath): Promise<TextFile> {
    this.#parts.watch?.read?.(path);
    return this.#seen.openText(path);
  }

  async readBytes(path: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    this.#parts.watch?.read?.(path);
    return this.#seen.readBytes(path, most);
  }

  async shape(path: VaultPath): Promise<TreeNode> {
    return this.#seen.shape(path);
  }

  /** The files that may be read. */
  async scan(): Promise<readonly Scanned[]> {
    const { vault, rights } = this.#parts;
    return (await vault.scan()).filter((item) => item.kind === "file" && rights.mayRead(item.path));
  }

  async isGenerated(path: VaultPath): Promise<boolean> {
    return this.#seen.isGenerated(path);
  }

  async change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }> {
    const { rightsNow, changed } = this.#parts.watch ?? {};
    let now: Rights | null = null;
    const guard: ChangeGuard = (deed, path) => {
      this.#guard(deed, path);
      if (now !== null) rightsGuard(now)(deed, path);
      author.guard?.(deed, path);
    };
    const actor = this.#nameOf(author.actor);
    return this.#seen.change({ ...author, actor, guard }, async (inner) => {
      now = (await rightsNow?.()) ?? null;
      try {
        return await work(this.#checked(inner, now ?? this.#parts.rights));
      } finally {
        // Also after a failure: what was changed before it stays.
        const { done, id } = inner.writer;
        if (done.length > 0) await changed?.(done, author, id);
      }
    });
  }

  #nameOf(actor: string): string {
    return this.#parts.nameOf?.(actor) ?? actor;
  }

  /** Asks before the gate divides a folder into what is seen of it: the answer must not depend on the rest. */
  #checked({ writer, ...inner }: VaultWriter, now: Rights): VaultWriter {
    const refuseTaking = async (path: VaultPath): Promise<void> => {
      await this.#seen.get(path);
      this.#guard("take", path);
    };
    return {
      ...inner,
      makeFolder: async (path) => {
        refuseUnwritable(this.#parts.rights, path);
        refuseUnwritable(now, path);
        await inner.makeFolder(path);
      },
      writer: {
        id: writer.id,
        done: writer.done,
        create: async (path, bytes) => writer.create(path, bytes),
        update: async (seen, bytes, how) => writer.update(seen, bytes, how),
        splice: async (seen, splice, how) => writer.splice(seen, splice, how),
        move: async (from, to) => {
          await refuseTaking(from);
          return writer.move(from, to);
        },
        remove: async (path) => {
          await refuseTaking(path);
          return writer.remove(path);
        },
      },
    };
  }

  async log(query: HistoryQuery): Promise<HistoryEntry[]> {
    return this.#seen.log(query);
  }

  async entries(id: string): Promise<HistoryEntry[]> {
    const entries = await this.#seen.entries(id);
    // What a file was is as much as what it is.
    for (const { path } of entries.flatMap(({ changes }) => changes))
      this.#parts.watch?.read?.(path);
    return entries;
  }

  async movesAfter(ids: readonly string[]): Promise<MovesAfter> {
    return this.#parts.vault.movesAfter(ids);
  }

  /** The bytes of an old version, whose hash its caller has of an entry that they see. */
  async kept(hash: string): Promise<Buffer> {
    return this.#parts.vault.kept(hash);
  }

  /** What its caller sees of the history; of its bytes nothing is told, unless they see all. */
  async historySize(): Promise<{ entries: number; bytes: number }> {
    const { rights, vault } = this.#parts;
    if (rights.seesAll) return vault.historySize();
    const seen = await this.#seen.log({ path: null, limit: Number.MAX_SAFE_INTEGER });
    return { entries: seen.length, bytes: 0 };
  }

  async undo(id: string, author: UndoAuthor): Promise<Undone> {
    const { rights, watch, batch, vault } = this.#parts;
    const by = { ...author, actor: this.#nameOf(author.actor) };
    if (batch !== undefined && (id === batch || id.startsWith(`${batch}-`)))
      return vault.undo(id, by);
    const entries = await this.#seen.entries(id);
    const changes = entries.flatMap((entry) => entry.changes);
    refuseUndo(rights, changes);
    const now = await watch?.rightsNow?.();
    if (now !== undefined) refuseUndo(now, changes);
    const undone = await this.#seen.undo(id, by);
    const made = { actor: by.actor, call: "undo", batch: null };
    if (undone.id !== null) await watch?.changed?.(undone.changes, made, undone.id);
    return undone;
  }

  onChange(listener: (change: Change) => void): () => void {
    return this.#seen.onChange(listener);
  }
}
