import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { demoTurn, QUESTION } from "./demo-model.ts";
import { startService, type TestService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const VIEWS = (service: TestService): readonly string[] => [
  "/",
  "/file/vault/projects/sail-loft/state.md#L9-14",
  "/file/vault/bucket/article-slow-cooling.md",
  "/file/vault/none.md",
  "/folder/vault/projects/sail-loft/",
  "/search?q=kiln%20deposit",
  "/search?q=xyzzy",
  "/search",
  "/inbox",
  `/inbox/${service.names("inbox")[0] ?? ""}`,
  "/history",
];

describe("for everybody", () => {
  it.each(["light", "dark"] as const)(
    "axe finds no serious violation in any view, in the %s theme",
    async (colorScheme) => {
      const service = await startService({ model: demoTurn });
      const { page } = await visit(service.link, { colorScheme });
      for (const view of VIEWS(service)) {
        await page.goto(service.address + view);
        await page.getByRole("tree").waitFor();
        await page.waitForLoadState("networkidle");
        expect(await violationsIn(page), view).toEqual([]);
      }
      await page.goto(`${service.address}/history`);
      await page.getByRole("button", { name: "Show the change" }).first().click();
      await page.getByRole("row").first().waitFor();
      expect(await violationsIn(page), "a difference").toEqual([]);
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type(QUESTION);
      await page.keyboard.press("Enter");
      await page.getByRole("figure").first().waitFor();
      expect(await violationsIn(page), "an answer").toEqual([]);
      await page.getByText("Update", { exact: true }).click();
      await page.getByPlaceholder("What happened?").fill("Something");
      await page.getByRole("button", { name: "Send" }).click();
      await page
        .getByRole("region", { name: "Updates" })
        .getByRole("button", { name: "Undo" })
        .waitFor();
      expect(await violationsIn(page), "an update").toEqual([]);
    },
    180_000,
  );

  it("the tree is walked with the keyboard", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.getByRole("treeitem", { name: /sail-loft/u }).waitFor();
    await page.getByRole("tree").focus();
    const active = async (): Promise<unknown> =>
      page.evaluate(
        "document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant'))?.title",
      );
    await page.keyboard.press("Home");
    await expect.poll(active).toBe("vault/bucket/");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("treeitem", { name: /article-slow-cooling/u }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(active).toBe("vault/bucket/article-slow-cooling.md");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /why slow cooling/u }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page
      .getByRole("treeitem", { name: /article-slow-cooling/u })
      .waitFor({ state: "detached" });
  });

  it("speaks French to a browser that does", async () => {
    const service = await startService({ lang: "fr" });
    const { page } = await visit(service.link, { locale: "fr-CA" });
    await page.getByText("Les changements sont suivis").waitFor();
    await page.getByPlaceholder("Que s’est-il passé ? Que faut-il retenir ?").waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("fr");
    expect(await page.title()).toBe("Vue d’ensemble · coffre");
  });

  it("fits a telephone: the files are behind a button, and nothing is wider than the screen", async () => {
    const service = await startService();
    const { page } = await visit(service.link, {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
    });
    for (const view of VIEWS(service)) {
      await page.goto(service.address + view);
      await page.locator("textarea").waitFor();
      await page.waitForLoadState("networkidle");
      const width = await page.evaluate("document.querySelector('main').scrollWidth");
      expect(width, view).toBeLessThanOrEqual(390);
    }
    expect(await page.getByRole("tree").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Show the files" }).click();
    await page.getByRole("treeitem", { name: /tasks\.md/u }).click();
    await page.getByRole("heading", { name: /yearly test/u }).waitFor();
    await expect.poll(async () => page.getByRole("tree").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Show the files" }).click();
    await page.getByRole("tree").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(async () => page.getByRole("tree").isVisible()).toBe(false);
  });

  it("the switcher, the commands and the list of keys are reached without a keyboard", async () => {
    const service = await startService();
    const { page } = await visit(service.link, {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
    });
    const menu = page.getByRole("button", { name: "Show the files" });
    await menu.tap();
    await page.getByRole("button", { name: "Go to a note" }).tap();
    const switcher = page.getByRole("dialog", { name: "Go to a note" });
    await switcher.getByRole("combobox").fill("state");
    await switcher.getByRole("option").first().tap();
    await page.getByRole("main").getByRole("heading").first().waitFor();
    expect(await switcher.count()).toBe(0);
    expect(await page.getByRole("tree").isVisible()).toBe(false);
    await menu.tap();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole("button", { name: "Commands" }).tap();
    await page.getByRole("option", { name: /Show the keyboard shortcuts/u }).tap();
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Make a link").waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await keys.getByRole("button", { name: "Close" }).tap();
    await expect.poll(async () => keys.count()).toBe(0);
  });

  it("an empty vault is not a blank page", async () => {
    const service = await startService({ files: { "note.txt": "" } });
    const { page } = await visit(service.link);
    await page.getByRole("heading", { name: "Your notes" }).waitFor();
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByText("Nothing waits for an answer.").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("heading", { name: "History" }).waitFor();
    await expect
      .poll(async () => (await page.getByRole("main").textContent())?.length)
      .toBeGreaterThan(20);
  });
});
