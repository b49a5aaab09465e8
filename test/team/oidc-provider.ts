import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import { onTestFinished } from "vitest";

interface Key {
  readonly id: string;
  readonly secret: CryptoKey;
  readonly jwk: JWK;
}

interface Code {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirect: string;
  readonly claims: JWTPayload;
}

/** What a program that registered itself asks for with a code. */
interface Asked extends Omit<Code, "nonce"> {
  readonly client: string;
  readonly resource: string;
  readonly scope: string;
}

/**
 * A small OpenID provider: real HTTP, real keys, which it changes when it is told to. Programs may register themselves; whoever is at the
 * browser then says yes.
 */
export class OidcProvider {
  readonly issuer: string;
  readonly client = { id: "coffre", secret: "p:w d" };
  /** Who is logged in at the provider with the browser. */
  user: JWTPayload = { sub: "nobody" };
  /** Of what is known of somebody, only these stand in ID tokens, and the rest in UserInfo; null for all in ID tokens and no UserInfo. */
  inIdToken: readonly string[] | null = null;
  /** How programs with a secret show it. */
  secretIn: "client_secret_basic" | "client_secret_post" = "client_secret_basic";
  /** What UserInfo says instead. */
  userInfo: object | null = null;
  /** How often UserInfo was asked. */
  userInfoRequests = 0;
  readonly #byAccessToken = new Map<string, JWTPayload>();
  /** What that person allows programs at most. */
  allowed: readonly string[] = ["vault:read", "vault:write"];
  /** What programs asked to be allowed, and for which resource. */
  readonly requests: { readonly scope: string; readonly resource: string }[] = [];
  readonly #codes = new Map<string, Code>();
  readonly #clients = new Map<string, readonly string[]>();
  readonly #asked = new Map<string, Asked>();
  #key: Key;
  #published: readonly Key[];
  /** How often its keys were asked for. */
  keyRequests = 0;
  readonly #now: () => Date;

  constructor(issuer: string, key: Key, now: () => Date) {
    this.issuer = issuer;
    this.#key = key;
    this.#published = [key];
    this.#now = now;
  }

  /** Signs with a new key from now on; the old one is no longer published. */
  async rotate(): Promise<void> {
    this.#key = await makeKey();
    this.#published = [this.#key];
  }

  get key(): Key {
    return this.#key;
  }

  async sign(claims: JWTPayload, key: Key = this.#key): Promise<string> {
    const now = Math.floor(this.#now().getTime() / 1000);
    return new SignJWT({ iss: this.issuer, iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: "ES256", kid: key.id })
      .sign(key.secret);
  }

  /** What a browser does at the login page: somebody logs in, and is sent back with a code. */
  logIn(address: string, claims: JWTPayload): { code: string; state: string } {
    const asked = new URL(address).searchParams;
    if (asked.get("response_type") !== "code" || asked.get("code_challenge_method") !== "S256")
      throw new Error("not a login by code with PKCE");
    const code = randomBytes(16).toString("hex");
    this.#codes.set(code, {
      challenge: asked.get("code_challenge") ?? "",
      nonce: asked.get("nonce") ?? "",
      redirect: asked.get("redirect_uri") ?? "",
      claims,
    });
    return { code, state: asked.get("state") ?? "" };
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const url = new URL(request.url ?? "", this.issuer);
    if (url.pathname === "/.well-known/openid-configuration") send(200, this.#metadata());
    else if (url.pathname === "/login") {
      const back = this.#authorize(url.searchParams);
      if (back === null) send(400, { error: "invalid_request" });
      else response.writeHead(302, { location: back }).end();
    } else if (request.url === "/register" && request.method === "POST") {
      const asked: unknown = JSON.parse(await text(request));
      const uris: unknown = Object(asked)["redirect_uris"];
      const id = `client-${this.#clients.size}`;
      this.#clients.set(id, Array.isArray(uris) ? uris.map(String) : []);
      send(201, { ...Object(asked), client_id: id, token_endpoint_auth_method: "none" });
    } else if (request.url === "/keys") {
      this.keyRequests += 1;
      send(200, { keys: this.#published.map(({ jwk }) => jwk) });
    } else if (request.url === "/token" && request.method === "POST") {
      const form = new URLSearchParams(await text(request));
      const access = await this.#accessToken(form);
      const idToken = access === null ? await this.#exchange(request, form) : null;
      if (access !== null) send(200, access);
      else if (idToken === null) send(400, { error: "invalid_grant" });
      else send(200, { ...idToken, token_type: "Bearer" });
    } else if (request.url === "/userinfo" && this.inIdToken !== null) {
      this.userInfoRequests += 1;
      const token = (request.headers.authorization ?? "").replace("Bearer ", "");
      const claims = this.userInfo ?? this.#byAccessToken.get(token);
      if (claims === undefined) send(401, {});
      else send(200, claims);
    } else send(404, {});
  }

  #metadata(): object {
    const at = (path: string): string => `${this.issuer}/${path}`;
    return {
      issuer: this.issuer,
      authorization_endpoint: at("login"),
      token_endpoint: at("token"),
      registration_endpoint: at("register"),
      jwks_uri: at("keys"),
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", this.secretIn],
      ...(this.inIdToken === null ? {} : { userinfo_endpoint: at("userinfo") }),
    };
  }

  /** Where the browser goes when its person has said yes to a program; null for a program that did not register this address. */
  #authorize(given: URLSearchParams): string | null {
    const of = (name: string): string => given.get(name) ?? "";
    const [client, redirect, resource] = [of("client_id"), of("redirect_uri"), of("resource")];
    const isKnown = this.#clients.get(client)?.includes(redirect) === true;
    if (!isKnown || of("code_challenge_method") !== "S256") return null;
    const code = randomBytes(16).toString("hex");
    const granted = of("scope")
      .split(" ")
      .filter((scope) => this.allowed.includes(scope));
    this.requests.push({ scope: of("scope"), resource });
    const asked = { challenge: of("code_challenge"), redirect, claims: this.user };
    this.#asked.set(code, { ...asked, client, resource, scope: granted.join(" ") });
    const back = new URL(redirect);
    const answer = { code, state: of("state"), iss: this.issuer };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    return back.href;
  }

  /** For the resource that was asked for, and no other (RFC 8707). */
  async #accessToken(form: URLSearchParams): Promise<object | null> {
    const asked = this.#asked.get(form.get("code") ?? "");
    this.#asked.delete(form.get("code") ?? "");
    const isRight =
      asked?.client === form.get("client_id") &&
      asked.redirect === form.get("redirect_uri") &&
      asked.challenge === challengeOf(form) &&
      asked.resource === form.get("resource");
    if (!isRight) return null;
    const { scope, resource, claims } = asked;
    const access_token = await this.sign({ ...claims, aud: resource, scope });
    return { access_token, token_type: "Bearer", expires_in: 300, scope };
  }

  async #exchange(
    request: IncomingMessage,
    form: URLSearchParams,
  ): Promise<{ readonly id_token: string; readonly access_token: string } | null> {
    if (!this.#isClient(request, form)) return null;
    const code = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    if (code?.challenge !== challengeOf(form) || code.redirect !== form.get("redirect_uri"))
      return null;
    const access_token = randomBytes(16).toString("hex");
    this.#byAccessToken.set(access_token, code.claims);
    const kept = this.inIdToken;
    const claims = Object.fromEntries(
      Object.entries(code.claims).filter(([name]) => kept === null || kept.includes(name)),
    );
    const id_token = await this.sign({ aud: this.client.id, nonce: code.nonce, ...claims });
    return { id_token, access_token };
  }

  #isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
    const { id, secret } = this.client;
    if (this.secretIn === "client_secret_post")
      return form.get("client_id") === id && form.get("client_secret") === secret;
    const both = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
    return headers.authorization === `Basic ${Buffer.from(both).toString("base64")}`;
  }
}

function challengeOf(form: URLSearchParams): string {
  return createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
}

export async function makeKey(): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const id = randomBytes(6).toString("hex");
  return {
    id,
    secret: privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid: id, alg: "ES256" },
  };
}

/** Listens on this machine until the test ends. */
export async function startProvider(now: () => Date): Promise<OidcProvider> {
  const key = await makeKey();
  let provider: OidcProvider | null = null;
  const server = createServer((request, response) => {
    provider?.answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  provider = new OidcProvider(`http://127.0.0.1:${port}`, key, now);
  return provider;
}
