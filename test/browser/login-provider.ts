import { createServer, type Server } from "node:http";

import { afterAll, beforeAll } from "vitest";

import { makeKey, OidcProvider } from "../team/oidc-provider.ts";
import { freePort } from "../team/replica.ts";

/** Who logs in at the provider next. */
export interface Account {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
}

/** An OpenID provider with a login page, which lets its one account in without asking. */
export class LoginProvider {
  readonly port: number;
  account: Account = { sub: "1", name: "Nobody", email: "nobody@example.com" };
  #server: Server | null = null;

  constructor(port: number) {
    this.port = port;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const provider = new OidcProvider(this.issuer, await makeKey(), () => new Date());
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", this.issuer);
      if (url.pathname === "/login") {
        const claims = { ...this.account, email_verified: true };
        const answer = provider.logIn(url.href, claims);
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.search = new URLSearchParams({ ...answer, iss: this.issuer }).toString();
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      provider.answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#server.listen(this.port, "127.0.0.1", () => resolve(null));
    await promise;
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#server?.closeAllConnections();
    this.#server?.close(() => resolve(null));
    await promise;
  }
}

/** One provider for the tests of a file. */
export async function useLoginProvider(): Promise<LoginProvider> {
  const provider = new LoginProvider(await freePort());
  beforeAll(async () => provider.start());
  afterAll(async () => provider.stop());
  return provider;
}
