import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import {
  mayReplace,
  overlaps,
  replacedLines,
  replacesText,
  sectionsOf,
  type ReplacedPlace,
  type Section,
} from "../../index/replaces-line.ts";
import { isIndexed } from "../../index/search-index.ts";
import { languageOfText } from "../../text/language.ts";
import { formatRange, type LineRange } from "../../vault/files/lines.ts";
import { isMarkedFile } from "../../vault/files/untrusted-mark.ts";
import { joinPath, parentOf, parsePath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { parseLines } from "../concat.ts";
import type { WriteContext } from "../define.ts";

/** Statements of the vault that a new text makes untrue. */
export const Replaces = z.array(
  z.strictObject({ path: z.string(), lines: z.string(), value: z.string().nullish() }),
);

type Wanted = z.infer<typeof Replaces>[number];

/** A statement that was found where the caller says it stands. */
export interface ReplacedStatement {
  readonly path: VaultPath;
  readonly lines: LineRange;
  /** The line that the new entry ends with. */
  readonly line: string;
}

/** An old value that is the whole of a short line is taken from it. */
const LONGEST_VALUE = 80;

/**
 * Finds the statements that a new text replaces, and writes the line for each. Throws when one is not where the caller says.
 * @param from the file of the new text
 * @param text the new text, whose language the lines are written in
 */
export async function replacedStatements(
  wanted: readonly Wanted[],
  from: VaultPath,
  text: string,
  context: Pick<WriteContext, "vault" | "conceals">,
): Promise<ReplacedStatement[]> {
  if (wanted.length === 0) return [];
  if (!isIndexed(from) || !mayReplace(from) || (await isMarkedFile(context.vault, from))) {
    throw wrong(
      `${showPath(from)} replaces nothing: it is raw material, text from outside, or a page that search leaves out. Put the entry into a changelog or another note, or leave replaces out.`,
    );
  }
  const found: ReplacedStatement[] = [];
  for (const each of wanted) found.push(await replacedStatement(each, from, text, context));
  return found;
}

async function replacedStatement(
  wanted: Wanted,
  from: VaultPath,
  text: string,
  { vault, conceals }: Pick<WriteContext, "vault" | "conceals">,
): Promise<ReplacedStatement> {
  const { path } = parsePath(wanted.path);
  const shown = showPath(path);
  const found = await vault.get(path);
  if (found.kind !== "file" || !isIndexed(path)) {
    throw wrong(
      `replaces: ${showPath(path, found.kind === "folder" ? "folder" : "file")} is not a note that search finds. Name a note and its lines; a page that is always shown whole is simply edited.`,
    );
  }
  const file = await vault.openText(path);
  const range = parseLines(wanted);
  if (range === null || range.end > file.totalLines) {
    throw wrong(
      `replaces: ${shown} has ${file.totalLines} lines; ${JSON.stringify(wanted.lines)} is not inside. Read it, and give the lines of the old statement.`,
    );
  }
  const lines = file.range(1, file.totalLines).lines;
  const place =
    (await conceals?.(path)) === true
      ? concealedPlace(lines, range, wanted, shown)
      : placeOf(lines, range, sectionAt(lines, range, shown), wanted, shown);
  const target = await linkTo(path, from, vault);
  const language = languageOfText(text) ?? languageOfText(lines.join("\n")) ?? "en";
  return { path, lines: range, line: replacesText({ target, ...place }, language) };
}

/** Of a text whose words must not reach the caller: by the old value alone, in the caller's own words. */
function concealedPlace(
  lines: readonly string[],
  range: LineRange,
  { value }: Wanted,
  shown: string,
): ReplacedPlace {
  const place = { headings: [], value: plain(value ?? "") };
  // Without the value in it, all of the file would be meant.
  const isFound = replacedLines(lines, place).some(
    (found) => found.start === found.end && overlaps(found, range),
  );
  if (place.value !== "" && isFound) return place;
  throw wrong(
    `replaces: ${shown} is text from outside, which was not shown: nothing of it is copied. Give the old value as the person says it, which must stand in lines ${formatRange(range)}, or leave replaces out.`,
  );
}

/** The one section that some lines stand in. */
function sectionAt(lines: readonly string[], range: LineRange, shown: string): Section {
  const inside = sectionsOf(lines).filter((section) => overlaps(section.lines, range));
  const withText = inside.filter(({ headings, lines: own }) => {
    const first = headings.length === 0 ? own.start : own.start + 1;
    const start = Math.max(first, range.start);
    return lines.slice(start - 1, Math.min(own.end, range.end)).some((line) => line.trim() !== "");
  });
  const [only, second] = withText;
  if (second !== undefined) {
    const places = withText.map((section) => formatRange(section.lines)).join(", ");
    throw wrong(
      `replaces: lines ${formatRange(range)} of ${shown} hold several sections (lines ${places}). Name the lines of one, once for each.`,
    );
  }
  // Lines of nothing but headings: the innermost is meant.
  const section = only ?? inside.findLast((each) => each.lines.start >= range.start);
  if (section === undefined || (only === undefined && section.headings.length === 0)) {
    throw wrong(`replaces: lines ${formatRange(range)} of ${shown} hold no text.`);
  }
  return section;
}

/** The headings and the old value by which the lines are found again: as few headings as tell them from others. */
function placeOf(
  lines: readonly string[],
  range: LineRange,
  { headings }: Section,
  { value: given }: Wanted,
  shown: string,
): ReplacedPlace {
  const texts = lines
    .slice(range.start - 1, range.end)
    .filter((line) => line.trim() !== "" && !/^ {0,3}#{1,6}\s/u.test(line))
    .map(plain);
  const [first = ""] = texts;
  const said = plain(given ?? "");
  const own = texts.length === 1 && first.length <= LONGEST_VALUE ? first : "";
  const beginning =
    first.length <= LONGEST_VALUE ? first : first.slice(0, LONGEST_VALUE).replace(/\s+\S*$/u, "");
  // What stands under no heading can be told from the rest of its file by its words alone.
  const values = headings.length === 0 ? [said, own, beginning] : [said || own, beginning];
  for (const value of new Set(values)) {
    for (let above = headings.length - 1; above >= Math.min(0, headings.length - 1); above -= 1) {
      const place = {
        headings: headings.slice(Math.max(0, above)),
        value: value === "" ? null : value,
      };
      const isFound = replacedLines(lines, place).some((found) => overlaps(found, range));
      const isNarrow = headings.length > 0 || value !== "";
      if (isFound && isNarrow) return place;
    }
  }
  throw new ExpectedError(
    "ambiguous",
    `replaces: ${shown} has several sections called ${JSON.stringify(headings.at(-1) ?? "")}. Give the old value too, as it stands in lines ${formatRange(range)}.`,
  );
}

/** On one line, without what marks a list item or a quote. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/gu, " ")
    .replace(/^ ?(?:[-*+>] (?:\[[ x]\] )?)+/u, "")
    .trim();
}

/** A link that means the file wherever it stands: from the root, with a `/` where a nearer file is called alike. */
async function linkTo(path: VaultPath, from: VaultPath, vault: VaultReader): Promise<string> {
  if (/[[\]|#^]/u.test(path)) {
    throw wrong(
      `replaces: the name of ${showPath(path)} has a sign that ends a link. Move it first, or leave replaces out.`,
    );
  }
  const target = path.replace(/\.md$/u, "");
  const folder = parentOf(from);
  const near = folder === "" ? path : joinPath(folder, path);
  const isTaken = near !== path && (await vault.find(near)).kind !== "missing";
  return isTaken ? `/${target}` : target;
}

function wrong(message: string): ExpectedError {
  return new ExpectedError("invalid_argument", message);
}
