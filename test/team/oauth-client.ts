import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/client";

type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Registered = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;

/** Where the browser is sent back to; nothing listens there: the test is the browser. */
const REDIRECT = "http://127.0.0.1:1/callback";

/** What a program of the official SDK keeps while it logs its person in. */
export class OAuthClient implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: "test",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  /** Where it sent its person's browser, one address for each time. */
  readonly sent: URL[] = [];
  #registered: Registered;
  #tokens: Tokens;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;

  clientInformation(): Registered {
    return this.#registered;
  }

  saveClientInformation(given: Registered): void {
    this.#registered = given;
  }

  tokens(): Tokens {
    return this.#tokens;
  }

  saveTokens(given: Tokens): void {
    this.#tokens = given;
  }

  redirectToAuthorization(address: URL): void {
    this.sent.push(address);
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** What the person's browser is sent back with, after they said yes at the provider. */
  async sayYes(): Promise<URLSearchParams> {
    const answer = await fetch(this.sent.at(-1) ?? "", { redirect: "manual" });
    return new URL(answer.headers.get("location") ?? "").searchParams;
  }
}
