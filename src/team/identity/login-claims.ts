import { z } from "zod";

import type { Identity } from "../people/people.ts";
import { fetchJson, type Provider } from "./provider.ts";

/** What an ID token or UserInfo says of somebody. What is of another type than it should be counts as not said. */
const Claims = z.object({
  sub: z.string(),
  name: z.string().nullish().catch(null),
  preferred_username: z.string().nullish().catch(null),
  email: z.string().nullish().catch(null),
  // Some providers write it as a text.
  email_verified: z
    .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
    .nullish()
    .catch(null),
});
type Claims = z.infer<typeof Claims>;

/** Who an ID token that was verified is about, as far as it says; null for nobody. */
export function loginClaims(payload: unknown): Claims | null {
  return Claims.safeParse(payload).data ?? null;
}

/**
 * With what UserInfo has of name and address, where the ID token leaves them out, as OpenID Connect has it for logins by code (5.4).
 * @returns null when UserInfo speaks of somebody else, whose claims must not be used (5.3.2)
 */
export async function withUserInfo(
  claims: Claims,
  provider: Provider,
  accessToken: string | null,
): Promise<Claims | null> {
  const { userinfo_endpoint: endpoint } = await provider.metadata();
  const isAll = isSaid(claims.name) && isSaid(claims.email);
  if (isAll || endpoint === undefined || accessToken === null) return claims;
  const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
  const more = loginClaims(await fetchJson(endpoint, { headers }));
  if (more?.sub !== claims.sub) return null;
  // Whether an address is verified is said of the one that stands beside it.
  const { email, email_verified } = isSaid(claims.email) ? claims : more;
  return {
    sub: claims.sub,
    name: isSaid(claims.name) ? claims.name : more.name,
    preferred_username: claims.preferred_username ?? more.preferred_username,
    email,
    email_verified,
  };
}

function isSaid(text: string | null | undefined): boolean {
  return text !== null && text !== undefined && text.trim() !== "";
}

export function identityOf(claims: Claims, issuer: string): Identity {
  return {
    issuer,
    subject: claims.sub,
    name: [claims.name, claims.preferred_username].find(isSaid) ?? null,
    email: isSaid(claims.email) ? (claims.email ?? null) : null,
    isEmailVerified: claims.email_verified === true,
  };
}
