import type { Postgres } from "../../storage/postgres/postgres.ts";
import { personOf, type Person } from "./people.ts";
import { isSecret, newSecret, secretId } from "./secrets.ts";

export interface SessionTimes {
  /** Milliseconds from the login to the next one, at most. */
  readonly longest: number;
  /** Milliseconds without a call after which a session ends. */
  readonly idle: number;
}

const HOUR = 3_600_000;
const DEFAULT_TIMES: SessionTimes = { longest: 30 * 24 * HOUR, idle: 7 * 24 * HOUR };
const USE_STEP = 60_000;
/** Long enough to type a link into a telephone. */
export const LINK_MINUTES = 10;

/** Logins of browsers: of each, the hash of its cookie. */
export class Sessions {
  readonly #database: Postgres;
  readonly #now: () => Date;
  readonly #times: SessionTimes;

  constructor(database: Postgres, now: () => Date, times: SessionTimes = DEFAULT_TIMES) {
    this.#database = database;
    this.#now = now;
    this.#times = times;
  }

  /** Returns the value of the cookie, and when it ends. Every login gets a new one, so that one planted before it is worth nothing. */
  async start(person: string): Promise<{ readonly cookie: string; readonly expires: Date }> {
    const { id, text, sha256 } = newSecret("cofs");
    const now = this.#now().getTime();
    const expires = now + this.#times.longest;
    await this.#database.execute(
      "INSERT INTO sessions (id, person, sha256, created, expires, last_used) VALUES ($1, $2, $3, $4, $5, $4)",
      [id, person, sha256, now, expires],
    );
    return { cookie: text, expires: new Date(expires) };
  }

  /** Whose a cookie is; null for one that is unknown or ended, or whose person is disabled. */
  async verify(cookie: string): Promise<{ readonly person: Person; readonly id: string } | null> {
    const id = secretId("cofs", cookie);
    if (id === null) return null;
    const row = await this.#database.one(
      `SELECT s.sha256, s.expires, s.last_used, s.ended, p.id AS p_id, p.name AS p_name, p.email AS p_email, p.disabled AS p_disabled
       FROM sessions s JOIN people p ON p.id = s.person WHERE s.id = $1`,
      [id],
    );
    if (row === null || !isSecret(cookie, row["sha256"])) return null;
    const person = personOf(row, "p_");
    const now = this.#now().getTime();
    const used = Number(row["last_used"]);
    const isOver = Number(row["expires"]) <= now || used + this.#times.idle <= now;
    if (person.disabled !== null || row["ended"] !== null || isOver) return null;
    if (used <= now - USE_STEP)
      await this.#database.execute("UPDATE sessions SET last_used = $2 WHERE id = $1", [id, now]);
    return { person, id };
  }

  /**
   * A link for another device of somebody who is logged in. It is stored as a session that has not begun: what ends all of a person's sessions
   * ends it too, and its secret opens nothing by itself.
   */
  async offer(person: string): Promise<{ readonly text: string; readonly expires: Date }> {
    const { id, text, sha256 } = newSecret("cofd");
    const now = this.#now().getTime();
    const expires = now + LINK_MINUTES * 60_000;
    await this.#database.execute(
      "INSERT INTO sessions (id, person, sha256, created, expires, last_used) VALUES ($1, $2, $3, $4, $5, $4)",
      [id, person, sha256, now, expires],
    );
    return { text, expires: new Date(expires) };
  }

  /** Whom a link lets in, without using it up; null for one that is not valid. */
  async look(link: string): Promise<Person | null> {
    const id = secretId("cofd", link);
    if (id === null) return null;
    const row = await this.#database.one(
      `SELECT s.sha256, p.id AS p_id, p.name AS p_name, p.email AS p_email, p.disabled AS p_disabled
       FROM sessions s JOIN people p ON p.id = s.person WHERE s.id = $1 AND s.ended IS NULL AND s.expires > $2`,
      [id, this.#now().getTime()],
    );
    if (row === null || !isSecret(link, row["sha256"])) return null;
    const person = personOf(row, "p_");
    return person.disabled === null ? person : null;
  }

  /** Uses a link up. Returns whom it lets in: of several who use one at the same time, one is let in. */
  async redeem(link: string): Promise<Person | null> {
    const person = await this.look(link);
    if (person === null) return null;
    const used = await this.#database.execute(
      "UPDATE sessions SET ended = $2 WHERE id = $1 AND ended IS NULL",
      [secretId("cofd", link), this.#now().getTime()],
    );
    return used === 0 ? null : person;
  }

  /** Logs out. */
  async end(cookie: string): Promise<void> {
    const session = await this.verify(cookie);
    if (session === null) return;
    await this.#database.execute("UPDATE sessions SET ended = $2 WHERE id = $1", [
      session.id,
      this.#now().getTime(),
    ]);
  }

  /** Logs a person out everywhere, and ends links for other devices. Returns how many there were. */
  async endAll(person: string): Promise<number> {
    return this.#database.execute(
      "UPDATE sessions SET ended = $2 WHERE person = $1 AND ended IS NULL",
      [person, this.#now().getTime()],
    );
  }
}
