import { converted, type Converted, type Step } from "../convert/converted.ts";
import { fenced, plainCell, tableMarkdown } from "../convert/markdown-table.ts";
import {
  childElements,
  descendants,
  firstOf,
  parseXml,
  textOf,
  type XmlElement,
} from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import { cellFormats, formatCell, type CellFormat } from "./cell-format.ts";
import type { ConversionJob } from "./formats.ts";
import { CORE_PROPERTIES, missingPart, relationsOf, titleIn } from "./office.ts";

const WORKBOOK = "xl/workbook.xml";
/** A larger sheet is shown as comma-separated values: a table of it would be mostly bars. */
const MAX_TABLE_CELLS = 5000;
const MAX_COLUMNS = 500;

interface Workbook {
  readonly texts: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly isFrom1904: boolean;
}

/** An Excel workbook: each sheet that has something in it, as a table of what its cells show. */
export function convertXlsx({ name, bytes, limits }: ConversionJob, step: Step): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const text = zip.text(WORKBOOK);
  if (text === null) throw missingPart(name, WORKBOOK);
  const root = parseXml(text, name);
  const styles = zip.text("xl/styles.xml");
  const workbook: Workbook = {
    texts: sharedTexts(zip),
    formats: styles === null ? [] : cellFormats(parseXml(styles, name)),
    isFrom1904: firstOf(root, "workbookPr")?.attributes["date1904"] === "1",
  };
  const relations = relationsOf(zip, WORKBOOK);
  const sheets = descendants(root, "sheet");
  const parts = sheets.flatMap(({ attributes }, at) => {
    step(at, sheets.length);
    const sheet = zip.text(relations.get(attributes["r:id"] ?? "")?.target ?? "");
    if (sheet === null) return [];
    const rows = rowsOf(parseXml(sheet, name), workbook);
    return rows.length === 0
      ? []
      : [`## ${attributes["name"] ?? `Sheet ${at + 1}`}\n\n${shown(rows)}`];
  });
  return converted(titleIn(zip, CORE_PROPERTIES), parts.join("\n\n"));
}

/** Cells refer to texts by number. Readings beside Japanese texts are not part of them. */
function sharedTexts(zip: ZipReader): string[] {
  const text = zip.text("xl/sharedStrings.xml");
  if (text === null) return [];
  return descendants(parseXml(text, "xl/sharedStrings.xml"), "si").map(richText);
}

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
  return formatCell(raw, formats[Number(style)] ?? "number", isFrom1904);
}

function shown(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map((row) => row.length));
  if (rows.length * width <= MAX_TABLE_CELLS)
    return tableMarkdown(rows.map((row) => row.map(plainCell)));
  return fenced(rows.map((row) => row.map(quoted).join(",")).join("\n"), "csv");
}

function quoted(cell: string): string {
  return /[",\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
