import { createSession, type Session } from "../../tools/session.ts";

/** A client unheard of for so long that this many others came has to read again: that costs a call, and loses nothing. */
const REMEMBERED = 1000;

/** The sessions of clients that have no connection to hang one on: one for each name, or for each of its connections. */
export class ClientSessions {
  readonly #byClient = new Map<string, Session>();
  readonly #most: number;

  constructor(most = REMEMBERED) {
    this.#most = most;
  }

  of(name: string, connection = ""): Session {
    const client = JSON.stringify([name, connection]);
    const session = this.#byClient.get(client) ?? createSession(name);
    // Last in the map is last used.
    this.#byClient.delete(client);
    this.#byClient.set(client, session);
    const oldest = this.#byClient.keys().next();
    if (this.#byClient.size > this.#most && !oldest.done) this.#byClient.delete(oldest.value);
    return session;
  }
}
