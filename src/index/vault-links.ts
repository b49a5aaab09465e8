import type { VaultPath } from "../vault/paths.ts";
import { nodesUnder } from "../vault/tree/nodes-under.ts";
import type { VaultReader } from "../vault/vault.ts";
import { linkKey, resolveLink, type NamedFile } from "./links-in.ts";
import { isIndexed, type Alias, type FileLink, type Links } from "./search-index.ts";

/** The links of the indexed files, to any file of the vault: images and notes that are never indexed are no dead ends. */
export class VaultLinks implements Links {
  readonly #links: () => Promise<Links>;
  readonly #vault: Pick<VaultReader, "shape"> | null;

  /**
   * @param links of an index that is up to date
   * @param vault null when only files of the index are known
   */
  constructor(links: () => Promise<Links>, vault: Pick<VaultReader, "shape"> | null) {
    this.#links = links;
    this.#vault = vault;
  }

  async from(path: VaultPath): Promise<FileLink[]> {
    return this.#resolved(await (await this.#links()).from(path));
  }

  async to(path: VaultPath): Promise<FileLink[]> {
    const found = await (await this.#links()).to(path);
    if (isIndexed(path) || this.#vault === null) return found;
    // Of several images with one name, a link means one.
    const meant = await this.#resolved(found.map((link) => ({ ...link, to: null })));
    return meant.filter(({ to }) => to === path);
  }

  async dead(): Promise<FileLink[]> {
    const found = await this.#resolved(await (await this.#links()).dead());
    return found.filter(({ to }) => to === null);
  }

  async linking(keys: ReadonlySet<string>): Promise<VaultPath[] | null> {
    return (await this.#links()).linking(keys);
  }

  async aliases(): Promise<Alias[]> {
    return (await this.#links()).aliases();
  }

  async #resolved(links: readonly FileLink[]): Promise<FileLink[]> {
    const keys = new Set(
      links.filter(({ to }) => to === null).map(({ target }) => linkKey(target)),
    );
    if (keys.size === 0 || this.#vault === null) return [...links];
    const named = new Map<string, NamedFile[]>();
    for (const { path, kind } of nodesUnder(await this.#vault.shape(""))) {
      const key = linkKey(path);
      if (!keys.has(key)) continue;
      const files = named.get(key) ?? [];
      named.set(key, files);
      files.push({ path, isAlias: false, isFolder: kind === "folder" });
    }
    return links.map((link) =>
      link.to === null
        ? { ...link, to: resolveLink(link.from, link, named.get(linkKey(link.target)) ?? []) }
        : link,
    );
  }
}

/** The links of an index that does not know all files yet. */
export class PartialLinks implements Links {
  readonly #known: Links;

  constructor(known: Links) {
    this.#known = known;
  }

  from(path: VaultPath): Promise<FileLink[]> {
    return this.#known.from(path);
  }

  to(path: VaultPath): Promise<FileLink[]> {
    return this.#known.to(path);
  }

  dead(): Promise<FileLink[]> {
    return this.#known.dead();
  }

  async linking(): Promise<null> {
    return null;
  }

  aliases(): Promise<Alias[]> {
    return this.#known.aliases();
  }
}
