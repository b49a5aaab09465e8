import { ExpectedError } from "../../errors.ts";
import { NOTIFY, noticeText } from "../../storage/postgres/notices.ts";
import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { isUnder, parsePath, type VaultPath } from "../../vault/paths.ts";
import type { Moved } from "../../compose-team.ts";
import { isRole, lesser, Rights, type Grant, type Limit, type Role } from "../rights/rights.ts";

/** A grant with whom and what it is for. */
export interface ListedGrant extends Grant {
  readonly person: string;
  readonly vault: string;
  readonly vaultId: number;
}

/** Who may do what in which vault. Nothing is kept in memory: a lowered right counts from the next call on, in all processes. */
export class Grants {
  readonly #database: Postgres;

  constructor(database: Postgres) {
    this.#database = database;
  }

  /** What a person may do in a vault, less what their credential takes away. */
  async rights(person: string, vault: number, limits: readonly Limit[] = []): Promise<Rights> {
    const rows = await this.#database.query(
      "SELECT folder, role FROM grants WHERE person = $1 AND vault = $2",
      [person, vault],
    );
    return new Rights(rows.map(grantOf), limits);
  }

  /** The names of the vaults of which somebody sees something. */
  async vaultsOf(person: string, limits: readonly Limit[] = []): Promise<string[]> {
    return (await this.rightsInAll(person, limits)).map(([name]) => name);
  }

  /** The same, with what they may do there. */
  async rightsInAll(
    person: string,
    limits: readonly Limit[] = [],
  ): Promise<(readonly [string, Rights])[]> {
    const byVault = Map.groupBy(await this.list({ person }), ({ vault }) => vault);
    return [...byVault]
      .map(([name, grants]) => [name, new Rights(grants, limits)] as const)
      .filter(([, rights]) => rights.seesSomething);
  }

  /**
   * Gives a role for a vault, or for a folder of it instead of the vault's.
   * @param role null takes the grant away: what lies above counts again
   * @throws ExpectedError `conflict` when a vault would be left without an owner
   */
  async set(person: string, vault: number, folder: string, role: Role | null): Promise<void> {
    const { path } = folder === "" ? { path: "" } : parsePath(folder);
    if (path !== "" && role === "owner")
      throw new ExpectedError("invalid_argument", "Only a whole vault can have an owner.");
    await this.#database.transaction(async () => {
      // Two owners who remove each other at the same time must not both succeed.
      await this.#database.query("SELECT 1 FROM vaults WHERE id = $1 FOR NO KEY UPDATE", [vault]);
      const before = await this.#database.one(
        "SELECT role FROM grants WHERE vault = $1 AND person = $2 AND folder = $3",
        [vault, person, path],
      );
      if (role === null)
        await this.#database.execute(
          "DELETE FROM grants WHERE vault = $1 AND person = $2 AND folder = $3",
          [vault, person, path],
        );
      else await this.#put(vault, person, path, role);
      if (before?.["role"] === "owner" && role !== "owner") await this.#refuseOwnerless(vault);
      await this.#tell(vault);
    });
  }

  /** Takes away all that a person has in a vault. Throws `conflict` when it would be left without an owner. */
  async clear(person: string, vault: number): Promise<void> {
    await this.#database.transaction(async () => {
      await this.#database.query("SELECT 1 FROM vaults WHERE id = $1 FOR NO KEY UPDATE", [vault]);
      const gone = await this.#database.query(
        "DELETE FROM grants WHERE vault = $1 AND person = $2 RETURNING role",
        [vault, person],
      );
      if (gone.some(({ role }) => role === "owner")) await this.#refuseOwnerless(vault);
      await this.#tell(vault);
    });
  }

  /** Whether a vault has a folder: a role for one that is only spelt like it hides nothing. */
  async hasFolder(vault: number, folder: string): Promise<boolean> {
    const { path } = parsePath(folder);
    const row = await this.#database.one(
      "SELECT 1 FROM tree WHERE vault = $1 AND path = $2 AND is_folder",
      [vault, path],
    );
    return path === "" || row !== null;
  }

  /** Open streams ask for the rights of their readers again: pages follow at once, and not with the next thing that happens. */
  async #tell(vault: number): Promise<void> {
    await this.#database.query(NOTIFY, [noticeText({ vault, kind: "rights", text: "" })]);
  }

  /** Whether somebody owns a vault who is not shut out. */
  async isOwned(vault: number): Promise<boolean> {
    const row = await this.#database.one(
      `SELECT EXISTS (SELECT 1 FROM grants g JOIN people p ON p.id = g.person WHERE g.vault = $1 AND g.role = 'owner' AND p.disabled IS NULL) AS owned`,
      [vault],
    );
    return row?.["owned"] === true;
  }

  /** For the loss of an owner only: a vault that nobody owns yet has none to lose. */
  async #refuseOwnerless(vault: number): Promise<void> {
    if (!(await this.isOwned(vault)))
      throw new ExpectedError(
        "conflict",
        "The vault would have no owner. Make somebody else its owner first.",
      );
  }

  async #put(vault: number, person: string, folder: VaultPath, role: Role): Promise<void> {
    await this.#database.execute(
      `INSERT INTO grants (vault, person, folder, role) VALUES ($1, $2, $3, $4)
       ON CONFLICT (vault, person, folder) DO UPDATE SET role = excluded.role`,
      [vault, person, folder, role],
    );
  }

  async list(filter: {
    readonly person?: string;
    readonly vault?: number;
  }): Promise<ListedGrant[]> {
    const rows = await this.#database.query(
      `SELECT g.person, v.name AS vault, v.id AS vault_id, g.folder, g.role FROM grants g JOIN vaults v ON v.id = g.vault
       WHERE ($1::text IS NULL OR g.person = $1) AND ($2::integer IS NULL OR g.vault = $2) ORDER BY v.name, g.person, g.folder`,
      [filter.person ?? null, filter.vault ?? null],
    );
    return rows.map((row) => ({
      ...grantOf(row),
      person: String(row["person"]),
      vault: String(row["vault"]),
      vaultId: Number(row["vault_id"]),
    }));
  }

  /** Grants and tokens of folders that are moved within a vault go with them: to be called in the transaction of the move. */
  async move(vault: number, moves: readonly Moved[]): Promise<void> {
    for (const { path, to } of moves) {
      await this.#copy(vault, { path, to });
      await this.#database.execute(
        "DELETE FROM grants WHERE vault = $1 AND (folder = $2 OR starts_with(folder, $2 || '/'))",
        [vault, path],
      );
      // A token never does more than its person may, wherever its folder is.
      await this.#database.execute(
        `UPDATE tokens SET folder = $3 || substr(folder, length($2) + 1)
         WHERE vault = $1 AND (folder = $2 OR starts_with(folder, $2 || '/'))`,
        [vault, path, to],
      );
    }
  }

  /** Where there is a grant already, the lesser one counts. */
  async #copy(vault: number, { path, to }: Moved): Promise<void> {
    const rows = await this.#database.query(
      "SELECT person, folder, role FROM grants WHERE vault = $1 AND folder <> ''",
      [vault],
    );
    const known = rows.map((row) => ({ ...grantOf(row), person: String(row["person"]) }));
    for (const { person, folder, role } of known.filter((each) => isUnder(each.folder, path))) {
      const place = to + folder.slice(path.length);
      const there = known.find((each) => each.person === person && each.folder === place);
      await this.#put(vault, person, place, lesser(role, there?.role ?? role));
    }
  }
}

function grantOf(row: Row): Grant {
  const role = String(row["role"]);
  return { folder: String(row["folder"]), role: isRole(role) ? role : "none" };
}
