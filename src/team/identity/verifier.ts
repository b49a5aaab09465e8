import type { JWTPayload } from "jose";

import type { Person } from "../people/people.ts";
import { secretId } from "../people/secrets.ts";
import type { Team } from "../people/team.ts";
import { isScope, SCOPES, type Limit, type Scope } from "../rights/rights.ts";
import { Challenge, metadataAddress } from "./challenge.ts";
import type { Provider } from "./provider.ts";

/** What a request shows of who makes it. */
export interface Shown {
  /** The header `Authorization`. */
  readonly authorization: string | null;
  /** The value of the session's cookie. */
  readonly cookie: string | null;
}

/** What is asked for: tokens are valid for one vault only. */
export interface Asked {
  /** The address of the vault or of a server of it, which a provider's token must name as its audience. */
  readonly resource: string;
  /** The address of the vault, when a token for all of it is valid too. */
  readonly within?: string;
  readonly vault: number;
}

/** Somebody who was recognised, and what their credential may do at most. */
export interface Caller {
  readonly person: Person;
  readonly limit: Limit;
  /** `token ID`, `session ID` or `oidc`: for the audit and the rate limits. */
  readonly credential: string;
  /** Only a session needs the checks against forged requests of other pages. */
  readonly isSession: boolean;
}

const BEARER = /^bearer +(\S+)$/iu;
/** Longer ones are not looked at. */
const LONGEST = 16_384;
const WHOLE: Limit = { scopes: SCOPES, folder: null };

/** The one place that says who calls. Nothing of it is kept: what was revoked is refused from the next call on. */
export class Verifier {
  readonly #team: Team;
  readonly #provider: Provider | null;

  constructor(team: Team, provider: Provider | null) {
    this.#team = team;
    this.#provider = provider;
  }

  /**
   * A header counts before a cookie, and one that is not valid is never replaced by it.
   * @throws Challenge for nobody that is known
   */
  async verify({ authorization, cookie }: Shown, asked: Asked): Promise<Caller> {
    const metadata = metadataAddress(asked.resource);
    if (authorization !== null) {
      const token = authorization.length > LONGEST ? undefined : BEARER.exec(authorization)?.[1];
      const caller = token === undefined ? null : await this.#byToken(token, asked);
      if (caller === null) throw new Challenge("invalid_token", metadata);
      if (!caller.limit.scopes.includes("vault:read"))
        throw new Challenge("insufficient_scope", metadata);
      return caller;
    }
    if (cookie === null) throw new Challenge("missing", metadata);
    const session = await this.#team.sessions.verify(cookie);
    if (session === null) throw new Challenge("invalid_token", metadata);
    const credential = `session ${session.id}`;
    return { person: session.person, limit: WHOLE, credential, isSession: true };
  }

  async #byToken(text: string, asked: Asked): Promise<Caller | null> {
    if (secretId("cof", text) === null) return this.#bySignature(text, asked);
    const { vault } = asked;
    const found = await this.#team.tokens.verify(text);
    if (found === null) return null;
    const { person, token } = found;
    if (token.vault !== null && token.vault !== vault) return null;
    const limit = { scopes: token.scopes, folder: token.folder };
    return { person, limit, credential: `token ${token.id}`, isSession: false };
  }

  async #bySignature(text: string, { resource, within = resource }: Asked): Promise<Caller | null> {
    // What is no signed token is refused without asking the provider.
    if (this.#provider === null || text.split(".").length !== 3) return null;
    const claims = await this.#provider.verify(text, { audience: [resource, within] });
    if (claims === null || typeof claims.sub !== "string") return null;
    const identity = {
      issuer: this.#provider.issuer,
      subject: claims.sub,
      name: null,
      email: null,
      isEmailVerified: false,
    };
    const person = await this.#team.people.byIdentity(identity);
    if (person === null || person.disabled !== null) return null;
    const limit = { scopes: scopesOf(claims), folder: null };
    return { person, limit, credential: "oidc", isSession: false };
  }
}

/** `scope` of RFC 9068, or `scp` as some providers have it. */
function scopesOf(claims: JWTPayload): Scope[] {
  const given = claims["scope"] ?? claims["scp"];
  const texts = typeof given === "string" ? given.split(" ") : Array.isArray(given) ? given : [];
  return texts.map(String).filter(isScope);
}
