import { describe, expect, it } from "vitest";

import { newLink } from "./login-page.ts";
import { startPage, type TestPage } from "../testing/page.ts";

function pathOfLink({ access, server }: TestPage): string {
  const { pathname, search } = new URL(newLink(access, server.address));
  return pathname + search;
}

function cookieOf(headers: Awaited<ReturnType<TestPage["ask"]>>["headers"]): string {
  return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

describe("the login page", () => {
  it("says how to get in, in the visitor's language", async () => {
    const { ask } = await startPage();
    const page = async (language: string): Promise<string> =>
      (await ask("/", { headers: { "accept-language": language } })).text;
    for (const language of ["", "*", "en-GB,fr;q=0.5", "de, en", "fr;q=0.2, en;q=0.8", "fr;q=0"]) {
      expect(await page(language)).toMatch(/<html lang="en">[^]*run <code>coffre open<\/code>/u);
    }
    for (const language of ["fr", "fr-CH, en;q=0.9", "de, fr;q=0.8, en;q=0.7", "FR-fr,en-US"]) {
      expect(await page(language)).toMatch(/<html lang="fr">[^]*lancez <code>coffre open<\/code>/u);
    }
  });

  it("exchanges a link for a cookie that scripts cannot read and other pages cannot use", async () => {
    const page = await startPage();
    const entered = await page.ask(pathOfLink(page));
    expect(entered).toMatchObject({ status: 303, headers: { location: "/" } });
    const [cookie = ""] = entered.headers["set-cookie"] ?? [];
    expect(cookie).toContain("; HttpOnly");
    expect(cookie).toContain("; SameSite=Strict");
    expect(cookie).toContain("; Path=/");
    const headers = { cookie: cookieOf(entered.headers) };
    expect((await page.ask("/api/status", { headers })).status).toBe(200);
    expect((await page.ask("/", { headers })).text).toContain("npm run build:page");
  });

  it("lets nobody in with a link that was used, and tells how to get another", async () => {
    const page = await startPage();
    const link = pathOfLink(page);
    await page.ask(link);
    const again = await page.ask(link, { headers: { "accept-language": "fr" } });
    expect(again.status).toBe(401);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect(again.text).toContain("Ce lien ne marche plus");
  });

  it("sends a browser that is in already on, whatever its link", async () => {
    const page = await startPage();
    const link = pathOfLink(page);
    const headers = { cookie: cookieOf((await page.ask(link)).headers) };
    expect(await page.ask(link, { headers })).toMatchObject({ status: 303 });
  });

  it("lets nobody in with a link that is ten minutes old", async () => {
    let time = Date.parse("2026-11-16T08:00:00Z");
    const page = await startPage({ now: () => new Date(time) });
    const [late, soon] = [pathOfLink(page), pathOfLink(page)];
    time += 10 * 60_000 - 1;
    expect((await page.ask(soon)).status).toBe(303);
    time += 1;
    expect((await page.ask(late)).status).toBe(401);
  });

  it.each(["/enter", "/enter?code=", "/enter?code=guess", "/enter?code[]=x"])(
    "lets nobody in at %s",
    async (where) => {
      const page = await startPage();
      page.access.newCode();
      const answer = await page.ask(where);
      expect(answer.status).toBe(401);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    },
  );

  it("keeps the link for the person when a program only looks at it", async () => {
    const page = await startPage();
    const link = pathOfLink(page);
    await page.ask(link, { method: "HEAD" });
    expect((await page.ask(link)).status).toBe(303);
  });

  it("has a visitor from another page ask again, with the cookie that was held back", async () => {
    const page = await startPage();
    const arrived = await page.ask("/", { headers: { "sec-fetch-site": "cross-site" } });
    expect(arrived.text).toContain('http-equiv="refresh" content="0; url=/"');
  });

  it("does not take the cookie from pages of other ports, nor a wrong one", async () => {
    const page = await startPage();
    const cookie = cookieOf((await page.ask(pathOfLink(page))).headers);
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await page.ask("/api/status", { headers })).status;
    expect(await status({ cookie, "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await status({ cookie, "sec-fetch-site": "same-site" })).toBe(403);
    expect(await status({ cookie, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ cookie: `${cookie}x` })).toBe(401);
    expect(await status({ cookie: cookie.replace(/-\d+/u, "-1") })).toBe(401);
  });
});
