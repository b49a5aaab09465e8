import type { IndexReader } from "../../index/search-index.ts";
import type { Vault } from "../../vault/vault.ts";
import { PersonIndex } from "./person-index.ts";
import { PersonVault } from "./person-vault.ts";
import type { Rights } from "./rights.ts";

export interface PersonViewParts {
  readonly vault: Vault;
  /** Of the whole vault: for those who may read all of it. */
  readonly index: IndexReader;
  readonly rights: Rights;
  /** Differs when anything in the vault differs. */
  readonly version: () => Promise<string>;
}

/** A vault and its index as callers with the same rights may use them: what tools, routes, agents and MCP servers are given instead of the whole. */
export interface PersonView {
  readonly vault: PersonVault;
  readonly index: IndexReader;
  close(): Promise<void>;
}

export function personView({ index, ...parts }: PersonViewParts): PersonView {
  const vault = new PersonVault(parts);
  if (parts.rights.seesAll) return { vault, index, close: async () => {} };
  const own = new PersonIndex({ ...parts, seen: vault });
  return { vault, index: own, close: async () => own.close() };
}

/** A view that is kept open until it is released. */
export interface HeldView extends Omit<PersonView, "close"> {
  release(): void;
}

interface KeptView {
  readonly view: PersonView;
  holders: number;
}

/** The views of a vault, one for each set of rights: people with the same rights share one, and the last used ones are kept when nobody has them. */
export class PersonViews {
  readonly #make: (rights: Rights) => PersonView;
  readonly #most: number;
  /** The least recently used first. */
  readonly #views = new Map<string, KeptView>();

  constructor(make: (rights: Rights) => PersonView, most = 8) {
    this.#make = make;
    this.#most = most;
  }

  get size(): number {
    return this.#views.size;
  }

  hold(rights: Rights): HeldView {
    const { key } = rights;
    const kept = this.#views.get(key) ?? { view: this.#make(rights), holders: 0 };
    this.#views.delete(key);
    this.#views.set(key, kept);
    kept.holders += 1;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) kept.holders -= 1;
      isHeld = false;
      this.#closeUnused();
    };
    const { vault, index } = kept.view;
    return { vault, index, release };
  }

  async close(): Promise<void> {
    const views = [...this.#views.values()];
    this.#views.clear();
    await Promise.all(views.map(async ({ view }) => view.close()));
  }

  #closeUnused(): void {
    for (const [key, { view, holders }] of this.#views) {
      if (this.#views.size <= this.#most) return;
      if (holders > 0) continue;
      this.#views.delete(key);
      // Nobody waits for it, and its index is in memory.
      view.close().catch(() => {});
    }
  }
}
