import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { picture, SIZES } from "./picture.ts";
import { startService, type TestService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const FILES = {
  en: {
    "projects/loft/plan.md":
      "---\nstatus: open\nowner: Jo\n---\n\n# Plan of the loft\n\nThe floor comes first, then the [[bench]]. Ask about the [[winch]].\n\n- [x] Sand the floor\n- [ ] Order canvas\n",
    "projects/loft/bench.md": "# Bench\n\nAs long as the [[plan]] allows: 9 metres.\n",
    "projects/loft/canvas.md":
      "# Canvas\n\nSee the [plan](plan.md) for the widths.\n\nThe [[bench]] sets the rest.\n",
    "diary.md": "# Diary\n\nLooked at the [[plan]] with Jo, who wants it done by May.\n",
  },
  fr: {
    "projects/loft/plan.md":
      "---\nétat: ouvert\nresponsable: Jo\n---\n\n# Plan de la voilerie\n\nLe plancher d’abord, puis l’[[établi]]. Se renseigner sur le [[treuil]].\n\n- [x] Poncer le plancher\n- [ ] Commander la toile\n",
    "projects/loft/établi.md": "# Établi\n\nAussi long que le [[plan]] le permet : 9 mètres.\n",
    "projects/loft/toile.md": "# Toile\n\nVoir le [plan](plan.md) pour les laizes.\n",
    "journal.md": "# Journal\n\nRegardé le [[plan]] avec Jo, qui le veut pour mai.\n",
  },
} as const;

const PLAN = "projects/loft/plan.md";

/** Each view, and how one comes to it. */
const VIEWS: Readonly<Record<string, (page: Page, service: TestService) => Promise<void>>> = {
  links: async (page, { address }) => {
    await page.goto(`${address}/file/vault/${PLAN}`);
    await page.locator("a.dead-link").waitFor();
    await page.locator("section summary").click();
    await page.locator("section svg").scrollIntoViewIfNeeded();
  },
  write: async (page, { address }) => {
    await page.goto(`${address}/file/vault/${PLAN}?edit=yes`);
    await page.locator(".cm-line", { hasText: "[[" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" [[ca");
    await page.keyboard.press("Backspace");
    await page.getByRole("option").first().waitFor();
  },
  conflict: async (page, service) => {
    await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
    await page.locator("main form button").waitFor();
    await page.locator(".cm-line", { hasText: "- [ ]" }).click();
    await page.keyboard.press("End");
    await page.route("**/api/note", async (route) => route.abort());
    await page.keyboard.type(", 40 m");
    await page.locator(".text-warn").first().waitFor();
    service.write(PLAN, service.read(PLAN).replace(/- \[ \] .*/u, "$& (30 m)"));
    await page.unroute("**/api/note");
    await page.locator("section.bg-warn-soft").waitFor({ timeout: 30_000 });
  },
};

/** What another size closes, and how it is opened again. */
const AGAIN: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  write: async (page) => {
    await page.keyboard.press("Backspace");
    await page.keyboard.type("c");
    await page.getByRole("option").first().waitFor();
  },
};

it.each([
  ["light", "en"],
  ["dark", "en"],
  ["light", "fr"],
  ["dark", "fr"],
] as const)(
  "writing and links are pictured in the %s theme (%s), wide and on a telephone, and shut nobody out",
  async (colorScheme, lang) => {
    for (const [name, show] of Object.entries(VIEWS)) {
      const service = await startService({ files: FILES[lang], name: "slow-kiln" });
      const { page } = await visit(service.link, {
        colorScheme,
        locale: { en: "en-GB", fr: "fr-FR" }[lang],
      });
      await show(page, service);
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        await AGAIN[name]?.(page);
        await page.waitForLoadState("networkidle");
        const file = `${name}-${size}-${colorScheme}${lang === "fr" ? "-fr" : ""}`;
        await picture(page, file);
      }
      expect(await violationsIn(page), name).toEqual([]);
    }
  },
  180_000,
);
