import { mkdirSync } from "node:fs";
import path from "node:path";

import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { demoTurn, NOTE, QUESTION } from "./demo-model.ts";
import { startService, type TestService } from "./service.ts";

useChromium();

const FOLDER = path.join(import.meta.dirname, "..", "..", "docs", "images");
mkdirSync(FOLDER, { recursive: true });

const SIZES = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 780 },
} as const;

/** Each view, and how one comes to it. */
const VIEWS: Readonly<Record<string, (page: Page, service: TestService) => Promise<void>>> = {
  home: async (page) => {
    await page.getByText("Recently changed").waitFor();
  },
  note: async (page, { address }) => {
    await page.goto(`${address}/file/vault/projects/sail-loft/state.md`);
    await page.getByRole("row", { name: /Total/u }).scrollIntoViewIfNeeded();
  },
  lines: async (page, { address }) => {
    await page.goto(`${address}/file/vault/bucket/article-slow-cooling.md#L22-28`);
    await page.getByRole("button", { name: "Line numbers" }).click();
    await page.locator("[data-marked]").first().waitFor();
  },
  folder: async (page, { address }) => {
    await page.goto(`${address}/folder/vault/projects/sail-loft/bucket/`);
    await page.getByRole("link", { name: "floor-plan.png" }).waitFor();
  },
  search: async (page, { address }) => {
    await page.goto(`${address}/search?q=kiln+deposit`);
    await page.locator("main mark").first().waitFor();
  },
  answer: async (page) => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(QUESTION);
    await page.keyboard.press("Enter");
    await page.getByRole("figure").first().waitFor();
  },
  inbox: async (page, { address }) => {
    await page.goto(`${address}/inbox`);
    await page.getByRole("main").getByRole("link").first().click();
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByPlaceholder("Your answer").fill("Jo Carne, the trailer.");
  },
  update: async (page) => {
    await page.getByPlaceholder("What happened?").fill(NOTE);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
  },
  history: async (page, { address }) => {
    await page.goto(`${address}/history`);
    await page
      .getByRole("listitem")
      .filter({ hasText: "changed vault/projects/sail-loft/state.md" })
      .first()
      .getByRole("button", { name: "Show the change" })
      .click();
    await page.getByRole("row").first().waitFor();
  },
};

it.each(["light", "dark"] as const)(
  "each view is pictured in the %s theme, wide and on a telephone",
  async (colorScheme) => {
    const service = await startService({ model: demoTurn, name: "slow-kiln" });
    const { page } = await visit(service.link, { colorScheme });
    const shoot = async (name: string): Promise<void> => {
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: path.join(FOLDER, `${name}-${colorScheme}.png`) });
    };
    for (const [name, show] of Object.entries(VIEWS)) {
      await page.goto(service.address);
      await page.evaluate("localStorage.clear()");
      await show(page, service);
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        await shoot(`${name}-${size}`);
      }
      await page.setViewportSize(SIZES.wide);
    }
    await page.setViewportSize(SIZES.phone);
    await page.getByRole("button", { name: "Show the files" }).click();
    await page.getByRole("tree").waitFor();
    await shoot("files-phone");
    expect(await page.title()).toContain("coffre");
  },
  150_000,
);
