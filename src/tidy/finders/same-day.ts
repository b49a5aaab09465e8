import { showPath } from "../../vault/paths.ts";
import { blocksOf, changelogPaths, mergeDays } from "../changelog-blocks.ts";
import type { Finder, Finding } from "../finding.ts";
import { editOf } from "../relink.ts";
import { isLong } from "./long-changelog.ts";

/** Days that have several headings in one changelog. */
export const sameDay: Finder = {
  kind: "same-day",
  find: async ({ projects, page, today }) => {
    const found: Finding[] = [];
    for (const path of changelogPaths(projects)) {
      const changelog = await page(path);
      // One that is split has its days merged on the way.
      if (changelog === null || isLong(changelog, today)) continue;
      const blocks = blocksOf(changelog.lines);
      const edits = mergeDays(changelog.lines, blocks, true);
      const first = edits.find(({ start, end }) => end >= start);
      if (first === undefined) continue;
      const shown = showPath(path);
      const days = blocks.flatMap(({ day }) => day ?? []);
      const count = days.length - new Set(days).size;
      found.push({
        kind: "same-day",
        title: {
          en: `${shown}: ${count} more ${count === 1 ? "heading" : "headings"} of a day that has one already, put under the first`,
          fr: `${shown} : ${count} ${count === 1 ? "titre" : "titres"} de plus pour un jour qui en a déjà un, à mettre sous le premier`,
        },
        path,
        line: changelog.skipped + first.start,
        changes: [editOf(changelog, edits)],
        canBeWorded: false,
      });
    }
    return found;
  },
};
