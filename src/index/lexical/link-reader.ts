import type { VaultPath } from "../../vault/paths.ts";
import { resolveLink, type NamedFile, type WrittenLink } from "../links-in.ts";
import type { Alias, FileLink, Links } from "../search-index.ts";

/** A link as an engine stores it. */
export interface LinkRow extends WrittenLink {
  readonly from: VaultPath;
  readonly key: string;
}

/** What an engine knows of links. */
export interface LinkRows {
  /** Those that stand in a file, in order. */
  from(path: VaultPath): Promise<readonly LinkRow[]>;
  /** Those with a key of a file, by their path and place. */
  to(path: VaultPath): Promise<readonly LinkRow[]>;
  /** Those to other files, by their path and place. */
  all(): Promise<readonly LinkRow[]>;
  isIndexed(path: VaultPath): Promise<boolean>;
  linking(keys: ReadonlySet<string>): Promise<VaultPath[]>;
  aliases(): Promise<Alias[]>;
  /** The files that each of these keys may mean, by their path. */
  named(keys: readonly string[]): Promise<ReadonlyMap<string, readonly NamedFile[]>>;
}

/** Works out what each link means now, since files come and go. */
export class LinkReader implements Links {
  readonly #rows: LinkRows;

  constructor(rows: LinkRows) {
    this.#rows = rows;
  }

  async from(path: VaultPath): Promise<FileLink[]> {
    return this.#resolved(await this.#rows.from(path));
  }

  async to(path: VaultPath): Promise<FileLink[]> {
    const all = await this.#resolved(await this.#rows.to(path));
    const links = all.filter(({ from }) => from !== path);
    if (await this.#rows.isIndexed(path)) return links.filter(({ to }) => to === path);
    // A file that is not indexed: what means no other file may mean this one.
    const only = [{ path, isAlias: false }];
    return links
      .filter((link) => link.to === null)
      .map((link) => ({ ...link, to: resolveLink(link.from, link, only) }))
      .filter(({ to }) => to !== null);
  }

  async dead(): Promise<FileLink[]> {
    const links = await this.#resolved(await this.#rows.all());
    return links.filter(({ to }) => to === null);
  }

  async linking(keys: ReadonlySet<string>): Promise<VaultPath[]> {
    return this.#rows.linking(keys);
  }

  async aliases(): Promise<Alias[]> {
    return this.#rows.aliases();
  }

  async #resolved(rows: readonly LinkRow[]): Promise<FileLink[]> {
    const named = await this.#rows.named([...new Set(rows.map(({ key }) => key))]);
    const links = rows.map(({ key, from, ...link }): FileLink => {
      const to = resolveLink(from, link, named.get(key) ?? []);
      return { from, ...link, to };
    });
    return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
  }
}
