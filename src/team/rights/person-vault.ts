import type {
  Change,
  ChangeAuthor,
  ChangeGuard,
  HistoryEntry,
  HistoryQuery,
} from "../../vault/history/history-types.ts";
import type { Listed } from "../../vault/listing.ts";
import type { VaultPath } from "../../vault/paths.ts";
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

/** A folder or file that has another path now. */
export type Moved = Pick<Extract<Change, { kind: "move" }>, "path" | "to">;

/** Rights to a folder move with it, or what was hidden would be seen under its new name. */
export interface FollowMoves {
  /** Called while the change is being made, so that both are one transaction. */
  moved(moves: readonly Moved[]): Promise<void>;
  /** Called before an undo, which is a transaction of its own: both paths have the rights until `moved`. Returns how to take that back. */
  prepare(moves: readonly Moved[]): Promise<() => Promise<void>>;
}

export interface PersonVaultParts {
  readonly vault: Vault;
  readonly rights: Rights;
  readonly follow?: FollowMoves;
}

/** A vault as one person may use it: without what their rights hide, and changed only where they allow it. */
export class PersonVault implements CallersVault {
  readonly #parts: PersonVaultParts;
  readonly #seen: VisibleVault;
  readonly #guard: ChangeGuard;

  constructor(parts: PersonVaultParts) {
    this.#parts = parts;
    this.#seen = new VisibleVault(parts.vault, rightsFilter(parts.rights));
    this.#guard = rightsGuard(parts.rights);
  }

  async find(path: VaultPath): Promise<VaultItem | { readonly kind: "missing" }> {
    return this.#seen.find(path);
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
    return this.#seen.openText(path);
  }

  async readBytes(path: VaultPath, most: number): Promise<{ bytes: Buffer; size: number }> {
    return this.#seen.readBytes(path, most);
  }

  async shape(path: VaultPath): Promise<TreeNode> {
    return this.#seen.shape(path);
  }

  async isGenerated(path: VaultPath): Promise<boolean> {
    return this.#seen.isGenerated(path);
  }

  async change<T>(
    author: ChangeAuthor,
    work: (writer: VaultWriter) => Promise<T>,
  ): Promise<{ value: T; id: string | null }> {
    const guard: ChangeGuard = (deed, path) => {
      this.#guard(deed, path);
      author.guard?.(deed, path);
    };
    return this.#seen.change({ ...author, guard }, async (inner) => {
      try {
        return await work(this.#checked(inner));
      } finally {
        // Also after a failure: what was moved before it stays moved.
        await this.#follow(inner.writer.done);
      }
    });
  }

  /** Asks before the gate divides a folder into what is seen of it: the answer must not depend on the rest. */
  #checked({ writer, ...inner }: VaultWriter): VaultWriter {
    const refuseTaking = async (path: VaultPath): Promise<void> => {
      await this.#seen.get(path);
      this.#guard("take", path);
    };
    return {
      ...inner,
      makeFolder: async (path) => {
        refuseUnwritable(this.#parts.rights, path);
        await inner.makeFolder(path);
      },
      writer: {
        ...writer,
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

  async #follow(changes: readonly Change[]): Promise<void> {
    const moves = movesIn(changes);
    if (moves.length > 0) await this.#parts.follow?.moved(moves);
  }

  async log(query: HistoryQuery): Promise<HistoryEntry[]> {
    return this.#seen.log(query);
  }

  async entries(id: string): Promise<HistoryEntry[]> {
    return this.#seen.entries(id);
  }

  async undo(id: string, author: UndoAuthor): Promise<Undone> {
    const { rights, follow } = this.#parts;
    const entries = await this.#seen.entries(id);
    const changes = entries.flatMap((entry) => entry.changes);
    refuseUndo(rights, changes);
    const back = movesIn(changes).map(({ path, to }) => ({ path: to, to: path }));
    const forget = back.length === 0 ? undefined : await follow?.prepare(back);
    try {
      const undone = await this.#seen.undo(id, author);
      await this.#follow(undone.changes);
      return undone;
    } catch (error) {
      await forget?.();
      throw error;
    }
  }

  onChange(listener: (change: Change) => void): () => void {
    return this.#seen.onChange(listener);
  }
}

function movesIn(changes: readonly Change[]): Moved[] {
  return changes.filter((change) => change.kind === "move");
}
