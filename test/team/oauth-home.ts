import { onTestFinished } from "vitest";

import { Provider } from "../../src/team/identity/provider.ts";
import { startProvider, type OidcProvider } from "./oidc-provider.ts";
import { personWith, servedTeam } from "./served-team.ts";

export interface OAuthHome {
  readonly at: string;
  readonly oidc: OidcProvider;
  /** A personal token of Ana. */
  readonly token: string;
}

/** A service whose provider knows Ana, who is an editor of one vault and a viewer of another. */
export async function oauthHome(): Promise<OAuthHome> {
  const now = (): Date => new Date();
  const oidc = await startProvider(now);
  const provider = new Provider({ issuer: oidc.issuer, now, keyCooldown: 0 });
  const served = await servedTeam({ provider, client: oidc.client });
  onTestFinished(() => {
    if (served.bugs.length > 0) throw new Error(served.bugs.join("\n"));
  });
  const ana = await personWith(served, "Ana", "house", { "": "editor" });
  await personWith(served, "Bo", "other", { "": "editor" });
  const identity = { issuer: oidc.issuer, subject: "ana", name: null, email: null };
  await served.team.people.link(ana.id, { ...identity, isEmailVerified: false });
  oidc.user = { sub: "ana" };
  return { at: served.addresses[0] ?? "", oidc, token: ana.token };
}
