import { language } from "../texts/texts.ts";

/** What the page says where one goes by letters; loaded with it, since most visits do without. */
export const paletteTexts =
  language === "fr"
    ? (await import("../../src/texts/page/french-palette.ts")).frenchPalette
    : (await import("../../src/texts/page/english-palette.ts")).englishPalette;
