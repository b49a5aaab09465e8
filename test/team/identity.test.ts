import { describe, expect, it } from "vitest";

import type { Postgres } from "../../src/storage/postgres/postgres.ts";
import { Challenge, metadataAddress, resourceMetadata } from "../../src/team/identity/challenge.ts";
import { loadJose } from "../../src/team/identity/load-jose.ts";
import { OidcLogin } from "../../src/team/identity/oidc-login.ts";
import { Provider } from "../../src/team/identity/provider.ts";
import { Verifier, type Caller } from "../../src/team/identity/verifier.ts";
import type { Person } from "../../src/team/people/people.ts";
import { Team } from "../../src/team/people/team.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { forgedTokens } from "./forged-tokens.ts";
import { startProvider, type OidcProvider } from "./oidc-provider.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

const RESOURCE = "https://notes.example/v/main";
const ACCESS = { aud: RESOURCE, scope: "vault:read vault:write" };
const DAY = 86_400_000;

interface Home {
  readonly database: Postgres;
  readonly team: Team;
  readonly verifier: Verifier;
  readonly login: OidcLogin;
  readonly oidc: OidcProvider;
  readonly vault: number;
  readonly ada: Person;
  /** Lets time pass. */
  readonly wait: (milliseconds: number) => void;
  readonly now: () => Date;
  /** Who is let in with a bearer token, or the header of the refusal. */
  readonly bearer: (token: string) => Promise<Caller | string>;
  readonly cookie: (cookie: string) => Promise<Caller | string>;
}

async function home(): Promise<Home> {
  let time = Date.now();
  const now = (): Date => new Date(time);
  const database = await teamDatabase({ url: await emptyDatabase() });
  const vault = (await makeVaultRow(database, "main")).id;
  const team = new Team(database, now);
  const oidc = await startProvider(now);
  const provider = new Provider({ issuer: oidc.issuer, now, keyCooldown: 0 });
  const verifier = new Verifier(team, provider);
  const redirect = "https://notes.example/login/back";
  const login = new OidcLogin(database, provider, { ...oidc.client, redirect }, now);
  const ada = await team.firstOwner(vault, "Ada", "ada@example.org");
  const asked = { resource: RESOURCE, vault };
  const tried = async (shown: Parameters<Verifier["verify"]>[0]): Promise<Caller | string> => {
    try {
      return await verifier.verify(shown, asked);
    } catch (error) {
      if (error instanceof Challenge) return `${error.status} ${error.header}`;
      throw error;
    }
  };
  return {
    database,
    team,
    verifier,
    login,
    oidc,
    vault,
    ada,
    now,
    wait: (milliseconds) => {
      time += milliseconds;
    },
    bearer: async (token) => tried({ authorization: `Bearer ${token}`, cookie: null }),
    cookie: async (cookie) => tried({ authorization: null, cookie }),
  };
}

/** Ada has logged in once: her provider's tokens are hers. */
async function known(): Promise<Home> {
  const at = await home();
  await at.team.people.link(at.ada.id, {
    issuer: at.oidc.issuer,
    subject: "ada",
    name: null,
    email: null,
    isEmailVerified: false,
  });
  return at;
}

const refused = expect.stringMatching(
  /^401 Bearer error="invalid_token", resource_metadata="https:\/\/notes\.example\/\.well-known\/oauth-protected-resource\/v\/main", scope="vault:read vault:write"$/u,
);

describe("who calls", () => {
  it("is known by a token of the provider for this vault, with the scopes it has", async () => {
    const { bearer, oidc, ada } = await known();
    const whole = await bearer(await oidc.sign({ sub: "ada", ...ACCESS }));
    expect(whole).toMatchObject({
      person: { id: ada.id },
      limit: { scopes: ["vault:read", "vault:write"] },
    });
    const reading = await bearer(
      await oidc.sign({ sub: "ada", aud: RESOURCE, scp: ["vault:read", "x"] }),
    );
    expect(reading).toMatchObject({ limit: { scopes: ["vault:read"] }, credential: "oidc" });
    expect(await bearer(await oidc.sign({ sub: "ada", aud: RESOURCE }))).toMatch(
      /^403 .*insufficient_scope/u,
    );
    expect(await bearer(await oidc.sign({ sub: "eve", ...ACCESS }))).toEqual(refused);
  });

  it("is told where to log in when nothing is shown", async () => {
    const { verifier, vault, oidc } = await home();
    const refusal = verifier.verify(
      { authorization: null, cookie: null },
      { resource: RESOURCE, vault },
    );
    await expect(refusal).rejects.toMatchObject({ status: 401, reason: "missing" });
    expect(metadataAddress("https://a.example/")).toBe(
      "https://a.example/.well-known/oauth-protected-resource",
    );
    expect(resourceMetadata(RESOURCE, oidc.issuer)).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [oidc.issuer],
    });
  });

  it("is still known after the provider changed its keys, and not by an old key", async () => {
    const { bearer, oidc } = await known();
    const old = oidc.key;
    expect(await bearer(await oidc.sign({ sub: "ada", ...ACCESS }))).toMatchObject({
      credential: "oidc",
    });
    await oidc.rotate();
    expect(await bearer(await oidc.sign({ sub: "ada", ...ACCESS }))).toMatchObject({
      credential: "oidc",
    });
    expect(await bearer(await oidc.sign({ sub: "ada", ...ACCESS }, old))).toEqual(refused);
  });

  it("may have a clock that differs a little", async () => {
    const { bearer, oidc, now } = await known();
    const at = Math.floor(now().getTime() / 1000);
    expect(await bearer(await oidc.sign({ sub: "ada", ...ACCESS, exp: at - 20 }))).toMatchObject({
      credential: "oidc",
    });
    expect(await bearer(await oidc.sign({ sub: "ada", ...ACCESS, exp: at - 40 }))).toEqual(refused);
    expect(await bearer(await oidc.sign({ sub: "ada", ...ACCESS, nbf: at + 40 }))).toEqual(refused);
  });

  it("a token or session that is revoked, ended or of a disabled person is refused at the next call", async () => {
    const { team, bearer, cookie, ada, vault, wait, now } = await home();
    const make = async (): Promise<string> =>
      (
        await team.tokens.create({
          person: ada.id,
          name: "laptop",
          scopes: ["vault:read"],
          expires: new Date(now().getTime() + DAY),
        })
      ).text;
    const [first, second, third] = [await make(), await make(), await make()];
    expect(await bearer(first)).toMatchObject({
      person: { name: "Ada" },
      limit: { scopes: ["vault:read"], folder: null },
    });
    const used = (await team.tokens.list(ada.id)).filter(({ lastUsed }) => lastUsed !== null);
    expect(used).toMatchObject([{ id: first.split("_")[1], lastUsed: now().getTime() }]);
    expect(await team.tokens.revoke(first.split("_")[1] ?? "")).toBe(true);
    expect([await bearer(first), await team.tokens.revoke("x")]).toEqual([refused, false]);
    wait(DAY - 1);
    expect(await bearer(second)).toMatchObject({ person: { name: "Ada" } });
    wait(1);
    expect(await bearer(second)).toEqual(refused);
    const { cookie: browser } = await team.sessions.start(ada.id);
    expect(await cookie(browser)).toMatchObject({ isSession: true, person: { name: "Ada" } });
    await team.sessions.end(browser);
    expect(await cookie(browser)).toEqual(refused);
    const { cookie: idle } = await team.sessions.start(ada.id);
    wait(7 * DAY);
    expect(await cookie(idle)).toEqual(refused);
    const { cookie: last } = await team.sessions.start(ada.id);
    await team.people.disable(ada.id, true);
    expect([await cookie(last), await bearer(third)]).toEqual([refused, refused]);
    await team.people.disable(ada.id, false);
    expect(await cookie(last)).toEqual(refused);
    const other = await team.tokens.create({
      person: ada.id,
      name: "x",
      scopes: ["vault:read"],
      expires: new Date(now().getTime() + DAY),
      vault,
      folder: "work",
    });
    expect(await bearer(other.text)).toMatchObject({ limit: { folder: "work" } });
  });
});

it("of 10,000 forged, expired, replayed and misdirected tokens none is let in", async () => {
  const at = await known();
  const { bearer, cookie, ada } = at;
  const forged = await forgedTokens({ ...at, person: ada, resource: RESOURCE });
  let tried = 0;
  const admitted: string[] = [];
  while (tried < 10_000) {
    const token = await forged.make(tried);
    const asCookie = tried % 7 === 0 && token !== forged.session;
    const answer = asCookie ? await cookie(token) : await bearer(token);
    if (typeof answer !== "string") admitted.push(token);
    tried += 1;
  }
  expect([tried, admitted]).toEqual([10_000, []]);
  expect(await cookie(forged.endedSession)).toEqual(refused);
  expect([
    await bearer(forged.valid),
    await bearer(forged.personal),
    await cookie(forged.session),
  ]).toMatchObject([
    { person: { id: ada.id } },
    { person: { id: ada.id } },
    { person: { id: ada.id } },
  ]);
});

describe("login with a provider", () => {
  it("recognises somebody by an address that the provider verified, and by the same login after that", async () => {
    const { login, oidc, team, ada } = await home();
    const claims = { sub: "a1", name: "Ada L", email: "Ada@example.org", email_verified: true };
    const come = async (given: typeof claims): Promise<Person | null> => {
      const begun = await login.begin("/v/main?x=1");
      const back = oidc.logIn(begun.address, given);
      const { identity, returnTo } = await login.finish({
        ...back,
        issuer: oidc.issuer,
        browser: begun.browser,
      });
      expect(returnTo).toBe("/v/main?x=1");
      return team.people.byIdentity(identity);
    };
    expect(await come({ ...claims, email_verified: false })).toBeNull();
    expect(await come(claims)).toMatchObject({ id: ada.id });
    expect(
      await come({ ...claims, email: "new@example.org", email_verified: false }),
    ).toMatchObject({ id: ada.id });
    expect(await come({ ...claims, sub: "a2" })).toBeNull();
  });

  it("is refused when it comes back twice, late, to another browser, with another state, code, issuer or nonce", async () => {
    const { login, oidc, wait } = await home();
    const claims = { sub: "a1" };
    const finish = async (
      change: (back: { code: string; state: string; browser: string }) => object,
      given: object = claims,
    ): Promise<string> => {
      const begun = await login.begin("//evil.example/");
      const back = { ...oidc.logIn(begun.address, { ...given }), browser: begun.browser };
      return codeOf(async () => login.finish({ ...back, issuer: null, ...change(back) }));
    };
    const begun = await login.begin("//evil.example/");
    const back = { ...oidc.logIn(begun.address, claims), issuer: null, browser: begun.browser };
    expect((await login.finish(back)).returnTo).toBe("/");
    expect(await codeOf(async () => login.finish(back))).toBe("no_permission");
    expect(await finish(() => ({ browser: "other" }))).toBe("no_permission");
    expect(await finish(() => ({ state: "other" }))).toBe("no_permission");
    expect(await finish(() => ({ issuer: "https://evil.example" }))).toBe("no_permission");
    expect(await finish(() => ({ code: "other" }))).toBe("unavailable");
    expect(await finish(() => ({}), { ...claims, nonce: "other" })).toBe("no_permission");
    expect(await finish(() => ({}), { ...claims, aud: "another client" })).toBe("no_permission");
    expect(
      await finish(() => {
        wait(10 * 60_000);
        return {};
      }),
    ).toBe("no_permission");
  });

  it("needs an address that others cannot answer for, and a package that may be missing", async () => {
    const now = (): Date => new Date();
    expect(await codeOf(() => new Provider({ issuer: "http://idp.example", now }))).toBe(
      "invalid_argument",
    );
    const missing = Object.assign(new Error("x"), { code: "ERR_MODULE_NOT_FOUND" });
    expect(await codeOf(async () => loadJose(async () => Promise.reject(missing)))).toBe(
      "unavailable",
    );
    const gone = new Provider({ issuer: "http://127.0.0.1:1", now });
    expect(await codeOf(async () => gone.verify("a.b.c", { audience: "x" }))).toBe("unavailable");
  });
});
