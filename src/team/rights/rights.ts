import { z } from "zod";

import type { NowAt } from "../../vault/history/moved-places.ts";
import { isUnder, nameKey, parentOf, type VaultPath } from "../../vault/paths.ts";

/** What somebody may do, from the least to the most: an owner also says who may do what. */
export const ROLES = ["none", "viewer", "editor", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** What a credential was given for. */
export const SCOPES = ["vault:read", "vault:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** A role for a whole vault (folder `""`), or for a folder of it instead of the vault's. */
export interface Grant {
  readonly folder: VaultPath;
  readonly role: Role;
}

/** What takes away from a person's rights and never adds to them: a token, an agent, the scopes of a login. */
export const Limit = z.object({
  scopes: z.array(z.enum(SCOPES)).readonly(),
  /** Only this folder; null for all. */
  folder: z.string().nullable(),
});
export type Limit = Readonly<z.infer<typeof Limit>>;

/** How {@link Rights.key} writes grants and limits. */
const Key = z.tuple([
  z.array(z.tuple([z.string(), z.enum(ROLES)])),
  z.array(z.tuple([z.array(z.enum(SCOPES)), z.string().nullable()])),
]);

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/** The lesser of two roles. */
export function lesser(one: Role, other: Role): Role {
  return ROLES.indexOf(one) <= ROLES.indexOf(other) ? one : other;
}

function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** What one caller may do in one vault: the grant of the nearest folder counts, and each limit takes something away. */
export class Rights {
  readonly #exact: ReadonlyMap<string, Role>;
  readonly #folded: ReadonlyMap<string, Role>;
  readonly #limits: readonly Limit[];
  /** Equal for callers who may do the same. */
  readonly key: string;

  constructor(grants: readonly Grant[], limits: readonly Limit[] = []) {
    this.#exact = leastOf(grants, nameKey);
    this.#folded = leastOf(grants, fold);
    this.#limits = limits;
    const sorted = [...this.#exact].toSorted(([one], [other]) => (one < other ? -1 : 1));
    this.key = JSON.stringify([
      sorted,
      limits.map(({ scopes, folder }) => [scopes.toSorted(), folder]),
    ]);
  }

  /** Those of a {@link key}. */
  static of(key: string): Rights {
    const [grants, limits] = Key.parse(JSON.parse(key));
    return new Rights(
      grants.map(([folder, role]) => ({ folder, role })),
      limits.map(([scopes, folder]) => ({ scopes, folder })),
    );
  }

  /** The same person with a credential that may do less. */
  within(limit: Limit): Rights {
    const grants = [...this.#exact].map(([folder, role]) => ({ folder, role }));
    return new Rights(grants, [...this.#limits, limit]);
  }

  /** @param nowAt where the grants of a folder are by now, for what the history names: they went with it */
  roleAt(path: VaultPath, nowAt: NowAt = (place) => place): Role {
    const name = nameKey(path);
    // On some disks `HR` and `hr` are one folder: a name in other letters never has more rights.
    let role = lesser(
      nearest(name, (at) => this.#exact.get(nameKey(nowAt(at)))),
      nearest(name, (at) => this.#folded.get(fold(nowAt(at)))),
    );
    for (const { scopes, folder } of this.#limits) {
      if (folder !== null && !isUnder(name, nameKey(folder))) return "none";
      role = lesser(role, mostWith(scopes));
    }
    return role;
  }

  /** For the vault itself: whether its settings, people and audit are open to this caller. */
  get isOwner(): boolean {
    return this.roleAt("") === "owner";
  }

  mayRead(path: VaultPath, nowAt?: NowAt): boolean {
    return isAtLeast(this.roleAt(path, nowAt), "viewer");
  }

  mayWrite(path: VaultPath): boolean {
    return isAtLeast(this.roleAt(path), "editor");
  }

  /** Whether a folder is shown: it may be read, or something deeper in it may. */
  mayPass(path: VaultPath): boolean {
    return (
      this.mayRead(path) || this.#deciding().some((at) => isInside(at, path) && this.mayRead(at))
    );
  }

  /** Whether anything at all may be read. */
  get seesSomething(): boolean {
    return this.mayPass("");
  }

  /** Whether nothing of the vault is hidden. */
  get seesAll(): boolean {
    return this.#deciding().every((at) => this.mayRead(at));
  }

  /** The folders with a role of their own that may be read: nothing tells of those that may not. */
  get visibleGrants(): Grant[] {
    const places = [...new Set(this.#deciding())].filter((at) => at !== "" && this.mayRead(at));
    return places
      .toSorted()
      .map((folder) => ({ folder, role: this.roleAt(folder) }))
      .filter(({ folder, role }) => role !== this.roleAt(parentOf(folder)));
  }

  /** Whether anything at all may be changed. */
  get changesSomething(): boolean {
    return this.#deciding().some((at) => this.mayWrite(at));
  }

  /** Whether all that others may read may be read with these. */
  covers(others: Rights): boolean {
    const places = [...this.#deciding(), ...others.#deciding()];
    return places.every((at) => this.mayRead(at) || !others.mayRead(at));
  }

  /** Folders under one, itself left out, whose contents may be read and not changed. */
  readOnlyUnder(path: VaultPath): VaultPath[] {
    return this.#under(path).filter((at) => this.mayRead(at) && !this.mayWrite(at));
  }

  /** Whether something under a folder is hidden from this caller. */
  hidesUnder(path: VaultPath): boolean {
    return this.#under(path).some((at) => !this.mayRead(at));
  }

  #under(path: VaultPath): VaultPath[] {
    return this.#deciding().filter((at) => isInside(at, path));
  }

  /** The places where the role changes. */
  #deciding(): VaultPath[] {
    const limits = this.#limits.flatMap(({ folder }) => (folder === null ? [] : [nameKey(folder)]));
    return ["", ...this.#exact.keys(), ...limits];
  }
}

/** Of several grants for one place, the least counts. */
function leastOf(grants: readonly Grant[], keyOf: (path: string) => string): Map<string, Role> {
  const least = new Map<string, Role>();
  for (const { folder, role } of grants) {
    const key = keyOf(folder);
    least.set(key, lesser(least.get(key) ?? role, role));
  }
  return least;
}

function isInside(path: VaultPath, folder: VaultPath): boolean {
  const [inner, outer] = [fold(path), fold(folder)];
  return inner !== outer && isUnder(inner, outer);
}

function mostWith(scopes: readonly Scope[]): Role {
  if (!scopes.includes("vault:read")) return "none";
  return scopes.includes("vault:write") ? "owner" : "viewer";
}

function fold(path: VaultPath): string {
  return nameKey(path).toLowerCase();
}

function nearest(path: VaultPath, grantAt: (folder: VaultPath) => Role | undefined): Role {
  for (let at = path; ; at = parentOf(at)) {
    const role = grantAt(at);
    if (role !== undefined) return role;
    if (at === "") return "none";
  }
}
