import { randomBytes } from "node:crypto";

import { SignJWT, UnsecuredJWT } from "jose";

import type { Postgres } from "../../src/storage/postgres/postgres.ts";
import type { Person } from "../../src/team/people/people.ts";
import type { Team } from "../../src/team/people/team.ts";
import { Random } from "../../src/testing/random.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { makeKey, type OidcProvider } from "./oidc-provider.ts";

const DAY = 86_400_000;

export interface ForgedParts {
  readonly database: Postgres;
  readonly team: Team;
  readonly oidc: OidcProvider;
  /** Known to the provider as `ada`. */
  readonly person: Person;
  /** The id of the vault, and its address. */
  readonly vault: number;
  readonly resource: string;
  readonly now: () => Date;
}

/** What nobody may be let in with, and beside it what somebody is. */
export interface Forged {
  /** Forged, expired, replayed or meant for something else: of 18 kinds, one after the other. */
  readonly make: (at: number) => Promise<string>;
  readonly valid: string;
  readonly personal: string;
  readonly session: string;
  readonly endedSession: string;
}

export async function forgedTokens({
  database,
  team,
  oidc,
  person,
  vault,
  resource,
  now,
}: ForgedParts): Promise<Forged> {
  const access = { aud: resource, scope: "vault:read vault:write" };
  const random = new Random(23);
  const soon = new Date(now().getTime() + DAY);
  const valid = await oidc.sign({ sub: "ada", ...access });
  const given = { person: person.id, name: "a", scopes: ["vault:read"] as const, expires: soon };
  const personal = await team.tokens.create(given);
  const foreign = (await makeVaultRow(database, "other")).id;
  const elsewhere = await team.tokens.create({ ...given, vault: foreign });
  const link = await team.invitations.create({ vault: vault, role: "editor", expires: soon });
  await team.invitations.accept(link.text, person);
  const revoked = await team.tokens.create(given);
  await team.tokens.revoke(revoked.token.id);
  const session = await team.sessions.start(person.id);
  const ended = await team.sessions.start(person.id);
  await team.sessions.end(ended.cookie);
  const stranger = await makeKey();
  const seconds = Math.floor(now().getTime() / 1000);
  const publicKey = Buffer.from(JSON.stringify(oidc.key.jwk));
  const tampered = (token: string): string => {
    const place = random.below(token.length - 1);
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const other = letters.split("").filter((letter) => letter !== token[place]);
    return token.slice(0, place) + (random.pick(other) ?? "") + token.slice(place + 1);
  };
  const idToken = await oidc.sign({ sub: "ada", aud: oidc.client.id, scope: access.scope });
  const header = (alg: string): { alg: string; kid: string } => ({ alg, kid: oidc.key.id });
  const kinds: readonly (() => Promise<string> | string)[] = [
    () => tampered(personal.text),
    () => `cof_${personal.token.id}_${randomBytes(32).toString("base64url")}`,
    () => `cof_${randomBytes(8).toString("hex")}_${randomBytes(32).toString("base64url")}`,
    () => revoked.text,
    () => elsewhere.text,
    () => link.text,
    () => session.cookie,
    // The last letter of a signature has bits that mean nothing: the rest of the token is changed.
    () => tampered(valid.slice(0, -2)) + valid.slice(-2),
    () => oidc.sign({ sub: "ada", ...access }, stranger),
    () => oidc.sign({ sub: "ada", ...access }, { ...stranger, id: oidc.key.id }),
    () => oidc.sign({ sub: "ada", ...access, exp: seconds - 31 - random.below(10_000) }),
    () =>
      oidc.sign({
        sub: "ada",
        scope: access.scope,
        aud:
          random.pick([`${resource}/`, `${resource}-other`, new URL(resource).origin, "coffre"]) ??
          "",
      }),
    () => oidc.sign({ sub: "ada", scope: access.scope }),
    () => oidc.sign({ sub: "ada", ...access, iss: `${oidc.issuer}/` }),
    () => idToken,
    () =>
      new UnsecuredJWT({
        sub: "ada",
        iss: oidc.issuer,
        iat: seconds,
        exp: seconds + 300,
        ...access,
      }).encode(),
    () =>
      new SignJWT({ sub: "ada", iss: oidc.issuer, iat: seconds, exp: seconds + 300, ...access })
        .setProtectedHeader(header("HS256"))
        .sign(publicKey),
    () => randomBytes(random.below(200)).toString("base64url"),
  ];
  return {
    make: async (at) => {
      const make = kinds[at % kinds.length];
      return make === undefined ? "" : make();
    },
    valid,
    personal: personal.text,
    session: session.cookie,
    endedSession: ended.cookie,
  };
}
