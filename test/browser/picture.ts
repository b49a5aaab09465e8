import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Page } from "playwright-core";

import { smallPng } from "./small-png.ts";
import { violationsIn } from "./violations.ts";

const FOLDER = path.join(import.meta.dirname, "..", "..", "docs", "images");

export const SIZES = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 780 },
} as const;

export type Lang = "en" | "fr";

export const LOCALES: Readonly<Record<Lang, string>> = { en: "en-GB", fr: "fr-FR" };

/** Resolves when another theme or size is drawn, and nothing moves that comes to an end. */
const SETTLED = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  // A colour that is inherited begins its own change when that of its parent ends.
  for (let round = 0; round < 20; round += 1) {
    const ending = document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity);
    if (ending.length === 0) break;
    await Promise.allSettled(ending.map((each) => each.finished));
    await frame();
    await frame();
  }
})()`;

/** Puts what is seen into `docs/images`. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.waitForLoadState("networkidle");
  await page.evaluate(SETTLED);
  writeFileSync(path.join(FOLDER, `${name}.png`), smallPng(await page.screenshot()));
}

/** The same wide and on a telephone, in both themes. English is not named. */
export async function pictures(page: Page, name: string, lang: Lang): Promise<void> {
  for (const size of ["wide", "phone"] as const) await picturesOf(page, name, lang, size);
  await page.setViewportSize(SIZES.wide);
}

/** The same of a view that shuts nobody out: that of English is looked at in the light theme, that of French in the dark one. */
export async function inspected(page: Page, name: string, lang: Lang): Promise<void> {
  await pictures(page, name, lang);
  await page.emulateMedia({ colorScheme: lang === "en" ? "light" : "dark" });
  await page.evaluate(SETTLED);
  const violations = await violationsIn(page);
  if (violations.length > 0) throw new Error(`${name} shuts people out: ${violations.join("\n")}`);
}

/** In both themes. */
export async function picturesOf(
  page: Page,
  name: string,
  lang: Lang,
  size: keyof typeof SIZES,
): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${size}-${colorScheme}${lang === "en" ? "" : `-${lang}`}`);
  }
}
