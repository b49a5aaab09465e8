import { createSession, type Session } from "../tools/session.ts";

/** A client unheard of for so long that this many others came has to read again: that costs a call, and loses nothing. */
const REMEMBERED = 1000;

/** The sessions of clients that have no connection to hang one on: one for each name. */
export class ClientSessions {
  readonly #byName = new Map<string, Session>();
  readonly #most: number;

  constructor(most = REMEMBERED) {
    this.#most = most;
  }

  of(name: string): Session {
    const session = this.#byName.get(name) ?? createSession(name);
    // Last in the map is last used.
    this.#byName.delete(name);
    this.#byName.set(name, session);
    const oldest = this.#byName.keys().next();
    if (this.#byName.size > this.#most && !oldest.done) this.#byName.delete(oldest.value);
    return session;
  }
}
