import { describe, expect, it } from "vitest";

import { ACT, EVIL_NAME, PLAIN_EVIL } from "../plain-evil.ts";
import { RICH_EVIL } from "../rich-evil.ts";
import { startService } from "../service.ts";
import { useFirefox, visitFirefox } from "./firefox.ts";

useFirefox();

const FILES = {
  "garden/oak.md":
    "---\naliases: [Quercus robur]\ntags: [tree]\n---\n\n# The oak\n\n## Watering plan\n\nThe **oak** gets water, see [[elm]].\n\n> [!warning] Not in May\n> It rains.\n\n$$\na^2 + b^2\n$$\n\n```mermaid\ngraph TD\n  A --> B\n```\n\n==marked== %%hidden%%\n",
  "garden/elm.md": "---\ntags: [tree, old]\n---\n\n# The elm\n\nNext to the oak.\n",
  "bread.md": "# Bread\n\nBaked in an oak fire.\n",
};

describe("the vault in Firefox", () => {
  it("is looked at: tree, note, callout, formula, diagram, and the way back", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visitFirefox(service.link);
    await page.click("[role=treeitem]", { text: "garden" });
    await page.click("main a", { text: "oak.md" });
    await page.waitFor("h1", { text: "The oak" });
    await page.waitFor(".callout", { text: "Not in May" });
    await page.waitFor("main math");
    await page.waitFor("mark", { text: "marked" });
    expect(await page.evaluate("document.querySelector('main').innerText.includes('hidden')")).toBe(
      false,
    );
    await page.evaluate("document.querySelector('main iframe').scrollIntoView()");
    await expect
      .poll(async () => page.evaluate("document.querySelector('main iframe').style.height"), {
        timeout: 60_000,
      })
      .not.toBe("120px");
    await page.click(".prose a", { text: "elm" });
    await page.waitFor("h1", { text: "The elm" });
    await page.back();
    await page.waitFor("h1", { text: "The oak" });
    expect(complaints).toEqual([]);
  });

  it("is searched as one types, and gone through by name, alias and heading", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visitFirefox(service.link);
    await page.waitFor("section", { text: "3 files indexed" });
    await page.press("Control+k");
    await page.type("oak fire");
    await page.waitFor("main mark", { text: "oak" });
    await page.waitFor("main a", { text: "Bread" });
    await page.press("Escape");
    await page.press("Control+o");
    await page.waitFor("dialog input");
    await page.type("quercus");
    await page.waitFor("dialog [role=option]", { text: "oak" });
    await page.press("Enter");
    await page.waitFor("h1", { text: "The oak" });
    await page.press("Control+o");
    await page.waitFor("dialog input");
    await page.type("watering");
    await page.waitFor("dialog [role=option]", { text: "Watering plan" });
    await page.press("Escape");
    await page.press("Control+p");
    await page.waitFor("dialog input");
    await page.type("history");
    await page.press("Enter");
    await page.waitFor("h1", { text: "History" });
    expect(complaints).toEqual([]);
  });

  it("lets nothing act that others wrote", async () => {
    const service = await startService({ files: { ...PLAIN_EVIL, ...prefixed(RICH_EVIL) } });
    const { page, asked } = await visitFirefox(service.link);
    for (const place of [
      "/",
      "/file/vault/evil.md",
      `/file/vault/${encodeURIComponent(EVIL_NAME)}`,
      "/file/vault/drawing.svg",
      "/inbox",
      `/inbox/${encodeURIComponent("2026-01-31-<b>x")}`,
      "/search?q=onerror",
      "/file/vault/rich/evil.md",
      "/file/vault/rich/board.canvas",
      "/file/vault/rich/embedded.md",
      "/file/vault/rich/evil.md?edit=yes",
      `/search?q=${encodeURIComponent(`<img src=x onerror=${ACT}>`)}`,
    ]) {
      await page.goto(service.address + place);
      await page.waitFor("main *");
      await expect.poll(async () => page.evaluate("document.readyState")).toBe("complete");
      const frames = await page.count("main iframe");
      for (let at = 0; at < frames; at += 1) {
        const frame = `document.querySelectorAll("main iframe")[${at}]`;
        await page.evaluate(`${frame}?.scrollIntoView()`);
        // Drawn, or said not to be drawable, or gone.
        await expect
          .poll(async () => page.evaluate(`${frame}?.style.height + " " + ${frame}?.className`), {
            timeout: 60_000,
          })
          .not.toBe("120px sandboxed");
      }
      expect(await page.evaluate("window.hacked"), place).toBeUndefined();
      expect(await page.evaluate("location.origin"), place).toBe(service.address);
      expect(
        await page.count("main script, main form[action], main object, main embed"),
        place,
      ).toBe(0);
    }
    expect(
      asked.filter(
        (url) => !/^(?:data|blob|about):/u.test(url) && !url.startsWith(service.address),
      ),
    ).toEqual([]);
  }, 240_000);

  it("says that the service is away, keeps no note, and goes on by itself", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visitFirefox(service.link);
    await expect
      .poll(async () => page.evaluate("navigator.serviceWorker.controller !== null"), {
        timeout: 30_000,
      })
      .toBe(true);
    await page.goto(`${service.address}/file/vault/bread.md`);
    await page.waitFor("p", { text: "Baked in an oak fire." });
    await service.stop();
    await page.reload();
    await page.waitFor("h1", { text: "The service is away." });
    expect(await page.evaluate("document.body.innerText.includes('Baked')")).toBe(false);
    await service.start();
    await page.waitFor("p", { text: "Baked in an oak fire." });
  });
});

function prefixed(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`rich/${name}`, text]));
}
