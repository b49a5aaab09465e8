import { escapeHtml, markerHtml } from "../convert/html.ts";
import {
  childElements,
  descendants,
  firstOf,
  isElement,
  textOf,
  type XmlElement,
  type XmlNode,
} from "../convert/xml-tree.ts";

export interface OdfHtmlOptions {
  /** The content, and the styles beside it: where list styles are. */
  readonly sources: readonly XmlElement[];
  /** The address of a picture in the archive; null when it is not kept. */
  readonly image: (place: string) => string | null;
}

/** Cells and rows have a repeat count; spreadsheets repeat a million empty ones. */
const MOST_REPEATED = 200;
const WIDEST_TABLE = 500;
const SKIPPED = new Set([
  "text:tracked-changes",
  "text:sequence-decls",
  "text:variable-decls",
  "text:table-of-content-source",
  "office:forms",
  "table:calculation-settings",
  "presentation:settings",
  "office:annotation",
  "svg:desc",
  "svg:title",
]);

/** Writes the body of an OpenDocument file as HTML: headings, lists, tables, links, notes and pictures. */
export class OdfHtml {
  readonly #options: OdfHtmlOptions;
  /** List styles whose levels are numbered, as `name level`. */
  readonly #numbered = new Set<string>();
  #page = 0;

  constructor(options: OdfHtmlOptions) {
    this.#options = options;
    for (const source of options.sources) {
      for (const style of descendants(source, "text:list-style")) {
        for (const level of descendants(style, "text:list-level-style-number")) {
          const { "text:level": number = "1", "style:num-format": format = "" } = level.attributes;
          if (format !== "") this.#numbered.add(`${style.attributes["style:name"]} ${number}`);
        }
      }
    }
  }

  of(element: XmlElement): string {
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
    switch (name) {
      case "text:h": {
        const depth = Math.min(6, Math.max(1, Number(attributes["text:outline-level"]) || 1));
        return `<h${depth}>${inner()}</h${depth}>`;
      }
      case "text:p": {
        const style = attributes["text:style-name"] ?? "";
        return style === "Title" ? `<h1>${inner()}</h1>` : `<p>${inner()}</p>`;
      }
      case "text:list": {
        const style = attributes["text:style-name"] ?? list;
        const tag = this.#numbered.has(`${style} ${level + 1}`) ? "ol" : "ul";
        return `<${tag}>${this.#all(children, level + 1, style)}</${tag}>`;
      }
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
      case "text:soft-page-break":
        return "";
      case "text:note":
        return this.#note(node, level, list);
      case "table:table":
        return this.#table(node);
      case "draw:image": {
        const address = this.#options.image(attributes["xlink:href"] ?? "");
        return address === null ? "" : `<img src="${address}" alt="">`;
      }
      case "draw:page":
        return this.#slide(node);
      default:
        return inner();
    }
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
    const rows = descendants(table, "table:table-row").flatMap((row) => {
      const cells = this.#cells(row);
      const isEmpty = cells.every((cell) => cell === "<td></td>");
      return isEmpty
        ? []
        : repeated(`<tr>${cells.join("")}</tr>`, row, "table:number-rows-repeated");
    });
    const name = table.attributes["table:name"] ?? "";
    // In a spreadsheet every table is a sheet; a name that was not generated becomes its heading.
    const isSheet = rows.length > 0 && !/^(?:Table|Tableau|Tabelle)?\d*$/u.test(name);
    const heading = isSheet && this.#isSpreadsheet ? `<h2>${escapeHtml(name)}</h2>` : "";
    return rows.length === 0 ? "" : `${heading}<table>${rows.join("")}</table>`;
  }

  get #isSpreadsheet(): boolean {
    const [content] = this.#options.sources;
    return content !== undefined && firstOf(content, "office:spreadsheet") !== undefined;
  }

  #cells(row: XmlElement): string[] {
    const cells = childElements(row).flatMap((cell) => {
      if (cell.name === "table:covered-table-cell") return [];
      if (cell.name !== "table:table-cell") return [];
      const span = cell.attributes["table:number-columns-spanned"];
      const wide = span === undefined ? "" : ` colspan="${escapeHtml(span)}"`;
      const html = `<td${wide}>${this.#all(cell.children, 0, "").trim()}</td>`;
      return repeated(html, cell, "table:number-columns-repeated");
    });
    while (cells.at(-1) === "<td></td>") cells.pop();
    return cells.slice(0, WIDEST_TABLE);
  }
}

function repeated(html: string, element: XmlElement, attribute: string): string[] {
  const times = Number(element.attributes[attribute] ?? 1) || 1;
  return Array.from({ length: Math.min(MOST_REPEATED, Math.max(1, times)) }, () => html);
}
