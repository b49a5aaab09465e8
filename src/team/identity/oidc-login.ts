import { createHash, randomBytes } from "node:crypto";

import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { Identity } from "../people/people.ts";
import { isSecret, sha256 } from "../people/secrets.ts";
import { identityOf, loginClaims, withUserInfo } from "./login-claims.ts";
import { fetchJson, type Provider, type ProviderMetadata } from "./provider.ts";

export interface OidcClient {
  readonly id: string;
  /** Null for a public client. */
  readonly secret: string | null;
  /** Where the provider sends the browser back to. */
  readonly redirect: string;
}

/** What the browser is given when it is sent to the provider. */
export interface BegunLogin {
  readonly address: string;
  /** The value of a short-lived cookie: a login that comes back to another browser is refused. */
  readonly browser: string;
}

/** What the provider sends the browser back with, and its cookie. */
export interface ReturnedLogin {
  readonly code: string | null;
  readonly state: string | null;
  /** RFC 9207; null when the provider does not send it. */
  readonly issuer: string | null;
  readonly browser: string | null;
}

export interface FinishedLogin {
  readonly identity: Identity;
  /** A path of this service. */
  readonly returnTo: string;
}

const MINUTES = 10;
const Answer = z.object({ id_token: z.string(), access_token: z.string().optional() });

/** Login by authorization code with PKCE. What was begun is kept in the database, so that any replica can finish it, once. */
export class OidcLogin {
  readonly #database: Postgres;
  readonly #provider: Provider;
  readonly #client: OidcClient;
  readonly #now: () => Date;

  constructor(database: Postgres, provider: Provider, client: OidcClient, now: () => Date) {
    this.#database = database;
    this.#provider = provider;
    this.#client = client;
    this.#now = now;
  }

  /** @param returnTo a path of this service; anything else becomes `/`, so that no link can lead away through a login */
  async begin(returnTo: string): Promise<BegunLogin> {
    // First: with a provider that does not answer, nothing is kept of a login that cannot be finished.
    const { authorization_endpoint: endpoint } = await this.#provider.metadata();
    const [state, browser, nonce, verifier] = [secret(), secret(), secret(), secret()];
    const now = this.#now().getTime();
    await this.#database.execute("DELETE FROM logins WHERE expires <= $1", [now]);
    await this.#database.execute(
      "INSERT INTO logins (state, browser, nonce, verifier, return_to, expires) VALUES ($1, $2, $3, $4, $5, $6)",
      [sha256(state), sha256(browser), nonce, verifier, ownPath(returnTo), now + MINUTES * 60_000],
    );
    const address = new URL(endpoint);
    const asked = {
      response_type: "code",
      client_id: this.#client.id,
      redirect_uri: this.#client.redirect,
      scope: "openid profile email",
      state,
      nonce,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
    return { address: address.href, browser };
  }

  /** Who came back. Throws `no_permission` for a login that was not begun here, is over, or was finished already. */
  async finish({ code, state, issuer, browser }: ReturnedLogin): Promise<FinishedLogin> {
    if (state === null || code === null || browser === null) throw refused();
    const begun = await this.#database.one(
      "DELETE FROM logins WHERE state = $1 RETURNING browser, nonce, verifier, return_to, expires",
      [sha256(state)],
    );
    const isOver = begun === null || Number(begun["expires"]) <= this.#now().getTime();
    if (isOver || !isSecret(browser, begun["browser"])) throw refused();
    if (issuer !== null && issuer !== this.#provider.issuer) throw refused();
    const { id_token: idToken, access_token: accessToken = null } = await this.#exchange(
      code,
      String(begun["verifier"]),
    );
    const payload = await this.#provider.verify(idToken, { audience: this.#client.id });
    const said = loginClaims(payload);
    if (said === null || payload?.["nonce"] !== begun["nonce"]) throw refused();
    // Whoever is known needs no name and no address: they come in also while UserInfo is away.
    const claims = (await this.#isKnown(said.sub))
      ? said
      : await withUserInfo(said, this.#provider, accessToken);
    if (claims === null) throw refused();
    const identity = identityOf(claims, this.#provider.issuer);
    return { identity, returnTo: String(begun["return_to"]) };
  }

  async #isKnown(subject: string): Promise<boolean> {
    const row = await this.#database.one(
      "SELECT 1 FROM people WHERE issuer = $1 AND subject = $2",
      [this.#provider.issuer, subject],
    );
    return row !== null;
  }

  async #exchange(code: string, verifier: string): Promise<z.infer<typeof Answer>> {
    const metadata = await this.#provider.metadata();
    const { headers, fields } = clientProof(this.#client, metadata);
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: this.#client.redirect,
      code_verifier: verifier,
      ...fields,
    });
    const answer = Answer.safeParse(
      await fetchJson(metadata.token_endpoint, {
        method: "POST",
        headers: { accept: "application/json", ...headers },
        body: form,
      }),
    );
    if (!answer.success) throw refused();
    return answer.data;
  }
}

/** How the service says which client it is: in the header as is usual, in the form where the provider takes it there only. */
function clientProof(
  { id, secret: password }: OidcClient,
  { token_endpoint_auth_methods_supported: methods }: ProviderMetadata,
): { readonly headers: Record<string, string>; readonly fields: Record<string, string> } {
  if (password === null) return { headers: {}, fields: { client_id: id } };
  const takes = (method: string): boolean => methods?.includes(method) === true;
  if (takes("client_secret_post") && !takes("client_secret_basic"))
    return { headers: {}, fields: { client_id: id, client_secret: password } };
  const both = `${encodeURIComponent(id)}:${encodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(both).toString("base64")}`;
  return { headers: { authorization }, fields: {} };
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** A path of this service as it is; `/` for anything else. */
export function ownPath(path: string): string {
  const base = "http://here.invalid";
  const url = /^\/(?![/\\])/u.test(path) ? URL.parse(path, base) : null;
  return url?.origin === base ? url.pathname + url.search : "/";
}

function refused(): ExpectedError {
  return new ExpectedError(
    "no_permission",
    "This login is not valid, or not any more. Log in again.",
  );
}
