import { isSearchable } from "../../vault/files/measure.ts";
import { isUnder, type VaultPath } from "../../vault/paths.ts";
import type { TreeNode } from "../../vault/tree/folder-totals.ts";
import { linkKey, resolveLink, type NamedFile, type WrittenLink } from "../links-in.ts";
import { isIndexed, type Alias } from "../search-index.ts";

/** Something that gets another path, with all under it. */
export interface Move {
  readonly from: VaultPath;
  readonly to: VaultPath;
}

/** Where something is after a move. */
export function movedPath(path: VaultPath, { from, to }: Move): VaultPath {
  return isUnder(path, from) ? to + path.slice(from.length) : path;
}

export type NamedTarget = Pick<WrittenLink, "kind" | "target">;

interface Named {
  /** What the index knows: notes, and those with such an alias. It is asked first, as for a search. */
  readonly indexed: NamedFile[];
  readonly all: NamedFile[];
}

/** The files of a vault by the keys of links: what a link means. */
export class LinkNames {
  readonly #byKey = new Map<string, Named>();

  /**
   * @param nodes everything in the vault
   * @param aliases see `Links.aliases`
   * @param keys only these are asked for
   * @param move what gets another path first; null for the vault as it is
   */
  constructor(
    nodes: Iterable<TreeNode>,
    aliases: readonly Alias[],
    keys: ReadonlySet<string>,
    move: Move | null,
  ) {
    const present = (path: VaultPath): VaultPath => (move === null ? path : movedPath(path, move));
    for (const node of nodes) {
      const path = present(node.path);
      const key = linkKey(path);
      if (!keys.has(key)) continue;
      const { indexed, all } = this.#named(key);
      const isFolder = node.kind === "folder";
      all.push({ path, isAlias: false, isFolder });
      if (!isFolder && isIndexed(path) && isSearchable(node.facts))
        indexed.push({ path, isAlias: false });
    }
    for (const { key, path } of aliases) {
      if (!keys.has(key) || !isIndexed(present(path))) continue;
      this.#named(key).indexed.push({ path: present(path), isAlias: true });
    }
    for (const { indexed } of this.#byKey.values())
      indexed.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  #named(key: string): Named {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const named = { indexed: [], all: [] };
    this.#byKey.set(key, named);
    return named;
  }

  /** The file that a link of `from` means; null when there is none. */
  resolve(from: VaultPath, link: NamedTarget): VaultPath | null {
    const named = this.#byKey.get(linkKey(link.target));
    if (named === undefined) return link.target === "" ? from : null;
    return resolveLink(from, link, named.indexed) ?? resolveLink(from, link, named.all);
  }
}
