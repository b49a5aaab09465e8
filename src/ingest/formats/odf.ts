import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { countWords, hiddenNotices } from "../convert/hidden-text.ts";
import {
  escapeHtml,
  fragmentMarkdown,
  markerHtml,
  OFFICE_TABLE,
  SHEET_TABLE,
} from "../convert/html.ts";
import { mathmlToLatex } from "../convert/mathml.ts";
import { Placeholders } from "../convert/placeholders.ts";
import {
  childElements,
  descendants,
  firstOf,
  isElement,
  textOf,
  type XmlElement,
  type XmlNode,
} from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { ConversionJob } from "./formats.ts";
import {
  CommentNotes,
  commentText,
  essentialXml,
  marginNotices,
  missingPart,
  titleIn,
  xmlIn,
} from "./office.ts";

/** A text, presentation or spreadsheet in the OpenDocument form. */
export function convertOdf({ name, bytes, limits }: ConversionJob): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const isEncrypted = zip.text("META-INF/manifest.xml")?.includes("encryption-data") === true;
  if (isEncrypted) throw missingPart(zip, "content.xml");
  const document = essentialXml(zip, "content.xml");
  const body = firstOf(document, "office:body");
  if (body === undefined) throw missingPart(zip, "office:body");
  const images = new ImageCollector();
  const placeholders = new Placeholders();
  const styles = xmlIn(zip, "styles.xml");
  const writer = new OdfHtml({
    sources: [document, styles],
    image: (places) => pictureOf(zip, images, places),
    object: (place) => xmlIn(zip, `${place.replaceAll(/^\.\/|\/$/gu, "")}/content.xml`),
    placeholders,
  });
  const markdown = fragmentMarkdown(writer.of(body), images, placeholders);
  // Sheets have a header and a footer even where nobody wrote one.
  const isText = firstOf(body, "office:text") !== undefined;
  const margins = isText ? marginNotices(marginTexts(styles)) : [];
  return converted(titleIn(zip, "meta.xml"), markdown + writer.comments.footnotes, {
    images,
    notices: [
      ...hiddenNotices(writer.hidden),
      ...writer.notices,
      ...writer.cutNotices(),
      ...margins,
    ],
  });
}

/** The first picture that is kept: programs write one beside a drawing for those that cannot show it. */
function pictureOf(zip: ZipReader, images: ImageCollector, places: readonly string[]): string {
  const found = places.map((place) => zip.read(place.replace(/^\.\//u, "")));
  for (const bytes of found) {
    const address = images.tryAdd(bytes);
    if (address !== null) return address;
  }
  return images.add(found[0] ?? null) ?? "";
}

/** The texts above and below each page. */
function marginTexts(styles: XmlElement): string[] {
  return descendants(styles, "style:master-page")
    .flatMap(childElements)
    .filter(({ name, attributes }) => MARGIN.test(name) && attributes["style:display"] !== "false")
    .map((margin) => descendants(margin, "text:p").map(textOf).join(" "));
}

const MARGIN = /^style:(?:header|footer)(?:-left|-first)?$/u;

interface OdfHtmlOptions {
  /** The content, and the styles beside it: where list styles are. */
  readonly sources: readonly XmlElement[];
  /** The address of a picture that is in the archive in these forms; empty when none of them is kept. */
  readonly image: (places: readonly string[]) => string;
  /** The content of a document inside this one: a formula, a chart. */
  readonly object: (place: string) => XmlElement;
  readonly placeholders: Placeholders;
}

/** Cells and rows have a repeat count; spreadsheets repeat a million empty ones. */
const MOST_REPEATED = 200;
const WIDEST_TABLE = 500;
const SKIPPED = new Set([
  "text:tracked-changes",
  "text:sequence-decls",
  "text:variable-decls",
  "text:table-of-content-source",
  "text:soft-page-break",
  "office:forms",
  "table:calculation-settings",
  "presentation:settings",
  "office:annotation-end",
  "svg:desc",
  "svg:title",
]);

/** Fields that are only shown under a condition. */
const HIDDEN_TEXT = new Set(["text:hidden-text", "text:hidden-paragraph"]);

/** Writes the body of an OpenDocument file as HTML: headings, lists, tables, links, notes and pictures. */
class OdfHtml {
  readonly #options: OdfHtmlOptions;
  /** List styles whose levels are numbered, as `name level`. */
  readonly #numbered = new Set<string>();
  readonly comments: CommentNotes;
  readonly notices: string[] = [];
  hidden = 0;
  /** Styles by their name: what they are based on, and whether their text is hidden. */
  readonly #styles = new Map<string, { parent: string; isHidden: boolean }>();
  #page = 0;
  /** Rows with cells that did not fit. */
  #cutRows = 0;
  #isSpreadsheet = false;

  constructor(options: OdfHtmlOptions) {
    this.#options = options;
    this.comments = new CommentNotes(options.placeholders);
    for (const source of options.sources) {
      for (const style of descendants(source, "style:style")) {
        const { "style:name": name = "", "style:parent-style-name": parent = "" } =
          style.attributes;
        const isHidden =
          firstOf(style, "style:text-properties")?.attributes["text:display"] === "none";
        this.#styles.set(name, { parent, isHidden });
      }
      for (const style of descendants(source, "text:list-style")) {
        for (const level of descendants(style, "text:list-level-style-number")) {
          const { "text:level": number = "1", "style:num-format": format = "" } = level.attributes;
          if (format !== "") this.#numbered.add(`${style.attributes["style:name"]} ${number}`);
        }
      }
    }
  }

  of(element: XmlElement): string {
    this.#isSpreadsheet = firstOf(element, "office:spreadsheet") !== undefined;
    return this.#all(element.children, 0, "");
  }

  #all(nodes: readonly XmlNode[], level: number, list: string): string {
    return nodes.map((node) => this.#node(node, level, list)).join("");
  }

  /**
   * @param level how many lists it is in
   * @param list the style of the list it is in: lists inside it have none of their own
   */
  #node(node: XmlNode, level: number, list: string): string {
    if (!isElement(node)) return escapeHtml(node);
    const { name, attributes, children } = node;
    if (SKIPPED.has(name)) return "";
    const inner = (): string => this.#all(children, level, list);
    const style = attributes["text:style-name"] ?? "";
    if (HIDDEN_TEXT.has(name) || this.#styles.get(style)?.isHidden === true) {
      this.hidden += countWords(textOf(node));
      return "";
    }
    switch (name) {
      case "text:h": {
        const depth = Math.min(6, Math.max(1, Number(attributes["text:outline-level"]) || 1));
        return `<h${depth}>${inner()}</h${depth}>`;
      }
      case "text:p": {
        const isTitle = style === "Title" || this.#styles.get(style)?.parent === "Title";
        return isTitle ? `<h1>${inner()}</h1>` : `<p>${inner()}</p>`;
      }
      case "text:list": {
        const own = style === "" ? list : style;
        const tag = this.#numbered.has(`${own} ${level + 1}`) ? "ol" : "ul";
        return `<${tag}>${this.#all(children, level + 1, own)}</${tag}>`;
      }
      case "office:annotation":
        return this.#comment(node);
      case "draw:frame":
        return this.#frame(node) ?? this.#picture(node, level, list);
      case "text:list-item":
      case "text:list-header":
        return `<li>${inner()}</li>`;
      case "text:a":
        return `<a href="${escapeHtml(attributes["xlink:href"] ?? "")}">${inner()}</a>`;
      case "text:s":
        return " ".repeat(Math.min(MOST_REPEATED, Number(attributes["text:c"]) || 1));
      case "text:tab":
        return " ";
      case "text:line-break":
        return "<br>";
      case "text:note":
        return this.#note(node, level, list);
      case "table:table":
        return this.#table(node);
      case "draw:image":
        return `<img src="${this.#options.image([attributes["xlink:href"] ?? ""])}" alt="">`;
      case "draw:page":
        return this.#slide(node);
      default:
        return inner();
    }
  }

  #comment(annotation: XmlElement): string {
    const part = (of: string): string => textOf(firstOf(annotation, of) ?? "");
    const text = descendants(annotation, "text:p").map(textOf).join(" ");
    return this.comments.add(commentText(part("dc:creator"), part("dc:date"), text));
  }

  /** A formula or a chart; null when the frame holds something else. */
  #frame(frame: XmlElement): string | null {
    const place = firstOf(frame, "draw:object")?.attributes["xlink:href"];
    if (place === undefined) {
      if (firstOf(frame, "draw:object-ole") !== undefined) this.#unreadObject();
      return null;
    }
    const object = this.#options.object(place);
    const math = firstOf(object, "math") ?? firstOf(object, "math:math");
    if (math !== undefined) return this.#options.placeholders.formula(mathmlToLatex(math), false);
    const chart = firstOf(object, "office:chart");
    if (chart === undefined) {
      this.#unreadObject();
      return null;
    }
    const title = textOf(firstOf(chart, "chart:title") ?? "").trim();
    const heading = `<p><strong>Chart${title === "" ? "" : `: ${escapeHtml(title)}`}</strong></p>`;
    return (
      heading +
      descendants(chart, "table:table")
        .map((table) => this.#table(table))
        .join("")
    );
  }

  /** A frame with what it holds; a picture in several forms is shown once. */
  #picture(frame: XmlElement, level: number, list: string): string {
    const pictures = childElements(frame).filter(({ name }) => name === "draw:image");
    const rest = frame.children.filter((child) => !pictures.some((each) => each === child));
    const inner = this.#all(rest, level, list);
    if (pictures.length === 0) return inner;
    const alt = ["svg:desc", "svg:title"]
      .map((name) => textOf(childElements(frame).find((child) => child.name === name) ?? "").trim())
      .find((text) => text !== "");
    const places = pictures.map(({ attributes }) => attributes["xlink:href"] ?? "");
    const address = this.#options.image(places);
    return `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt ?? "")}">${inner}`;
  }

  /** Its picture, where it has one, is kept. */
  #unreadObject(): void {
    this.notices.push("An embedded object in the document could not be read, and was left out.");
  }

  /** On cells and rows that were left out. */
  cutNotices(): string[] {
    return this.#cutRows === 0
      ? []
      : [
          `Some cells were left out, in ${this.#cutRows === 1 ? "1 row" : `${this.#cutRows} rows`}: rows of ${WIDEST_TABLE} cells and ${MOST_REPEATED} repetitions are taken in.`,
        ];
  }

  #note(note: XmlElement, level: number, list: string): string {
    const body = firstOf(note, "text:note-body");
    const text = body === undefined ? "" : this.#all(body.children, level, list);
    return ` (${text.replaceAll(/<\/?p>/gu, " ").trim()})`;
  }

  #slide(page: XmlElement): string {
    this.#page += 1;
    const title = childElements(page).find(
      ({ attributes }) => attributes["presentation:class"] === "title",
    );
    const rest = page.children.filter((child) => child !== title);
    const heading = title === undefined ? "" : textOf(title).trim();
    const notes = firstOf(page, "presentation:notes");
    const said = notes === undefined ? "" : this.#all(notes.children, 0, "");
    const shown = rest.filter((child) => child !== notes);
    return [
      markerHtml("slide", this.#page),
      heading === "" ? "" : `<h2>${escapeHtml(heading)}</h2>`,
      this.#all(shown, 0, ""),
      said.replaceAll(/<[^>]*>/gu, "").trim() === "" ? "" : `<blockquote>${said}</blockquote>`,
    ].join("");
  }

  #table(table: XmlElement): string {
    const heading = firstOf(table, "table:table-header-rows");
    const headings = new Set(heading === undefined ? [] : descendants(heading, "table:table-row"));
    const rows = descendants(table, "table:table-row").flatMap((row) => {
      const cells = this.#cells(row, headings.has(row) ? "th" : "td");
      const isEmpty = cells.every(isEmptyCell);
      if (!isEmpty && timesOf(row, "table:number-rows-repeated") > MOST_REPEATED)
        this.#cutRows += 1;
      return isEmpty
        ? []
        : repeated(`<tr>${cells.join("")}</tr>`, row, "table:number-rows-repeated");
    });
    const name = table.attributes["table:name"] ?? "";
    // In a spreadsheet every table is a sheet; a name that was not generated becomes its heading.
    const isSheet = rows.length > 0 && !/^(?:Table|Tableau|Tabelle)?\d*$/u.test(name);
    const sheetTitle = isSheet && this.#isSpreadsheet ? `<h2>${escapeHtml(name)}</h2>` : "";
    const start = this.#isSpreadsheet ? SHEET_TABLE : OFFICE_TABLE;
    return rows.length === 0 ? "" : `${sheetTitle}${start}${rows.join("")}</table>`;
  }

  #cells(row: XmlElement, tag: "th" | "td"): string[] {
    let reached = 0;
    let cutAt = Infinity;
    const cells = childElements(row).flatMap((cell) => {
      if (cell.name !== "table:table-cell") return [];
      const span = cell.attributes["table:number-columns-spanned"];
      const wide = span === undefined ? "" : ` colspan="${escapeHtml(span)}"`;
      const html = `<${tag}${wide}>${this.#all(cell.children, 0, "").trim()}</${tag}>`;
      const shown = repeated(html, cell, "table:number-columns-repeated");
      reached += shown.length;
      const isCut = timesOf(cell, "table:number-columns-repeated") > shown.length;
      // Empty cells at the end of a row are repeated to the end of the sheet: that is nothing.
      if (isCut) cutAt = Math.min(cutAt, isEmptyCell(html) ? reached : reached - 1);
      return shown;
    });
    while (isEmptyCell(cells.at(-1) ?? "x")) cells.pop();
    if (cells.length > Math.min(cutAt, WIDEST_TABLE)) this.#cutRows += 1;
    return cells.slice(0, WIDEST_TABLE);
  }
}

function isEmptyCell(html: string): boolean {
  return /^<t[dh]><\/t[dh]>$/u.test(html);
}

function repeated(html: string, element: XmlElement, attribute: string): string[] {
  const length = Math.min(MOST_REPEATED, timesOf(element, attribute));
  return Array.from({ length }, () => html);
}

function timesOf(element: XmlElement, attribute: string): number {
  return Math.max(1, Number(element.attributes[attribute] ?? 1) || 1);
}
