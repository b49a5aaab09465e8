import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { pdfFile } from "../../src/ingest/testing/pdf-file.ts";
import { wavFile } from "../../src/ingest/testing/wav-file.ts";
import { english, type Texts } from "../../src/texts/page/english.ts";
import { french } from "../../src/texts/page/french.ts";
import { useChromium, visit } from "./chromium.ts";
import { inspected, LOCALES, SIZES, type Lang } from "./picture.ts";
import { startService, type TestService } from "./service.ts";

useChromium();

const LANGUAGES = ["en", "fr"] as const;
const TEXTS: Readonly<Record<Lang, Texts>> = { en: english, fr: french };

const FILES = {
  en: {
    "projects/loft/plan.md": "# Plan of the loft\n\nThe floor comes first, then the [[bench]].\n",
    "projects/loft/bench.md":
      "# Bench\n\nAs long as the [[plan]] allows.\n\n![The old bench](https://example.org/bench.png)\n",
  },
  fr: {
    "projects/loft/plan.md":
      "# Plan de la voilerie\n\nLe plancher d’abord, puis l’établi ([[bench]]).\n",
    "projects/loft/bench.md":
      "# Établi\n\nAussi long que le [[plan]] le permet.\n\n![L’ancien établi](https://example.org/etabli.png)\n",
  },
} as const;

const SPOKEN = { "memo.wav": wavFile(), "offer.pdf": pdfFile([["The mast: 2,400 euros."]]) };

type Way = (page: Page, service: TestService, texts: Texts) => Promise<void>;

/** Each view, and how one comes to it. */
const VIEWS: Readonly<Record<string, Way>> = {
  "remote-image": async (page, { address }) => {
    await page.goto(`${address}/file/vault/projects/loft/bench.md`);
    await page.getByRole("button", { name: /example\.org/u }).waitFor();
  },
  recording: async (page, { address }) => {
    await page.goto(`${address}/file/vault/memo.wav`);
    await page.locator("audio").waitFor();
  },
  pdf: async (page, { address }) => {
    await page.goto(`${address}/file/vault/offer.pdf`);
    await page.locator("main iframe").waitFor();
  },
  rename: async (page, { address }, texts) => {
    await page.goto(`${address}/file/vault/projects/loft/plan.md`);
    await page.getByRole("button", { name: texts.write.move }).click();
    await page.getByRole("textbox", { name: texts.write.newPath }).waitFor();
  },
  "new-note": async (page, { address }, texts) => {
    await page.goto(`${address}/folder/vault/projects/loft/`);
    await page.getByRole("button", { name: texts.write.newNote }).click();
    await page.getByRole("textbox", { name: texts.write.newName }).fill("sails");
  },
  deleted: async (page, { address }, texts) => {
    await page.goto(`${address}/file/vault/projects/loft/plan.md`);
    await page.getByRole("button", { name: texts.write.remove }).click();
    await page.getByRole("button", { name: texts.write.undo }).waitFor();
  },
  "empty-inbox": async (page, { address }, texts) => {
    await page.goto(`${address}/inbox`);
    await page.getByText(texts.inbox.empty).waitFor();
  },
  shared: async (page) => {
    await page.evaluate(`navigator.serviceWorker.ready.then(() => {
      const form = document.createElement("form");
      Object.assign(form, { action: "/share", method: "post", enctype: "multipart/form-data" });
      form.append(Object.assign(document.createElement("input"), { name: "text", value: "https://example.org/sails" }));
      document.body.append(form);
      form.submit();
    })`);
    await page.locator("textarea").waitFor();
    await expect.poll(async () => page.locator("textarea").inputValue()).toContain("sails");
  },
};

it.each(LANGUAGES)(
  "what one meets while working is pictured in both themes (%s), and shuts nobody out",
  async (lang) => {
    const texts = TEXTS[lang];
    const service = await startService({ files: { ...FILES[lang], ...SPOKEN }, name: "slow-kiln" });
    const { page, context } = await visit(service.link, { locale: LOCALES[lang] });
    for (const [name, show] of Object.entries(VIEWS)) {
      await page.setViewportSize(SIZES.wide);
      await show(page, service, texts);
      await inspected(page, name, lang);
    }
    for (const [name, content] of Object.entries(FILES[lang])) service.write(name, content);
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    await page.goto(`${service.address}/file/vault/projects/loft/bench.md`);
    await page.locator("main a", { hasText: "plan" }).first().waitFor();
    await expect.poll(async () => page.locator("a.dead-link").count()).toBe(0);
    await service.stop();
    await page.getByText(texts.connection.lost).waitFor();
    await inspected(page, "lost", lang);
    await service.start();
    await context.clearCookies();
    await page.goto(service.address);
    await page.getByRole("heading").waitFor();
    await inspected(page, "door", lang);
  },
  300_000,
);

it.each(LANGUAGES)(
  "an empty vault, and one that is indexed for the first time, are pictured in both themes (%s)",
  async (lang) => {
    const empty = await startService({ files: {}, name: "slow-kiln" });
    const first = await visit(empty.link, { locale: LOCALES[lang] });
    await first.page.getByRole("main").getByRole("heading").first().waitFor();
    await inspected(first.page, "empty", lang);
    const files = Object.fromEntries(
      Array.from({ length: 12_000 }, (_, at) => [
        `web/entry-${at}.md`,
        `# Entry ${at}\n\n${"Some words of it. ".repeat(80)}\n`,
      ]),
    );
    const service = await startService({ files, name: "slow-kiln" });
    const { page } = await visit(service.link, { locale: LOCALES[lang] });
    await page.locator("progress").first().waitFor();
    await inspected(page, "indexing", lang);
    expect(await page.title()).toContain("coffre");
  },
  300_000,
);
