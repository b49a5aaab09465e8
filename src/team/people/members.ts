import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { Grant } from "../rights/rights.ts";
import type { Grants } from "./grants.ts";
import { personOf, type Person } from "./people.ts";
import type { Tokens } from "./tokens.ts";

/** Somebody who has a grant in a vault, with all of their grants there: that for the whole vault first. */
export interface Member {
  readonly person: Person;
  readonly grants: readonly Grant[];
}

/** The people of one vault, as its owners administer them: nothing here reaches another vault. */
export class Members {
  readonly #database: Postgres;
  readonly #grants: Grants;
  readonly #tokens: Tokens;
  readonly #now: () => Date;

  constructor(database: Postgres, grants: Grants, tokens: Tokens, now: () => Date) {
    this.#database = database;
    this.#grants = grants;
    this.#tokens = tokens;
    this.#now = now;
  }

  async list(vault: number): Promise<Member[]> {
    const rows = await this.#database.query(
      `SELECT p.id, p.name, p.email, p.disabled FROM people p
       WHERE EXISTS (SELECT 1 FROM grants g WHERE g.vault = $1 AND g.person = p.id) ORDER BY p.name, p.id`,
      [vault],
    );
    const grants = Map.groupBy(await this.#grants.list({ vault }), ({ person }) => person);
    return rows.map((row) => {
      const person = personOf(row);
      return { person, grants: grants.get(person.id) ?? [] };
    });
  }

  /** Somebody who has a grant in a vault. Throws `not_found` for anybody else, whether they exist or not. */
  async get(vault: number, id: string): Promise<Person> {
    const row = await this.#database.one(
      `SELECT p.id, p.name, p.email, p.disabled FROM people p
       WHERE p.id = $2 AND EXISTS (SELECT 1 FROM grants g WHERE g.vault = $1 AND g.person = p.id)`,
      [vault, id],
    );
    if (row !== null) return personOf(row);
    throw new ExpectedError(
      "not_found",
      `Nobody of this vault has the id ${JSON.stringify(id)}. Invite whoever should have a role in it.`,
    );
  }

  /** Takes away a person's grants in a vault, their tokens and invitations for it alone, and where they are shown. */
  async remove(vault: number, person: string): Promise<void> {
    await this.#database.transaction(async () => {
      await this.#grants.clear(person, vault);
      for (const { id } of await this.#tokens.list(person, vault))
        await this.#tokens.revoke(id, { vault });
      await this.#database.execute(
        "UPDATE invitations SET revoked = $3 WHERE vault = $1 AND person = $2 AND used IS NULL AND revoked IS NULL",
        [vault, person, this.#now().getTime()],
      );
      await this.#database.execute("DELETE FROM presence WHERE vault = $1 AND person = $2", [
        vault,
        person,
      ]);
    });
  }
}
