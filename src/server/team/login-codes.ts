import { createHash, randomBytes } from "node:crypto";

import type { Postgres } from "../../storage/postgres/postgres.ts";
import { CODE_MINUTES } from "../auth/access.ts";

/** Codes that let one browser in, once, on whichever replica it comes to. */
export class LoginCodes {
  readonly #database: Postgres;

  constructor(database: Postgres) {
    this.#database = database;
  }

  async make(): Promise<string> {
    const code = randomBytes(32).toString("base64url");
    await this.#database.execute(
      "INSERT INTO login_codes (digest, until) VALUES ($1, now() + make_interval(mins => $2))",
      [digestOf(code), CODE_MINUTES],
    );
    return code;
  }

  /** Whether this code is valid; it is used up by this call. */
  async use(code: string): Promise<boolean> {
    const row = await this.#database.one(
      "DELETE FROM login_codes WHERE digest = $1 RETURNING until >= now() AS valid",
      [digestOf(code)],
    );
    return row?.["valid"] === true;
  }
}

function digestOf(code: string): string {
  return createHash("sha256").update(code).digest("base64url");
}
