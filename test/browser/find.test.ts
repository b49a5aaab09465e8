import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { english } from "../../src/texts/page/english.ts";
import { french } from "../../src/texts/page/french.ts";
import { useChromium, visit } from "./chromium.ts";
import { demoTurn, NOTE } from "./demo-model.ts";
import { inspected, LOCALES } from "./picture.ts";
import { violationsIn } from "./violations.ts";
import { startService } from "./service.ts";

useChromium();

const FILES = {
  "garden/oak.md":
    "---\naliases: [Quercus robur]\ntags: [tree]\nstatus: planted\n---\n\n# The oak\n\n## Watering plan\n\nThe **oak** gets water daily, see [[elm]].\n",
  "garden/elm.md": "---\ntags: [tree, old]\n---\n\n# The elm\n\nNext to the oak.\n",
  "bread.md": "# Bread\n\nBaked in an oak fire.\n",
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`many/note-${at}.md`, `# Number ${at}\n`]),
  ),
};

describe("finding and going", () => {
  it("Ctrl-O goes to a note by letters, alias and heading, and offers those that were read last", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visit(service.link);
    await page.getByText(/303 files indexed/u).waitFor({ timeout: 60_000 });
    await page.keyboard.press("ControlOrMeta+o");
    const dialog = page.getByRole("dialog", { name: "Go to a note" });
    await dialog.getByRole("combobox").pressSequentially("querc");
    await dialog.getByRole("option", { name: /Quercus robur/u }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The oak" }).waitFor();
    expect(await dialog.count()).toBe(0);

    await page.keyboard.press("ControlOrMeta+o");
    await dialog.getByRole("combobox").fill("watering");
    await dialog.getByRole("option", { name: "# Watering plan" }).click();
    await page.locator(".marked", { hasText: "Watering plan" }).waitFor();

    await page.keyboard.press("ControlOrMeta+o");
    await dialog.getByRole("combobox").fill("nt299");
    await dialog.getByRole("option", { name: "many/note-299.md" }).click();
    await page.getByRole("heading", { name: "Number 299" }).waitFor();

    await page.keyboard.press("ControlOrMeta+o");
    const first = dialog.getByRole("option").first();
    await expect.poll(async () => first.textContent()).toContain("note-299.md");
    await page.keyboard.press("Escape");
    await expect.poll(async () => dialog.count()).toBe(0);
    expect(complaints).toEqual([]);
  }, 120_000);

  it("Ctrl-P lists what can be done, and ? the keys", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link, { locale: "fr-FR" });
    await page.getByRole("treeitem").first().waitFor();
    await page.keyboard.press("ControlOrMeta+p");
    const dialog = page.getByRole("dialog", { name: "Commandes" });
    await dialog.getByRole("combobox").fill("historique");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Historique" }).waitFor();
    await page.locator("body").press("?");
    await page.getByRole("dialog", { name: "Raccourcis clavier" }).getByText("Ctrl O").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { name: "À trier" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/inbox");
  }, 60_000);

  it("results stand by file, as they are read, and are narrowed by filters", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await page.getByText(/303 files indexed/u).waitFor({ timeout: 60_000 });
    await page.goto(`${service.address}/search?q=oak`);
    const main = page.getByRole("main");
    const oak = main.getByRole("region", { name: "vault/garden/oak.md" });
    await oak.locator("strong mark", { hasText: "oak" }).first().waitFor();
    await oak.getByRole("link", { name: "elm", exact: true }).waitFor();
    await main.getByRole("region", { name: "vault/bread.md" }).waitFor();
    expect(await violationsIn(page)).toEqual([]);

    await main.getByRole("button", { name: "+ Tag" }).click();
    const field = main.getByRole("combobox", { name: "Tag" });
    await field.fill("ol");
    await expect
      .poll(async () => main.locator("datalist option").evaluateAll((all) => all.length))
      .toBe(1);
    await field.fill("old");
    await page.keyboard.press("Enter");
    await main.getByRole("region", { name: "vault/garden/elm.md" }).waitFor();
    await expect
      .poll(async () => main.getByRole("region", { name: "vault/bread.md" }).count())
      .toBe(0);
    expect(new URL(page.url()).searchParams.get("q")).toBe("oak tag:old");
    await main.getByRole("button", { name: "Remove tag:old" }).click();
    await main.getByRole("region", { name: "vault/bread.md" }).waitFor();
    await page.goto(`${service.address}/search?q=status:planted`);
    await main.getByRole("region", { name: "vault/garden/oak.md" }).waitFor();
    await page.goto(`${service.address}/search?q=oak+until:2001-01-01`);
    await main.getByText("Nothing in the vault has these words.").waitFor();
  }, 120_000);

  it("back leads to the place in a long folder that one came from, forward to that in a long note", async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `Line ${at}.\n`);
    const service = await startService({
      files: { ...FILES, "many/note-238.md": `# Number 238\n\n${lines.join("\n")}` },
    });
    const { page } = await visit(service.link);
    const place = async (): Promise<unknown> =>
      page.evaluate("document.querySelector('main').scrollTop");
    await page.goto(`${service.address}/folder/vault/many/`);
    await page.getByRole("main").getByRole("link", { name: "note-0.md" }).waitFor();
    await page.evaluate("document.querySelector('main').scrollTop = 6000");
    const link = page.getByRole("main").getByRole("link", { name: "note-238.md" });
    await link.waitFor();
    // The place is kept when scrolling comes to rest.
    await expect.poll(async () => page.evaluate("history.state?.scroll")).toBe(6000);
    await link.click();
    await page.getByText("Line 299.").waitFor();
    expect(await place()).toBe(0);
    await page.evaluate("document.querySelector('main').scrollTop = 3000");
    await expect.poll(async () => page.evaluate("history.state?.scroll")).toBe(3000);
    await page.goBack();
    await link.waitFor();
    await expect.poll(place).toBe(6000);
    // Longer than the page goes on correcting the place once it was reached.
    await page.route(/\/api\/file\?/u, async (route) => {
      await pause(3000);
      await route.continue();
    });
    await page.goForward();
    await page.getByText("Line 299.").waitFor();
    await expect.poll(place).toBe(3000);
  }, 60_000);
});

describe("one run", () => {
  it.each([
    ["en", english],
    ["fr", french],
  ] as const)(
    "is one row of the history that unfolds, and is undone as one (%s)",
    async (lang, texts) => {
      const service = await startService({ model: demoTurn, name: "slow-kiln" });
      const { page } = await visit(service.link, { locale: LOCALES[lang] });
      await page.locator("textarea").fill(NOTE);
      await page.getByRole("button", { name: texts.composer.send }).click();
      await page
        .getByRole("region", { name: texts.update.label })
        .getByRole("button", { name: texts.update.undo })
        .waitFor();
      await page.goto(`${service.address}/history`);
      const row = page
        .getByRole("listitem")
        .filter({ hasText: texts.history.run(2, 2) })
        .first();
      await row.getByRole("button", { name: texts.history.showRun }).click();
      await row.getByRole("listitem").first().waitFor();
      expect(await row.getByRole("button", { name: texts.history.undo }).count()).toBe(1);
      await inspected(page, "run", lang);
      await row.getByRole("button", { name: texts.history.undo }).click();
      await row.getByText(texts.history.undone).first().waitFor();
      expect(service.read("projects/sail-loft/changelog.md")).not.toContain("a day early");
      expect(service.read("projects/sail-loft/state.md")).not.toContain("a day earlier");
    },
    60_000,
  );
});
