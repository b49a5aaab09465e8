import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { newLink } from "./login-page.ts";
import { pageFrame } from "./page-files.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { startPage, type Answer, type TestPage } from "../testing/page.ts";

const WEB = {
  "index.html": "<!doctype html><title>the page</title>",
  "assets/index-B1.js": "export {};",
  "assets/index-B1.css": "body {}",
  "assets/notes.txt": "no file of the page",
  "secret.js": "not an asset",
};

/** What a browser accepts when a person opens an address. */
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** Asks as a browser that was let in: for a page, or for a file of one. */
async function visitor(
  page: TestPage,
  accept = BROWSER.accept,
): Promise<(where: string) => Promise<Answer>> {
  const { pathname, search } = new URL(newLink(page.access, page.server.address));
  const { headers } = await page.ask(pathname + search);
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return async (where) => page.ask(where, { headers: { accept, cookie } });
}

describe("the built page", () => {
  it.each([
    "/",
    "/file/vault/a.md",
    "/folder/vault/d/",
    "/search?q=pump",
    "/inbox",
    "/inbox/2026-01-31-name",
    "/history",
    "/history/abc",
    "/a-view-of-a-later-version",
  ])("is shown at %s to a browser that was let in, and kept nowhere", async (where) => {
    const ask = await visitor(await startPage({ web: WEB }));
    const answer = await ask(where);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("the page");
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it("tells whoever is not let in how to get in, at every view", async () => {
    const { ask } = await startPage({ web: WEB });
    for (const where of ["/file/vault/a.md", "/inbox", "/search?q=pump"]) {
      const answer = await ask(where, { headers: BROWSER });
      expect(answer.status).toBe(401);
      expect(answer.text).toContain("coffre open");
      expect(answer.text).not.toContain("the page");
    }
  });

  it("is not shown where programs look for data, nor to those who do not ask for a page", async () => {
    const page = await startPage({ web: WEB });
    const ask = await visitor(page);
    expect((await ask("/api/status")).headers["content-type"]).toContain("application/json");
    expect(await ask("/api/nothing")).toMatchObject({ status: 404 });
    expect((await page.call("/nothing", { headers: { accept: "*/*" } })).text).toContain(
      '"not_found"',
    );
    expect((await page.ask("/nothing", { headers: { accept: "*/*" } })).text).toContain(
      "Authorization: Bearer",
    );
  });

  it("sends a visitor who comes from elsewhere to the same view once more", async () => {
    const { ask } = await startPage({ web: WEB });
    const headers = { ...BROWSER, "sec-fetch-site": "cross-site" };
    const { text } = await ask('/search?q="><b>&x=1', { headers });
    expect(text).toContain('content="0; url=/search?q=%22%3E%3Cb%3E&amp;x=1"');
  });

  it("sends its files, to be kept for ever by this browser alone", async () => {
    const ask = await visitor(await startPage({ web: WEB }));
    expect(await ask("/assets/index-B1.js")).toMatchObject({
      status: 200,
      text: "export {};",
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "private, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      },
    });
    expect((await ask("/assets/index-B1.css")).headers["content-type"]).toContain("text/css");
  });

  it("sends what the build compressed to browsers that accept it", async () => {
    const page = await startPage({
      web: { ...WEB, "assets/index-B1.js.br": "packed", "frame/diagram.html.br": "packed frame" },
    });
    const { pathname, search } = new URL(newLink(page.access, page.server.address));
    const { headers } = await page.ask(pathname + search);
    const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    const asking = { headers: { cookie, "accept-encoding": "gzip, br" } };
    expect(await page.ask("/assets/index-B1.js", asking)).toMatchObject({
      text: "packed",
      headers: { "content-encoding": "br", vary: "accept-encoding" },
    });
    expect((await page.ask("/assets/index-B1.css", asking)).text).toBe("body {}");
    expect((await page.ask("/assets/index-B1.js.br", asking)).status).toBe(404);
  });

  it("unpacks what it has only compressed for a browser that takes no such thing", async () => {
    const text = "<!doctype html><script>draw()</script>";
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "frame"));
    writeFileSync(path.join(folder, "frame/diagram.html.br"), brotliCompressSync(text));
    writeFileSync(path.join(folder, "frame/diagram.hash"), "sha256-x");
    const frame = await pageFrame(folder, "diagram", false);
    expect(Buffer.from(frame?.bytes ?? []).toString()).toBe(text);
    expect(frame).toMatchObject({ encoding: null, scriptHash: "sha256-x" });
    expect(await pageFrame(folder, "diagram", true)).toMatchObject({ encoding: "br" });
  });

  it.each(["none.js", "notes.txt", "..%2Fsecret.js", "../secret.js", ".%2Findex-B1.js", "%00.js"])(
    "has no file %s",
    async (name) => {
      const page = await startPage({ web: WEB });
      const ask = await visitor(page, "*/*");
      expect((await ask(`/assets/${name}`)).status).toBe(404);
      const visit = await visitor(page);
      expect((await visit(`/assets/${name}`)).text).not.toMatch(
        /not an asset|no file of the page|export/u,
      );
    },
  );

  it("gives no file to whoever is not let in", async () => {
    const { ask } = await startPage({ web: WEB });
    expect((await ask("/assets/index-B1.js")).status).toBe(401);
  });

  it("has what an app needs: a manifest in the reader's language and a worker for those who are in, icons for all", async () => {
    const page = await startPage({
      web: { ...WEB, "worker.js": "self;", "icons/icon-192.png": "a picture" },
    });
    const ask = await visitor(page, "*/*");
    const manifest = await ask("/app.webmanifest");
    expect(manifest.headers["content-type"]).toContain("application/manifest+json");
    expect(JSON.parse(manifest.text)).toMatchObject({ lang: "en", share_target: {} });
    expect(await ask("/worker.js")).toMatchObject({
      status: 200,
      text: "self;",
      headers: { "cache-control": "private, no-cache" },
    });
    expect(await page.ask("/icons/icon-192.png")).toMatchObject({
      status: 200,
      headers: { "content-type": "image/png" },
    });
    for (const where of [
      "/app.webmanifest",
      "/worker.js",
      "/icons/none-1.png",
      "/icons/..%2fx-1.png",
    ]) {
      expect((await page.ask(where)).status).toBe(401);
    }
  });

  it("reads nothing of what is shared with it, whoever sends it: only its own worker does", async () => {
    const page = await startPage({ web: WEB });
    const headers = { origin: "null", "content-type": "text/plain" };
    const answer = await page.ask("/share", {
      method: "POST",
      headers,
      body: "Forget everything.",
    });
    expect(answer).toMatchObject({ status: 303, headers: { location: "/share" } });
    expect((await page.ask("/share", { headers: BROWSER })).status).toBe(401);
  });
});
