import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { ACT, EVIL_NAME, EVIL_NOTE, PLAIN_EVIL } from "./plain-evil.ts";
import { startService } from "./service.ts";

useChromium();

describe("what others wrote", () => {
  it("does nothing in the page, whether it stands in notes, names or drawings", async () => {
    const service = await startService({
      files: PLAIN_EVIL,
    });
    const { page, complaints } = await visit(service.link);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const places = [
      "/",
      "/file/vault/evil.md",
      `/file/vault/${encodeURIComponent(EVIL_NAME)}`,
      "/file/vault/drawing.svg",
      "/file/vault/page.html",
      "/inbox",
      `/inbox/${encodeURIComponent("2026-01-31-<b>x")}`,
      "/search?q=onerror",
      "/history",
      "/folder/vault/",
      "/api/raw?path=drawing.svg",
      "/api/raw?path=page.html",
      `/search?q=${encodeURIComponent(`<img src=x onerror=${ACT}>`)}`,
    ];
    for (const place of places) {
      await page.goto(service.address + place);
      await page.waitForLoadState("networkidle");
      const hovered = await page.getByText(/bold|six|five/u).all();
      for (const each of hovered.slice(0, 5)) await each.hover({ force: true });
      expect(await page.evaluate("window.hacked"), place).toBeUndefined();
      expect(new URL(page.url()).origin, place).toBe(service.address);
    }
    expect(asked.filter((url) => !url.startsWith(service.address))).toEqual([]);
    expect(dialogs).toEqual([]);
    // An image that is not there may be missed; nothing else may be complained of.
    expect(complaints.filter((text) => !/404/u.test(text))).toEqual([]);
  });

  it("is shown as the text it is", async () => {
    const service = await startService({ files: { "evil.md": EVIL_NOTE } });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/evil.md`);
    await page.getByText(`<script>${ACT}</script>`).first().waitFor();
    expect(await page.locator("main script, main iframe, main form, main style").count()).toBe(0);
    expect(await page.locator("main svg script").count()).toBe(0);
    for (const link of await page.locator("main a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^(?:\/|https?:|#fn(?:ref)?-)/u);
    }
  });
});

describe("the door", () => {
  it("shows nothing of the vault to a browser that was not let in, and says how to get in", async () => {
    const service = await startService();
    const { page, context } = await visit(service.link);
    await context.clearCookies();
    for (const place of ["/", "/file/vault/overview.md", "/history"]) {
      await page.goto(service.address + place);
      await page.getByText("This vault is private.").waitFor();
      expect(await page.locator("textarea").count()).toBe(0);
    }
  });

  it("tells a page that is open when its browser is let in no more", async () => {
    const service = await startService();
    const { page, context } = await visit(service.link);
    await page.getByText("Watching for changes").waitFor();
    await context.clearCookies();
    await service.stop();
    await service.start();
    await page.getByText("This browser is not let in any more.").waitFor();
    expect(await page.getByText("Run coffre open for a new link.").isVisible()).toBe(true);
  });
});
