import { sentencesOf } from "../../evidence/doubts.ts";
import { factsIn, type StatedDate } from "../../evidence/facts-in.ts";
import { fold } from "../../text/words.ts";
import { joinPath, showPath } from "../../vault/paths.ts";
import type { Finder, Finding } from "../finding.ts";
import { lineOf, quoted, unitsOf } from "../units.ts";

/*
 * Words are compared folded: without case and accents. Only those are listed that speak of what is to come, or of what was, in notes about plans.
 */

const TO_COME = new RegExp(
  String.raw`\b(?:will|shall|going to|about to|planned|scheduled|expected|upcoming|starts?|begins?|opens?|opening|leaves?|leaving|arrives?|due|deadline|takes place|until|next|` +
    String.raw`sera|seront|aura|auront|va|vont|prevue?s?|commence(?:ra|nt)?|debut(?:e|era|ent)|ouvr(?:e|ira|ent)|part(?:ira|ent)?|depart|ouverture|arriver?a?|a venir|prochaine?s?|attendue?s?|echeance|jusqu.?aux?|jusqu.?a|d.?ici)\b`,
  "u",
);
const PAST = new RegExp(
  String.raw`\b(?:was|were|had|did|done|since|finished|completed|paid|ended|moved|instead|no longer|cancelled|canceled|first announced|` +
    String.raw`etait|etaient|fut|furent|a ete|ont ete|a eu|faite?s?|terminee?s?|payee?s?|depuis|finie?s?|au lieu|deplacee?s?|annulee?s?)\b|[✓✔☑]|\[x\]`,
  "u",
);

/** Days that are past, in sentences of the present pages that speak of them as still to come. */
export const pastDates: Finder = {
  kind: "past-date",
  find: async ({ projects, page, today }) => {
    const found: Finding[] = [];
    const pages = projects.flatMap((each) => [
      joinPath(each, "state.md"),
      joinPath(each, "description.md"),
    ]);
    for (const path of ["overview.md", ...pages]) {
      const present = await page(path);
      if (present === null) continue;
      for (const unit of unitsOf(present.lines)) {
        for (const clause of sentencesOf(unit.text).flatMap((each) => each.split(";"))) {
          const date = pastDateIn(clause, today);
          if (date === null) continue;
          const line = present.skipped + lineOf(present.lines, unit, date.written);
          const place = `${showPath(path)}:${line}`;
          found.push({
            kind: "past-date",
            title: {
              en: `${place} speaks of ${date.written} as still to come: ${quoted(clause)}`,
              fr: `${place} parle du ${date.written} comme à venir : ${quoted(clause)}`,
            },
            path,
            line,
            changes: [],
            canBeWorded: true,
          });
        }
      }
    }
    return found;
  },
};

/** The last day of a clause that speaks of it as still to come; null when any of its days is, or none says its year. */
function pastDateIn(clause: string, today: string): StatedDate | null {
  const folded = fold(clause);
  if (!TO_COME.test(folded) || PAST.test(folded)) return null;
  const dates = factsIn(clause).dates;
  if (dates.length === 0 || !dates.every((date) => isBefore(date, today))) return null;
  return dates.at(-1) ?? null;
}

function isBefore({ year, month, day }: StatedDate, today: string): boolean {
  if (year === null || day === null) return false;
  const pad = (number: number): string => String(number).padStart(2, "0");
  return `${year}-${pad(month)}-${pad(day)}` < today;
}
