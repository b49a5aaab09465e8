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

/** A small OpenID provider: real HTTP, real keys, which it changes when it is told to. */
export class OidcProvider {
  readonly issuer: string;
  readonly client = { id: "coffre", secret: "p:w d" };
  readonly #codes = new Map<string, Code>();
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
    if (request.url === "/.well-known/openid-configuration") {
      const at = (path: string): string => `${this.issuer}/${path}`;
      const endpoints = { authorization_endpoint: at("login"), token_endpoint: at("token") };
      send(200, { issuer: this.issuer, ...endpoints, jwks_uri: at("keys") });
    } else if (request.url === "/keys") {
      this.keyRequests += 1;
      send(200, { keys: this.#published.map(({ jwk }) => jwk) });
    } else if (request.url === "/token" && request.method === "POST") {
      const idToken = await this.#exchange(request);
      if (idToken === null) send(400, { error: "invalid_grant" });
      else send(200, { id_token: idToken, access_token: "x", token_type: "Bearer" });
    } else send(404, {});
  }

  async #exchange(request: IncomingMessage): Promise<string | null> {
    const form = new URLSearchParams(await text(request));
    const { id, secret } = this.client;
    const both = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
    if (request.headers.authorization !== `Basic ${Buffer.from(both).toString("base64")}`)
      return null;
    const code = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge !== challenge || code.redirect !== form.get("redirect_uri")) return null;
    return this.sign({ aud: id, nonce: code.nonce, ...code.claims });
  }
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
