import { converted, ImageCollector, type Converted, type Step } from "../convert/converted.ts";
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
  /** Who wrote threads of comments, by their ids. */
  readonly persons: ReadonlyMap<string, string>;
}

/** An Excel workbook: each sheet that has something in it, as a table of what its cells show. */
export function convertXlsx({ name, bytes, limits }: ConversionJob, step: Step): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const root = essentialXml(zip, WORKBOOK);
  const relations = relationsOf(zip, WORKBOOK);
  const workbook: Workbook = {
    texts: descendants(xmlIn(zip, "xl/sharedStrings.xml"), "si").map(richText),
    formats: cellFormats(xmlIn(zip, "xl/styles.xml")),
    isFrom1904: firstOf(root, "workbookPr")?.attributes["date1904"] === "1",
    persons: personsOf(zip, [...relations.values()]),
  };
  const images = new ImageCollector();
  let cells = 0;
  const sheets = descendants(root, "sheet");
  const files: string[] = [];
  const parts = sheets.flatMap(({ attributes }, at) => {
    step(at, sheets.length);
    const part = relations.get(attributes["r:id"] ?? "")?.target ?? "";
    files.push(part);
    const { rows, cut } = rowsOf(xmlIn(zip, part), workbook);
    cells += cut;
    const beside = [...relationsOf(zip, part).values()];
    const comments = commentsOn(zip, beside, workbook.persons).join("\n");
    const texts = [
      rows.length === 0 ? "" : shown(rows),
      fragmentMarkdown(drawnOn(zip, beside, images), images),
      comments === "" ? "" : `Comments:\n\n${comments}`,
    ].filter((text) => text !== "");
    // A sheet that Excel does not show is marked as such.
    const mark = attributes["state"]?.toLowerCase().includes("hidden") === true ? " (hidden)" : "";
    const heading = `## ${attributes["name"] ?? `Sheet ${at + 1}`}${mark}`;
    return texts.length === 0 ? [] : [[heading, ...texts].join("\n\n")];
  });
  const { inside, notices } = embeddedFiles(zip, files);
  const title = titleIn(zip, CORE_PROPERTIES);
  const more = { images, notices: [...leftOut(cells), ...notices] };
  return { ...converted(title, parts.join("\n\n"), more), inside };
}

function leftOut(cells: number): string[] {
  return cells === 0
    ? []
    : [`Cells right of column ${MAX_COLUMNS} were left out: ${cells} with something in them.`];
}

/** Without the readings beside Japanese texts. */
function richText(element: XmlElement): string {
  return childElements(element)
    .filter(({ name }) => name === "t" || name === "r")
    .map((part) => (part.name === "t" ? textOf(part) : descendants(part, "t").map(textOf).join("")))
    .join("");
}

/** The rows that hold something, without the empty columns after the last that does; and how many cells too far to the right do. */
function rowsOf(sheet: XmlElement, workbook: Workbook): { rows: string[][]; cut: number } {
  const rows: string[][] = [];
  let cut = 0;
  for (const row of descendants(sheet, "row")) {
    const cells: string[] = [];
    for (const cell of childElements(row).filter(({ name }) => name === "c")) {
      const column = columnOf(cell.attributes["r"] ?? "") ?? cells.length;
      if (column >= MAX_COLUMNS) {
        if (cellText(cell, workbook) !== "") cut += 1;
        continue;
      }
      while (cells.length < column) cells.push("");
      cells[column] = cellText(cell, workbook);
    }
    if (cells.some((cell) => cell !== "")) rows.push(cells);
  }
  return { rows, cut };
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
  if (value === undefined) return type === "str" ? "" : formulaOf(cell);
  const raw = textOf(value);
  if (type === "s") return texts[Number(raw)] ?? "";
  if (type === "b") return raw === "1" ? "TRUE" : "FALSE";
  if (type !== "n") return raw;
  const number = Number(raw);
  if (raw === "" || !Number.isFinite(number)) return raw;
  return formatNumber(number, formats[Number(style)] ?? "", isFrom1904);
}

/** What a cell computes, where the program that wrote the file did not: Excel does so when it opens it. */
function formulaOf(cell: XmlElement): string {
  const formula = textOf(childElements(cell).find(({ name }) => name === "f") ?? "").trim();
  return formula === "" ? "" : `=${formula}`;
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

/** The charts, pictures and text boxes that lie on a sheet, as HTML. */
function drawnOn(zip: ZipReader, relations: readonly Relation[], images: ImageCollector): string {
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
      const pictures = descendants(drawing, "xdr:pic").map((picture) => {
        const id = firstOf(picture, "a:blip")?.attributes["r:embed"] ?? "";
        const address = images.add(zip.read(inDrawing.get(id)?.target ?? ""));
        const alt = firstOf(picture, "xdr:cNvPr")?.attributes["descr"] ?? "";
        return `<p><img src="${escapeHtml(address ?? "")}" alt="${escapeHtml(alt)}"></p>`;
      });
      return [
        ...charts,
        ...pictures,
        ...texts.filter((text) => text.trim() !== "").map((text) => `<p>${escapeHtml(text)}</p>`),
      ].join("");
    })
    .join("");
}

function personsOf(zip: ZipReader, relations: readonly Relation[]): Map<string, string> {
  const parts = relations.filter(({ type }) => type === "person");
  const persons = parts.flatMap(({ target }) => descendants(xmlIn(zip, target), "person"));
  return new Map(persons.map(({ attributes: { id = "", displayName = "" } }) => [id, displayName]));
}

/** What people wrote beside cells: threads with their answers, and the notes of before. */
function commentsOn(
  zip: ZipReader,
  relations: readonly Relation[],
  persons: ReadonlyMap<string, string>,
): string[] {
  const partsOf = (wanted: string): XmlElement[] =>
    relations.filter(({ type }) => type === wanted).map(({ target }) => xmlIn(zip, target));
  const said = partsOf("threadedComment").flatMap((part) => descendants(part, "threadedComment"));
  const threads = said.map((comment) => {
    const { ref = "", personId = "", dT: date = "", parentId } = comment.attributes;
    const text = commentText(
      persons.get(personId) ?? "",
      date,
      textOf(firstOf(comment, "text") ?? ""),
    );
    return parentId === undefined ? `- ${plainCell(ref)}: ${text}` : `  - ${text}`;
  });
  const ids = new Set(said.map(({ attributes }) => attributes["id"] ?? ""));
  const notes = partsOf("comments").flatMap((root) => {
    const authors = descendants(root, "author").map(textOf);
    return descendants(root, "comment").flatMap((comment) => {
      const { ref = "", authorId = "" } = comment.attributes;
      const author = authors[Number(authorId)] ?? "";
      const thread = THREAD.exec(author)?.[1];
      // What stands in the place of a thread for older programs.
      if (thread !== undefined && ids.has(thread)) return [];
      const text = descendants(comment, "t").map(textOf).join("");
      const words =
        thread === undefined
          ? commentText(author, "", text)
          : commentText("", "", text.replace(FOR_OLDER_PROGRAMS, ""));
      return [`- ${plainCell(ref)}: ${words}`];
    });
  });
  return [...threads, ...notes];
}

/** The author of a note that stands for a thread: its id. */
const THREAD = /^tc=(\{[^}]*\})/u;
const FOR_OLDER_PROGRAMS = /^\s*\[[^\]]*\]\s*(?:[^\n]*\n+)?[^\n]*:\s*\n/u;
