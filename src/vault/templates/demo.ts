import { demoFilesEn } from "./demo-en.ts";
import { demoFilesFr } from "./demo-fr.ts";
import { demoImage } from "./demo-image.ts";
import type { Lang, TemplateFile } from "./template.ts";

/**
 * The lived-in vault of `init --demo`. Its dates are counted from `now`, in local time, so that it
 * always looks recent. Its root files take the place of the skeleton's.
 */
export function demoFiles(lang: Lang, now: Date): TemplateFile[] {
  const day = (ago: number): string => localDate(now, ago);
  return lang === "fr"
    ? [...demoFilesFr(day), { path: "projects/voilerie/bucket/plan.png", content: demoImage() }]
    : [
        ...demoFilesEn(day),
        { path: "projects/sail-loft/bucket/floor-plan.png", content: demoImage() },
      ];
}

/** Noon, because every local day has one: midnight is skipped in some places when clocks change. */
function localDate(now: Date, ago: number): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago, 12);
  const year = String(date.getFullYear()).padStart(4, "0");
  const month = String(date.getMonth() + 1).padStart(2, "0");
  return `${year}-${month}-${String(date.getDate()).padStart(2, "0")}`;
}
