import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { english, type Texts } from "../../src/texts/page/english.ts";
import { french } from "../../src/texts/page/french.ts";
import { useChromium, visit } from "./chromium.ts";
import { demoTurn, NOTE, QUESTION } from "./demo-model.ts";
import { inspected, LOCALES, picturesOf, SIZES } from "./picture.ts";
import { startService, type TestService } from "./service.ts";

useChromium();

const LANGUAGES = ["en", "fr"] as const;

type Way = (page: Page, service: TestService, texts: Texts) => Promise<void>;

/** Each view, and how one comes to it. */
const VIEWS: Readonly<Record<string, Way>> = {
  home: async (page, _, texts) => {
    await page.getByText(texts.home.recent).waitFor();
  },
  note: async (page, { address }) => {
    await page.goto(`${address}/file/vault/projects/sail-loft/state.md`);
    await page.getByRole("row", { name: /Total/u }).scrollIntoViewIfNeeded();
  },
  lines: async (page, { address }, texts) => {
    await page.goto(`${address}/file/vault/bucket/article-slow-cooling.md#L22-28`);
    await page.getByRole("button", { name: texts.file.numbers }).click();
    await page.locator("[data-marked]").first().waitFor();
  },
  folder: async (page, { address }) => {
    await page.goto(`${address}/folder/vault/projects/sail-loft/bucket/`);
    await page.getByRole("link", { name: "floor-plan.png" }).waitFor();
  },
  image: async (page, { address }) => {
    await page.goto(`${address}/file/vault/projects/sail-loft/bucket/floor-plan.png`);
    await page.locator("main img").waitFor();
  },
  search: async (page, { address }) => {
    await page.goto(`${address}/search?q=kiln+deposit`);
    await page.locator("main mark").first().waitFor();
  },
  filters: async (page, { address }) => {
    await page.goto(`${address}/search?q=${encodeURIComponent("path:projects kiln")}`);
    await page.locator("main mark").first().waitFor();
  },
  answer: async (page) => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(QUESTION);
    await page.keyboard.press("Enter");
    await page.getByRole("figure").first().waitFor();
  },
  inbox: async (page, { address }, texts) => {
    await page.goto(`${address}/inbox`);
    await page.getByRole("main").getByRole("link").first().click();
    await page.getByRole("button", { name: texts.inbox.answer }).click();
    await page.getByPlaceholder(texts.composer.answerPlaceholder).fill("Jo Carne, the trailer.");
  },
  update: async (page, _, texts) => {
    await page.locator("textarea").fill(NOTE);
    await page.getByRole("button", { name: texts.composer.send }).click();
    await page
      .getByRole("region", { name: texts.update.label })
      .getByRole("button", { name: texts.update.undo })
      .waitFor();
  },
  history: async (page, { address }, texts) => {
    await page.goto(`${address}/history`);
    await page.getByRole("button", { name: texts.history.showRun }).first().click();
    await page.getByRole("button", { name: texts.history.show }).first().click();
    await page.getByRole("row").first().waitFor();
  },
  switcher: async (page) => {
    await page.keyboard.press("ControlOrMeta+o");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("loft");
    await page.getByRole("option").first().waitFor();
  },
  commands: async (page) => {
    await page.keyboard.press("ControlOrMeta+p");
    await page.getByRole("option").first().waitFor();
  },
  shortcuts: async (page) => {
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  },
  install: async (page, _, texts) => {
    await page.keyboard.press("ControlOrMeta+p");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type(texts.install.title);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: texts.install.title }).waitFor();
  },
  unknown: async (page, { address }, texts) => {
    await page.goto(`${address}/nowhere`);
    await page.getByRole("main").getByText(texts.unknown.title).waitFor();
  },
  missing: async (page, { address }, texts) => {
    await page.goto(`${address}/file/vault/projects/sail-loft/winch.md`);
    await page.getByRole("main").getByText(texts.file.notFound).waitFor();
  },
  preview: async (page, { address }, texts) => {
    // The same note was filed above: without it there is something to change.
    await page.goto(`${address}/history`);
    await page.getByRole("button", { name: texts.history.undo }).first().click();
    await page.getByText(texts.history.undone).first().waitFor();
    await page.goto(address);
    await page.getByRole("checkbox", { name: texts.composer.preview }).check();
    await page.locator("textarea").fill(NOTE);
    await page.getByRole("button", { name: texts.composer.send }).click();
    await page.getByText(texts.update.nothingYet).waitFor();
    await page.getByRole("table").first().waitFor();
  },
};

it.each(LANGUAGES)(
  "each view is pictured in both themes (%s), wide and on a telephone",
  async (lang) => {
    const texts = { en: english, fr: french }[lang];
    const service = await startService({ model: demoTurn, name: "slow-kiln" });
    const { page } = await visit(service.link, { locale: LOCALES[lang] });
    for (const [name, show] of Object.entries(VIEWS)) {
      await page.goto(service.address);
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
      await page.reload();
      await page.getByRole("treeitem").first().waitFor();
      await page.evaluate("document.activeElement?.blur()");
      await show(page, service, texts);
      await inspected(page, name, lang);
    }
    await page.getByRole("button", { name: texts.update.reject }).click();
    await page.goto(service.address);
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    await page.setViewportSize(SIZES.phone);
    await page.reload();
    await page.getByRole("button", { name: texts.nav.open }).click();
    await page.getByRole("treeitem").first().waitFor();
    // Away from what lies below it now.
    await page.mouse.move(0, 0);
    await picturesOf(page, "files", lang, "phone");
    await service.stop();
    await page.reload();
    await page.getByRole("heading").waitFor();
    await inspected(page, "away", lang);
    expect(await page.title()).toContain("coffre");
  },
  300_000,
);

const FOREIGN = {
  "trees.canvas": JSON.stringify({
    nodes: [
      { id: "a", type: "text", x: 0, y: 0, width: 220, height: 90, text: "Plant the **oak**" },
      { id: "b", type: "file", x: 320, y: 0, width: 220, height: 90, file: "oak.md" },
      {
        id: "c",
        type: "text",
        x: 320,
        y: 160,
        width: 220,
        height: 90,
        text: "Water it",
        color: "4",
      },
    ],
    edges: [
      { id: "e", fromNode: "a", fromSide: "right", toNode: "b", toSide: "left", label: "November" },
      { id: "f", fromNode: "b", fromSide: "bottom", toNode: "c", toSide: "top" },
    ],
  }),
  "oak.md": "# The oak\n\nIt is 200 years old.\n",
  "garden/elm.md": "# The elm\n",
};

it.each(LANGUAGES)(
  "the home of notes that were there before, and a canvas, are pictured in both themes (%s)",
  async (lang) => {
    const texts = { en: english, fr: french }[lang];
    const service = await startService({ files: FOREIGN, isForeign: true, name: "trees" });
    const { page } = await visit(service.link, { locale: LOCALES[lang] });
    await page.getByText(texts.home.welcome).waitFor();
    await page.locator("main details summary").first().waitFor();
    await inspected(page, "adopt", lang);
    await page.goto(`${service.address}/file/vault/trees.canvas`);
    await page.locator(".canvas").waitFor();
    await inspected(page, "canvas", lang);
    expect(await page.title()).toContain("trees.canvas");
  },
  120_000,
);
