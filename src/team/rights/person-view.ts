import type { IndexReader } from "../../index/search-index.ts";
import type { Vault } from "../../vault/vault.ts";
import { PersonIndex } from "./person-index.ts";
import { PersonVault, type FollowMoves } from "./person-vault.ts";
import type { Rights } from "./rights.ts";

export interface PersonViewParts {
  readonly vault: Vault;
  /** Of the whole vault: for those who may read all of it. */
  readonly index: IndexReader;
  readonly rights: Rights;
  /** Differs when anything in the vault differs. */
  readonly version: () => Promise<string>;
  readonly follow?: FollowMoves;
}

/** A vault and its index as one caller may use them: what tools, routes, agents and MCP servers are given instead of the whole. */
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

/** The views of a vault that were used last, one for each set of rights: people with the same rights share one. */
export class PersonViews {
  readonly #make: (rights: Rights) => PersonView;
  readonly #most: number;
  readonly #views = new Map<string, PersonView>();

  constructor(make: (rights: Rights) => PersonView, most = 8) {
    this.#make = make;
    this.#most = most;
  }

  of(rights: Rights): PersonView {
    const view = this.#views.get(rights.key) ?? this.#make(rights);
    this.#views.delete(rights.key);
    this.#views.set(rights.key, view);
    const [oldest] = this.#views.keys();
    // Its index is not closed here, since a call may still use it; it goes with its last reader.
    if (this.#views.size > this.#most && oldest !== undefined) this.#views.delete(oldest);
    return view;
  }
}
