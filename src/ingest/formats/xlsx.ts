import { converted, type Converted, type Step } from "../convert/converted.ts";
import { escapeHtml, fragmentMarkdown } from "../convert/html.ts";
import { fenced, plainCell, plainTable } from "../convert/markdown-table.ts";
import {
  childElements,
  descendants,
  firstOf,
  textOf,
  type XmlElement,
} from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import { drawnHtml, embeddedFiles } from "./drawing.ts";
import type { ConversionJob } from "./formats.ts";
import { BUILT_IN_FORMATS, formatNumber } from "./number-format.ts";
import {
  commentText,
  CORE_PROPERTIES,
  essentialXml,
  relationsOf,
  titleIn,
  xmlIn,
  type Relation,
} from "./office.ts";

const WORKBOOK = "xl/workbook.xml";
const MAX_COLUMNS = 500;

interface Workbook {
  /** Cells refer to them by number. */
  readonly texts: readonly string[];
  /** Format codes, by the style that cells give. */
  readonly formats: readonly string[];
  readonly isFrom1904: boolean;
}

/** An Excel workbook: each sheet that has something in it, as a table of what its cells show. */
export function convertXlsx({ name, bytes, limits }: ConversionJob, step: Step): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const root = essentialXml(zip, WORKBOOK);
  const workbook: Workbook = {
    texts: descendants(xmlIn(zip, "xl/sharedStrings.xml"), "si").map(richText),
    formats: cellFormats(xmlIn(zip, "xl/styles.xml")),
    isFrom1904: firstOf(root, "workbookPr")?.attributes["date1904"] === "1",
  };
  const relations = relationsOf(zip, WORKBOOK);
  const sheets = descendants(root, "sheet");
  const files: string[] = [];
  const parts = sheets.flatMap(({ attributes }, at) => {
    step(at, sheets.length);
    const part = relations.get(attributes["r:id"] ?? "")?.target ?? "";
    files.push(part);
    const rows = rowsOf(xmlIn(zip, part), workbook);
    const beside = [...relationsOf(zip, part).values()];
    const comments = commentsOn(zip, beside).join("\n");
    const texts = [
      rows.length === 0 ? "" : shown(rows),
      fragmentMarkdown(drawnOn(zip, beside)),
      comments === "" ? "" : `Comments:\n\n${comments}`,
    ].filter((text) => text !== "");
    // A sheet that Excel does not show is marked as such.
    const mark = attributes["state"]?.toLowerCase().includes("hidden") === true ? " (hidden)" : "";
    const heading = `## ${attributes["name"] ?? `Sheet ${at + 1}`}${mark}`;
    return texts.length === 0 ? [] : [[heading, ...texts].join("\n\n")];
  });
  const { inside, notices } = embeddedFiles(zip, files);
  const title = titleIn(zip, CORE_PROPERTIES);
  return { ...converted(title, parts.join("\n\n"), { notices }), inside };
}

/** Without the readings beside Japanese texts. */
function richText(element: XmlElement): string {
  return childElements(element)
    .filter(({ name }) => name === "t" || name === "r")
    .map((part) => (part.name === "t" ? textOf(part) : descendants(part, "t").map(textOf).join("")))
    .join("");
}

/** The rows that hold something, without the empty columns after the last that does. */
function rowsOf(sheet: XmlElement, workbook: Workbook): string[][] {
  const rows: string[][] = [];
  for (const row of descendants(sheet, "row")) {
    const cells: string[] = [];
    for (const cell of childElements(row).filter(({ name }) => name === "c")) {
      const column = columnOf(cell.attributes["r"] ?? "") ?? cells.length;
      if (column >= MAX_COLUMNS) continue;
      while (cells.length < column) cells.push("");
      cells[column] = cellText(cell, workbook);
    }
    if (cells.some((cell) => cell !== "")) rows.push(cells);
  }
  return rows;
}

/** `C12` is in the third column: 2. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}/u.exec(reference)?.[0];
  if (letters === undefined) return null;
  return letters.split("").reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText(cell: XmlElement, { texts, formats, isFrom1904 }: Workbook): string {
  const { t: type = "n", s: style = "0" } = cell.attributes;
  if (type === "inlineStr") return descendants(cell, "is").map(richText).join("");
  const value = childElements(cell).find(({ name }) => name === "v");
  if (value === undefined) return "";
  const raw = textOf(value);
  if (type === "s") return texts[Number(raw)] ?? "";
  if (type === "b") return raw === "1" ? "TRUE" : "FALSE";
  if (type !== "n") return raw;
  const number = Number(raw);
  if (raw === "" || !Number.isFinite(number)) return raw;
  return formatNumber(number, formats[Number(style)] ?? "", isFrom1904);
}

function shown(rows: readonly (readonly string[])[]): string {
  return plainTable(rows) ?? fenced(rows.map((row) => row.map(quoted).join(",")).join("\n"), "csv");
}

function quoted(cell: string): string {
  return /[",\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The format codes of a workbook, by the number that cells give as their style. */
function cellFormats(styles: XmlElement): string[] {
  const listed = (list: string): XmlElement[] =>
    descendants(styles, list).flatMap((element) => childElements(element));
  const formats = new Map(BUILT_IN_FORMATS);
  for (const { attributes } of listed("numFmts"))
    formats.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "");
  return listed("cellXfs").map(
    ({ attributes }) => formats.get(Number(attributes["numFmtId"] ?? 0)) ?? "",
  );
}

/** The charts and text boxes that lie on a sheet, as HTML. */
function drawnOn(zip: ZipReader, relations: readonly Relation[]): string {
  const parts = relations.filter(({ type }) => type === "drawing");
  return parts
    .map(({ target }) => {
      const inDrawing = relationsOf(zip, target);
      const drawing = xmlIn(zip, target);
      const charts = descendants(drawing, "xdr:graphicFrame").map(
        (frame) => drawnHtml(frame, zip, inDrawing) ?? "",
      );
      // What programs that cannot draw a chart show in its place is not on the sheet.
      const instead = new Set(
        descendants(drawing, "mc:Fallback").flatMap((each) => descendants(each, "xdr:txBody")),
      );
      const bodies = descendants(drawing, "xdr:txBody").filter((body) => !instead.has(body));
      const texts = bodies.flatMap((body) =>
        descendants(body, "a:p").map((line) => descendants(line, "a:t").map(textOf).join("")),
      );
      return [
        ...charts,
        ...texts.filter((text) => text.trim() !== "").map((text) => `<p>${escapeHtml(text)}</p>`),
      ].join("");
    })
    .join("");
}

/** What people wrote beside cells. */
function commentsOn(zip: ZipReader, relations: readonly Relation[]): string[] {
  const parts = relations.filter(({ type }) => type === "comments");
  return parts.flatMap(({ target }) => {
    const root = xmlIn(zip, target);
    const authors = descendants(root, "author").map(textOf);
    return descendants(root, "comment").map((comment) => {
      const { ref = "", authorId = "" } = comment.attributes;
      const text = descendants(comment, "t").map(textOf).join("");
      return `- ${plainCell(ref)}: ${commentText(authors[Number(authorId)] ?? "", "", text)}`;
    });
  });
}
