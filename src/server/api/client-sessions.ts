import { ExpectedError } from "../../errors.ts";
import { createSession, type Session } from "../../tools/session.ts";
import { CLIENT_HEADER } from "./contract.ts";

/** When more clients came since, a client has to read again before it edits: that costs a call, and loses nothing. */
const MAX_SESSIONS = 1000;
const MAX_NAME_LENGTH = 200;

/** The sessions of clients over HTTP: one for each name, or for each of its connections. The least recently used is dropped. */
export class ClientSessions {
  readonly #byClient = new Map<string, Session>();
  readonly #max: number;

  constructor(max = MAX_SESSIONS) {
    this.#max = max;
  }

  of(name: string, connection = ""): Session {
    const client = JSON.stringify([name, connection]);
    const session = this.#byClient.get(client) ?? createSession(name);
    this.#byClient.delete(client);
    this.#byClient.set(client, session);
    const oldest = this.#byClient.keys().next();
    if (this.#byClient.size > this.#max && !oldest.done) this.#byClient.delete(oldest.value);
    return session;
  }
}

/**
 * Who sends a request, by its header. Headers carry no accents, so a name may be percent-encoded.
 * @param unnamed shared by all callers that do not give a name
 */
export function clientOf({ headers }: Request, unnamed = "http"): string {
  const header = headers.get(CLIENT_HEADER);
  if (header === null || header === "") return unnamed;
  const name = decoded(header);
  if (name.length <= MAX_NAME_LENGTH) return name;
  throw new ExpectedError(
    "invalid_argument",
    `The name in ${CLIENT_HEADER} has ${name.length} characters; at most ${MAX_NAME_LENGTH} are accepted.`,
  );
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
