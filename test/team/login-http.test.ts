import { describe, expect, it, onTestFinished } from "vitest";

import { coffre } from "../../src/cli/testing/cli.ts";
import { Provider } from "../../src/team/identity/provider.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { Browser, type Opened } from "./browser.ts";
import { freePort, post, Replica, TOKEN } from "./replica.ts";
import { emptyDatabase } from "./team-database.ts";
import { startProvider, type OidcProvider } from "./oidc-provider.ts";
import { servedTeam, type ServedTeam } from "./served-team.ts";

interface Home extends ServedTeam {
  readonly at: string;
  readonly oidc: OidcProvider;
  readonly vault: number;
  readonly wait: (milliseconds: number) => void;
}

type Begun = Pick<Home, "at" | "oidc">;

const ADA = { sub: "a1", name: "Ada L", email: "ada@example.com", email_verified: true };

/** A service with a provider, and a vault that Ada owns. */
async function home(options: Parameters<typeof servedTeam>[0] = {}): Promise<Home> {
  let time = Date.now();
  const now = (): Date => new Date(time);
  const oidc = await startProvider(now);
  const provider = new Provider({ issuer: oidc.issuer, now, keyCooldown: 0 });
  const served = await servedTeam({ now, provider, client: oidc.client, ...options });
  onTestFinished(() => {
    if (served.bugs.length > 0) throw new Error(served.bugs.join("\n"));
  });
  const row = await makeVaultRow(served.database, "house");
  await served.team.firstOwner(row.id, "Ada", "ada@example.com");
  const wait = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { ...served, at: served.addresses[0] ?? "", oidc, vault: row.id, wait };
}

/** Sent to the provider, and back with what it says: an address of ours. */
async function begin(
  { at, oidc }: Begun,
  browser: Browser,
  claims: object = ADA,
  query = "to=/v/house/inbox",
): Promise<string> {
  const sent = await browser.open(`${at}/login/oidc?${query}`);
  expect(sent.status).toBe(303);
  const { code, state } = oidc.logIn(sent.headers.get("location") ?? "", { ...claims });
  return `${at}/login/callback?${new URLSearchParams({ code, state, iss: oidc.issuer }).toString()}`;
}

async function logIn(to: Begun, claims: object = ADA, query?: string): Promise<[Browser, Opened]> {
  const browser = new Browser(to.at);
  const back = await begin(to, browser, claims, query);
  return [browser, await browser.open(back)];
}

async function nameOf(browser: Browser): Promise<string> {
  const { body } = await browser.json("/api/me");
  return String(Object(Object(body)["person"])["name"]);
}

describe("a login with a provider", () => {
  it("begins at the login page and ends where one wanted to go, with a session", async () => {
    const at = await home();
    const page = await new Browser(at.at).open(`${at.at}/v/house/inbox`, {
      headers: { accept: "text/html" },
    });
    expect(page.text).toContain('href="/login/oidc?to=%2Fv%2Fhouse%2Finbox"');
    const [browser, entered] = await logIn(at);
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/v/house/inbox"]);
    expect(browser.attributesOf("coffre-session")).toBe("; Path=/; HttpOnly; SameSite=Lax");
    expect(await nameOf(browser)).toBe("Ada");
    expect((await browser.json("/api/me")).body).toMatchObject({ login: { oidc: true } });
    const [outside] = await logIn(at, ADA, "to=//evil.example");
    expect(await nameOf(outside)).toBe("Ada");
  });

  it("is finished by any replica, once, and only in the browser that began it", async () => {
    const at = await home({ replicas: 2, publicUrl: new URL("http://notes.example") });
    const elsewhere = (back: string): string => back.replace(at.at, at.addresses[1] ?? "");
    const browser = new Browser(at.at);
    const other = new Browser(at.at);
    const back = elsewhere(await begin(at, browser));
    await begin(at, other);
    const stolen = await other.open(back);
    expect([stolen.status, other.cookie("coffre-session")]).toEqual([403, ""]);
    // What was tried with another login is used up.
    expect((await browser.open(back)).status).toBe(403);
    const again = elsewhere(await begin(at, browser));
    expect((await new Browser(at.at).open(again)).status).toBe(403);
    const kept = browser.cookie("coffre-login");
    expect((await browser.open(again)).status).toBe(303);
    expect(await nameOf(browser)).toBe("Ada");
    const replayed = await fetch(again, {
      headers: { cookie: `coffre-login=${kept}` },
      redirect: "manual",
    });
    expect([replayed.status, replayed.headers.getSetCookie().join()]).toEqual([
      403,
      expect.not.stringContaining("coffre-session"),
    ]);
  });

  it("is refused with another state, code, nonce, issuer, audience or signature, late, and when the person says no", async () => {
    const at = await home();
    const refusal = async (
      change: (back: URL) => void,
      claims: object = ADA,
    ): Promise<readonly [number, string]> => {
      const browser = new Browser(at.at);
      const back = new URL(await begin(at, browser, claims));
      change(back);
      const { status, text } = await browser.open(back.href);
      expect(text).toContain("Log in again");
      return [status, browser.cookie("coffre-session")];
    };
    const set = (name: string, value: string) => (back: URL) => back.searchParams.set(name, value);
    expect(await refusal(set("state", "x"))).toEqual([403, ""]);
    expect(await refusal(set("code", "x"))).toEqual([503, ""]);
    expect(await refusal(set("iss", "https://evil.example"))).toEqual([403, ""]);
    expect(await refusal((back) => back.searchParams.delete("code"))).toEqual([403, ""]);
    const nothing = (): void => {};
    expect(await refusal(nothing, { ...ADA, nonce: "x" })).toEqual([403, ""]);
    expect(await refusal(nothing, { ...ADA, aud: "another" })).toEqual([403, ""]);
    expect(await refusal(nothing, { ...ADA, iss: "https://evil.example" })).toEqual([403, ""]);
    expect(await refusal(() => at.wait(11 * 60_000))).toEqual([403, ""]);
    const denied = await new Browser(at.at).open(`${at.at}/login/callback?error=access_denied`);
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining("Log in again")]);
  });

  it("lets in nobody that is unknown, disabled, or has an address that the provider did not verify", async () => {
    const at = await home();
    for (const claims of [
      { ...ADA, email_verified: false },
      { sub: "x", email: "eve@example.com", email_verified: true },
      { sub: "y" },
    ]) {
      const [browser, answer] = await logIn(at, claims);
      expect([answer.status, browser.cookie("coffre-session")]).toEqual([403, ""]);
      expect(answer.text).toContain("not known here");
    }
    const [ada] = await logIn(at);
    const person = await at.team.people.get("ada@example.com");
    await at.team.people.disable(person.id, true);
    expect((await ada.json("/api/me")).status).toBe(401);
    expect((await logIn(at))[1].status).toBe(403);
  });

  it("accepts an invitation, and knows who accepted it from then on", async () => {
    const at = await home();
    const owner = await at.team.people.get("ada@example.com");
    const invite = async (): Promise<string> =>
      (
        await at.team.invitations.create({
          vault: at.vault,
          role: "editor",
          expires: new Date(Date.now() + 86_400_000),
          invitedBy: owner.id,
        })
      ).text;
    const code = await invite();
    const page = await new Browser(at.at).open(`${at.at}/invite?code=${code}`);
    expect(page.text).toContain(`href="/login/oidc?invite=${code}"`);
    const bob = { sub: "b1", name: "Bob", email: "bob@example.com", email_verified: true };
    const [browser, entered] = await logIn(at, bob, `invite=${code}`);
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/v/house/"]);
    expect((await browser.json("/v/house/api/me")).body).toMatchObject({
      person: { name: "Bob", email: "bob@example.com" },
      role: "editor",
    });
    // The invitation is used up, and a login that goes wrong uses none up.
    expect((await logIn(at, { sub: "e1", name: "Eve" }, `invite=${code}`))[1].status).toBe(403);
    const [again] = await logIn(at, { ...bob, email: "new@example.com" });
    expect(await nameOf(again)).toBe("Bob");
    const next = await invite();
    expect((await logIn(at, { ...bob, nonce: "x" }, `invite=${next}`))[1].status).toBe(403);
    expect(await at.team.invitations.look(next)).toMatchObject({ role: "editor" });
    // An account without a name that can be shown is let in too.
    const [unnamed] = await logIn(at, { sub: "c1", name: "a\nb" }, `invite=${next}`);
    expect(await nameOf(unnamed)).toBe("Somebody");
  });

  it("asks UserInfo for the name and address that a thin ID token leaves out, of the same person only", async () => {
    const at = await home();
    at.oidc.inIdToken = ["sub"];
    const owner = await at.team.people.get("ada@example.com");
    const [ada] = await logIn(at);
    expect(await nameOf(ada)).toBe("Ada");
    const expires = new Date(Date.now() + 86_400_000);
    const given = { vault: at.vault, role: "editor", expires, invitedBy: owner.id } as const;
    const invite = async (): Promise<string> => (await at.team.invitations.create(given)).text;
    const bob = { sub: "b1", preferred_username: "bob", email: "b@example.com" };
    const [browser] = await logIn(
      at,
      { ...bob, email_verified: "true" },
      `invite=${await invite()}`,
    );
    expect((await browser.json("/api/me")).body).toMatchObject({
      person: { name: "bob", email: "b@example.com" },
    });
    const next = await invite();
    // Whose words UserInfo has, when it is somebody else's, counts for nobody.
    at.oidc.userInfo = { ...ADA, sub: "z1", email: "zoe@example.com" };
    const [eve, refused] = await logIn(at, { sub: "e1" }, `invite=${next}`);
    expect([refused.status, eve.cookie("coffre-session")]).toEqual([403, ""]);
    expect(await at.team.invitations.look(next)).toMatchObject({ role: "editor" });
    const asked = at.oidc.userInfoRequests;
    expect(await nameOf((await logIn(at))[0])).toBe("Ada");
    expect(at.oidc.userInfoRequests).toBe(asked);
  });

  it("takes no address of UserInfo for verified because the ID token says so of another", async () => {
    const at = await home();
    at.oidc.inIdToken = ["sub", "email", "email_verified"];
    at.oidc.userInfo = { sub: "x1", name: "X", email: "ada@example.com", email_verified: true };
    const claims = { sub: "x1", email: "x@example.com", email_verified: false };
    expect((await logIn(at, claims))[1].status).toBe(403);
    at.oidc.inIdToken = ["sub", "email_verified"];
    at.oidc.userInfo = { sub: "x1", name: "X", email: "ada@example.com" };
    expect((await logIn(at, { sub: "x1", email_verified: true }))[1].status).toBe(403);
  });

  it("shows its secret in the form where the provider takes it there only", async () => {
    const at = await home();
    at.oidc.secretIn = "client_secret_post";
    const [browser] = await logIn(at);
    expect(await nameOf(browser)).toBe("Ada");
  });

  it("ends the session that the browser had, and has secure cookies behind https", async () => {
    const at = await home();
    const browser = new Browser(at.at);
    expect((await browser.open(await begin(at, browser))).status).toBe(303);
    const before = browser.cookie("coffre-session");
    expect((await browser.open(await begin(at, browser))).status).toBe(303);
    expect(browser.cookie("coffre-session")).not.toBe(before);
    expect(await at.team.sessions.verify(before)).toBeNull();
    const now = (): Date => new Date();
    const provider = new Provider({ issuer: at.oidc.issuer, now });
    const publicUrl = new URL("https://notes.example");
    const proxied = await servedTeam({ provider, client: at.oidc.client, publicUrl });
    const sent = await fetch(`${proxied.addresses[0]}/login/oidc`, { redirect: "manual" });
    expect(sent.headers.getSetCookie().join()).toContain("; Secure; SameSite=Lax");
    const asked = new URL(sent.headers.get("location") ?? "").searchParams;
    expect(asked.get("redirect_uri")).toBe("https://notes.example/login/callback");
  });
});

describe("coffre serve", () => {
  const client = { COFFRE_OIDC_CLIENT_ID: "coffre", COFFRE_OIDC_CLIENT_SECRET: "p:w d" };

  it("has people log in with the provider that its variables name", async () => {
    const oidc = await startProvider(() => new Date());
    const url = await emptyDatabase();
    const environment = { ...client, COFFRE_OIDC_ISSUER: oidc.issuer };
    const replica = new Replica({ url, port: await freePort(), environment });
    onTestFinished(async () => void (await replica.end("SIGKILL")));
    await replica.started();
    const made = await post(`${replica.address}/api/vaults`, { name: "house" });
    expect(made.status).toBe(201);
    const body = { role: "owner", email: "ada@example.com" };
    const invited = await post(`${replica.address}/v/house/api/team/invitations`, body);
    const [, code = ""] = /code=([^"]+)"/u.exec(await invited.text()) ?? [];
    const at = { at: replica.address, oidc };
    const [browser, entered] = await logIn(at, ADA, `invite=${code}`);
    expect(entered.status).toBe(303);
    expect((await browser.json("/v/house/api/me")).body).toMatchObject({
      person: { name: "Ada L", email: "ada@example.com" },
      isOwner: true,
    });
    expect(replica.log).not.toContain(code);
  });

  it("does not start when half of the provider is named", async () => {
    const url = await emptyDatabase();
    const environment = { ...client, COFFRE_TOKEN: TOKEN };
    const ran = await coffre(["serve", "--database", url, "--port", "0"], { environment });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("COFFRE_OIDC_ISSUER")]);
  });
});
