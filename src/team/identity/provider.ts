import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { z } from "zod";

import { ExpectedError, messageOf } from "../../errors.ts";
import { loadJose } from "./load-jose.ts";

export interface ProviderOptions {
  /** The address that the provider gives itself: `iss` of its tokens. */
  readonly issuer: string;
  readonly now: () => Date;
  /** Milliseconds for which a key that is not known does not lead to another request for the keys; a flood of forged tokens must not be one of requests. */
  readonly keyCooldown?: number;
}

/** What a token of a provider must be. */
export interface Expected {
  /** Any of them. */
  readonly audience: string | readonly string[];
}

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
export type ProviderMetadata = z.infer<typeof Metadata>;

/** Only signatures whose key the provider alone has: with `HS256` its public key could be used as the secret, and `none` needs no key. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];
/** Seconds by which two clocks may differ. */
const CLOCK_SKEW = 30;
const TIMEOUT = 10_000;
const METADATA_AGE = 3_600_000;
const MOST_BYTES = 1_000_000;

/** An OpenID provider: where it is, and whether it signed something. */
export class Provider {
  readonly issuer: string;
  readonly #options: ProviderOptions;
  #metadata: { readonly at: number; readonly found: Promise<ProviderMetadata> } | null = null;
  #keys: { readonly address: string; readonly find: JWTVerifyGetKey } | null = null;

  /** Throws `invalid_argument` for an issuer that others on the way could answer for. */
  constructor(options: ProviderOptions) {
    this.issuer = options.issuer;
    this.#options = options;
    refuseOpen(options.issuer);
  }

  /** What the provider says of itself, asked for again after an hour, and after a failure. */
  async metadata(): Promise<ProviderMetadata> {
    const now = this.#options.now().getTime();
    if (this.#metadata === null || now - this.#metadata.at > METADATA_AGE) {
      const found = this.#discover();
      this.#metadata = { at: now, found };
      found.catch(() => {
        if (this.#metadata?.found === found) this.#metadata = null;
      });
    }
    return this.#metadata.found;
  }

  async #discover(): Promise<ProviderMetadata> {
    const address = `${this.issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`;
    const parsed = Metadata.safeParse(await fetchJson(address, {}));
    if (!parsed.success || parsed.data.issuer !== this.issuer)
      throw unreachable(`it does not describe the issuer ${this.issuer}`);
    const { token_endpoint, jwks_uri, userinfo_endpoint } = parsed.data;
    // Codes, secrets and tokens are sent there.
    for (const each of [token_endpoint, jwks_uri, userinfo_endpoint])
      if (each !== undefined) refuseOpen(each);
    return parsed.data;
  }

  /** The claims of a token that this provider signed for this audience and that is valid now; null for any other. */
  async verify(token: string, { audience }: Expected): Promise<JWTPayload | null> {
    const { jwtVerify, errors } = await loadJose();
    const find = await this.#findKey();
    try {
      const { payload } = await jwtVerify(token, find, {
        issuer: this.issuer,
        audience: typeof audience === "string" ? audience : [...audience],
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW,
        currentDate: this.#options.now(),
        requiredClaims: ["exp", "iat", "sub"],
      });
      return payload;
    } catch (error) {
      // The keys could not be had: that says nothing of the token, and lets nobody in.
      if (error instanceof errors.JWKSTimeout) throw unreachable("its keys took too long");
      if (error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC") return null;
      if (error instanceof TypeError || error instanceof errors.JOSEError)
        throw unreachable(messageOf(error));
      throw error;
    }
  }

  async #findKey(): Promise<JWTVerifyGetKey> {
    const { jwks_uri: address } = await this.metadata();
    if (this.#keys?.address === address) return this.#keys.find;
    const { createRemoteJWKSet } = await loadJose();
    const find = createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT,
      cooldownDuration: this.#options.keyCooldown ?? 30_000,
      cacheMaxAge: METADATA_AGE,
    });
    this.#keys = { address, find };
    return find;
  }
}

/** Asks a provider. Throws `unavailable` when it does not answer with JSON. */
export async function fetchJson(address: string, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(address, {
      ...init,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}`);
    if (text.length > MOST_BYTES) throw new Error("too much was sent");
    return JSON.parse(text);
  } catch (error) {
    throw unreachable(messageOf(error), error);
  }
}

function refuseOpen(address: string): void {
  const url = URL.parse(address);
  const isLocal = url !== null && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return;
  throw new ExpectedError(
    "invalid_argument",
    `${JSON.stringify(address)} is not an address of a login provider: it begins with https://.`,
  );
}

function unreachable(why: string, cause?: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `The login provider does not answer as it should (${why}). Try again.`,
    { cause },
  );
}
