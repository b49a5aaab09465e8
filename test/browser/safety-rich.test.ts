import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { EVIL, RICH_EVIL } from "./rich-evil.ts";
import { startService } from "./service.ts";

useChromium();

describe("what others wrote, with everything that notes can hold", () => {
  it("does nothing in the page, in embeds, diagrams, formulas, canvases, properties and HTML", async () => {
    const service = await startService({
      files: RICH_EVIL,
    });
    const { page, complaints, context } = await visit(service.link);
    // What leaves the browser: what a frame's policy forbids never comes so far.
    const asked: string[] = [];
    await context.route(`${EVIL}/**`, async (route) => {
      asked.push(route.request().url());
      await route.abort();
    });
    for (const place of [
      "/file/vault/evil.md",
      "/file/vault/board.canvas",
      "/file/vault/embedded.md",
      "/file/vault/evil.md?edit=yes",
    ]) {
      await page.goto(service.address + place);
      await page.locator("main .prose, main .canvas, main .cm-content").first().waitFor();
      await page.keyboard.press("ControlOrMeta+o");
      await page.getByRole("dialog").getByRole("combobox").fill("evil");
      await page.getByRole("dialog").getByRole("option").first().waitFor();
      await page.keyboard.press("Escape");
      // Frames are drawn when they come near: each says then how high it is, or that it cannot be drawn.
      for (const frame of await page.locator("main iframe").all()) {
        await frame.evaluate("(element) => element.scrollIntoView()");
        await expect
          .poll(
            async () => `${await frame.getAttribute("style")} ${await frame.getAttribute("class")}`,
            {
              timeout: 100_000,
            },
          )
          .not.toBe("height: 120px; sandboxed");
      }
      for (const each of await page
        .locator("main summary, main .callout-title, main svg text")
        .all()) {
        await each.hover({ force: true, timeout: 1000 }).catch(() => {});
      }
      expect(await page.evaluate("window.hacked"), place).toBeUndefined();
      expect(new URL(page.url()).origin, place).toBe(service.address);
      expect(await page.locator("main script, main object, main embed").count()).toBe(0);
      // That of a new property is ours.
      const forms = place.endsWith("?edit=yes") ? 1 : 0;
      expect(await page.locator("main form").count()).toBe(forms);
      const links = await page.locator("main a").all();
      for (const link of links)
        expect(await link.getAttribute("href")).not.toMatch(/^\s*javascript:/iu);
      const handlers = await page.evaluate(
        "[...document.querySelectorAll('main *')].flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith('on')))",
      );
      expect(handlers).toEqual([]);
    }
    expect(asked).toEqual([]);
    // What a frame's own policy forbade it was forbidden; the page itself may complain of nothing.
    expect(
      complaints.filter(
        (text) => !/40[04]|422|script-src 'sha256-|img-src data:|sandboxed/u.test(text),
      ),
    ).toEqual([]);
  }, 280_000);
});
