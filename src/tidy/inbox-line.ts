import { headingsOf } from "../vault/files/headings.ts";
import type { LineEdit } from "./finding.ts";

/** The section of the map that says how many items wait, and what its first paragraph begins with when it is the program's to keep. */
const SECTION = /^(?:inbox|bo[iî]te de r[ée]ception)$/iu;
const COUNT =
  /^(?:(\d+) (?:items? wait|éléments? en attente)|nothing waits|rien n'attend|how many items in|combien d'éléments)/iu;

/** What makes the line right that says how many inbox items wait; null when it is, or there is no such line. */
export function inboxLineEdit(lines: readonly string[], count: number): LineEdit | null {
  const headings = headingsOf(lines, 0);
  const at = headings.findIndex(({ text: title }) => SECTION.test(title.trim()));
  const heading = headings[at];
  if (heading === undefined) return null;
  const end = (headings[at + 1]?.line ?? lines.length + 1) - 1;
  let first = heading.line;
  while (first < end && (lines[first] ?? "").trim() === "") first += 1;
  let last = first;
  while (last < end && (lines[last] ?? "").trim() !== "") last += 1;
  const found = COUNT.exec(lines[first] ?? "");
  if (first >= end || found === null) return null;
  const isFrench = /^bo/iu.test(heading.text.trim()) || /^(?:rien|combien)/iu.test(found[0]);
  const isTemplate = /^(?:how|combien)/iu.test(found[0]);
  if (!isTemplate && Number(found[1] ?? 0) === count) return null;
  return { start: first + 1, end: last, lines: [lineFor(count, isFrench)] };
}

/** No titles: they may be text of others, and the overview is in the context of every run. */
function lineFor(count: number, isFrench: boolean): string {
  if (count === 0) return isFrench ? "Rien n'attend." : "Nothing waits.";
  if (isFrench) return `${count} ${count === 1 ? "élément" : "éléments"} en attente.`;
  return `${count} ${count === 1 ? "item" : "items"} waiting.`;
}
