import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { versionHash, type FileVersion } from "../files/version.ts";
import { openOverlayIn, type OverlayVault } from "../overlay/overlay-vault.ts";
import type { OverlayStore } from "../overlay/overlay-store.ts";
import type { Overlays } from "../overlay/overlays.ts";
import type { VaultPath } from "../paths.ts";
import type { Vault } from "../vault.ts";
import { PostgresVault } from "./postgres-vault.ts";
import { DEFAULT_LIMITS, TreeWrites, type VaultLimits } from "./tree-writes.ts";
import { VaultRow } from "./vault-row.ts";

/** An overlay that nobody knows of is removed after so long: one that was just begun is recorded in a moment. */
const FORGOTTEN = "1 hour";

export interface PostgresOverlaysOptions {
  readonly database: Postgres;
  /** Of the vault below. */
  readonly row: VaultRow;
  readonly base: PostgresVault;
  readonly now: () => Date;
  readonly limits?: VaultLimits;
}

/** The row of an overlay: its copies are the files of a vault that has no address. */
class OverlayRow extends VaultRow {
  protected override missing(): ExpectedError {
    return noLongerKept(this.name);
  }
}

/** Keeps an overlay as the rows of a vault of its own, which goes with the vault below. */
class PostgresOverlayStore implements OverlayStore {
  readonly copies: Vault;
  readonly isShared = true;
  readonly #database: Postgres;
  readonly #row: VaultRow;
  readonly #now: () => Date;
  readonly #limits: VaultLimits;

  constructor(row: VaultRow, { database, now, limits = DEFAULT_LIMITS }: PostgresOverlaysOptions) {
    this.#database = database;
    this.#row = row;
    this.#now = now;
    this.#limits = limits;
    this.copies = new PostgresVault({ database, row, now, limits });
  }

  async brought(): Promise<Map<VaultPath, string>> {
    const rows = await this.#database.query(
      "SELECT path, version FROM overlay_copies WHERE vault = $1 ORDER BY path",
      [this.#row.id],
    );
    return new Map(rows.map(({ path, version }) => [String(path), String(version)]));
  }

  async bring(place: VaultPath, bytes: Buffer, hash: string): Promise<void> {
    await this.#write(async (tree, now) => {
      await tree.makeParents(place, now);
      const found = await tree.rows.find(place);
      const before = found.kind === "file" ? found : null;
      await tree.put(place, bytes, before, { created: now, modified: now });
      await this.#database.execute(
        "INSERT INTO overlay_copies (vault, path, version) VALUES ($1, $2, $3) ON CONFLICT (vault, path) DO UPDATE SET version = excluded.version",
        [this.#row.id, place, hash],
      );
    });
  }

  async makeFolder(place: VaultPath): Promise<void> {
    await this.#write(async (tree, now) => {
      await tree.makeParents(`${place}/x`, now);
    });
  }

  async keepLarge(bytes: Buffer): Promise<void> {
    await this.#write(async (tree) => {
      const blob = await tree.blobs.put([bytes]);
      await this.#database.execute(
        "INSERT INTO overlay_blobs (vault, version, blob) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [this.#row.id, versionHash(bytes), blob],
      );
    });
  }

  async large({ hash }: FileVersion): Promise<Buffer> {
    const { blobs } = new TreeWrites(this.#database, this.#row, this.#limits);
    const row = await this.#database.one(
      "SELECT blob FROM overlay_blobs WHERE vault = $1 AND version = $2",
      [this.#row.id, hash],
    );
    const bytes = row === null ? null : await blobs.read(String(row["blob"]));
    if (bytes === null) throw new Error(`the bytes of a new file in ${this.#row.name} are missing`);
    return bytes;
  }

  async #write(work: (tree: TreeWrites, now: number) => Promise<void>): Promise<void> {
    await this.#database.transaction(async () => {
      await this.#row.lock();
      await work(new TreeWrites(this.#database, this.#row, this.#limits), this.#now().getTime());
    });
  }
}

/** The overlays of a vault in PostgreSQL: any replica may go on with one, and answer for it. */
export class PostgresOverlays implements Overlays {
  readonly #options: PostgresOverlaysOptions;

  constructor(options: PostgresOverlaysOptions) {
    this.#options = options;
  }

  async create(name: string): Promise<OverlayVault> {
    const { database, row } = this.#options;
    const id = await database.transaction(async () => {
      await this.remove(name);
      // No name of a vault has a slash.
      const made = await database.one(
        "INSERT INTO vaults (name, overlay_of, overlay) VALUES ($1, $2, $3) RETURNING id",
        [`${row.name}/${name}`, row.id, name],
      );
      return Number(made?.["id"]);
    });
    return this.#opened(id, name);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#find(name)) !== null;
  }

  async open(name: string): Promise<OverlayVault> {
    const id = await this.#find(name);
    if (id === null) throw noLongerKept(name);
    return this.#opened(id, name);
  }

  async remove(name: string): Promise<void> {
    const { database, row } = this.#options;
    await database.execute("DELETE FROM vaults WHERE overlay_of = $1 AND overlay = $2", [
      row.id,
      name,
    ]);
  }

  /** Another replica may be trying changes of an update that runs, or have begun an overlay that is not recorded yet. */
  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    const { database, row } = this.#options;
    await database.execute(
      `DELETE FROM vaults v WHERE v.overlay_of = $1 AND NOT v.overlay = ANY ($2) AND v.made < now() - interval '${FORGOTTEN}'
         AND NOT EXISTS (SELECT 1 FROM updates u WHERE u.vault = $1 AND u.id = v.overlay AND u.status IN ('waiting', 'running', 'preview'))`,
      [row.id, [...names]],
    );
  }

  /** One transaction: it holds the locks of the vault and of the overlay, in this order. */
  async settle<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { database, base } = this.#options;
    return base.alone(async () => {
      const id = await this.#find(name);
      if (id !== null) await new OverlayRow(database, id, name).lock();
      return work();
    });
  }

  async #find(name: string): Promise<number | null> {
    const { database, row } = this.#options;
    const found = await database.one(
      "SELECT id FROM vaults WHERE overlay_of = $1 AND overlay = $2",
      [row.id, name],
    );
    return found === null ? null : Number(found["id"]);
  }

  async #opened(id: number, name: string): Promise<OverlayVault> {
    const { base, database } = this.#options;
    return openOverlayIn(
      base,
      new PostgresOverlayStore(new OverlayRow(database, id, name), this.#options),
    );
  }
}

function noLongerKept(name: string): ExpectedError {
  return new ExpectedError("not_found", `The changes of ${name} are no longer kept.`);
}
