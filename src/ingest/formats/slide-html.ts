import { escapeHtml } from "../convert/html.ts";
import {
  childElements,
  descendants,
  firstOf,
  textOf,
  type XmlElement,
} from "../convert/xml-tree.ts";
import type { Relation } from "./office.ts";

export interface SlideParts {
  readonly relations: ReadonlyMap<string, Relation>;
  /** The address of a picture in the archive; null when it is not kept. */
  readonly image: (place: string) => string | null;
}

/** The page number, date and footer that a slide shows are not its content. */
const FURNITURE = new Set(["sldNum", "dt", "ftr", "sldImg"]);

/** What a slide shows as HTML, shape by shape. */
export function slideHtml(slide: XmlElement, parts: SlideParts): string {
  return childElements(slide)
    .map((element) => {
      switch (element.name) {
        case "p:sp":
          return shapeHtml(element, parts);
        case "a:tbl":
          return tableHtml(element, parts);
        case "p:pic":
          return pictureHtml(element, parts);
        case "mc:Fallback":
          return "";
        // The root is a single shape, as for speaker's notes.
        case "p:txBody":
          return textHtml(element, parts, false);
        default:
          return slideHtml(element, parts);
      }
    })
    .join("");
}

function shapeHtml(shape: XmlElement, parts: SlideParts): string {
  const holder = firstOf(shape, "p:ph")?.attributes;
  const type = holder?.["type"] ?? "";
  if (FURNITURE.has(type)) return "";
  const body = firstOf(shape, "p:txBody");
  if (body === undefined) return "";
  if (type === "title" || type === "ctrTitle") {
    const title = descendants(body, "a:p").map(textOf).join(" ").trim();
    return title === "" ? "" : `<h2>${escapeHtml(title)}</h2>`;
  }
  // Content placeholders have bullets by default, free text boxes do not.
  return textHtml(body, parts, holder !== undefined && type !== "subTitle");
}

/** A line of a list as slides have it: with its level, not inside another. */
interface ListLine {
  readonly level: number;
  readonly isOrdered: boolean;
  readonly html: string;
}

/** Lines with levels as HTML lists inside one another. */
function nestedList(lines: readonly ListLine[]): string {
  let html = "";
  const open: { level: number; tag: string }[] = [];
  const close = (): void => {
    html += `</li></${open.pop()?.tag}>`;
  };
  for (const { level, isOrdered, html: text } of lines) {
    const tag = isOrdered ? "ol" : "ul";
    while ((open.at(-1)?.level ?? -1) > level) close();
    const last = open.at(-1);
    if (last?.level === level && last.tag !== tag) close();
    if (open.at(-1)?.level === level) html += "</li><li>";
    else {
      html += `<${tag}><li>`;
      open.push({ level, tag });
    }
    html += text;
  }
  while (open.length > 0) close();
  return html;
}

/** Paragraphs, and lists of those that have a bullet, a number or a level. */
function textHtml(body: XmlElement, parts: SlideParts, hasBullets: boolean): string {
  let html = "";
  let lines: ListLine[] = [];
  const endList = (): void => {
    html += nestedList(lines);
    lines = [];
  };
  for (const paragraph of descendants(body, "a:p")) {
    const text = runsHtml(paragraph, parts);
    if (text.trim() === "") continue;
    const properties = childElements(paragraph).find(({ name }) => name === "a:pPr");
    const has = (name: string): boolean =>
      properties !== undefined && childElements(properties).some((child) => child.name === name);
    const level = Number(properties?.attributes["lvl"] ?? 0) || 0;
    const isOrdered = has("a:buAutoNum");
    const isItem = !has("a:buNone") && (isOrdered || has("a:buChar") || level > 0 || hasBullets);
    if (isItem) lines.push({ level: Math.min(8, level), isOrdered, html: text });
    else {
      endList();
      html += `<p>${text}</p>`;
    }
  }
  endList();
  return html;
}

function runsHtml(paragraph: XmlElement, { relations }: SlideParts): string {
  return childElements(paragraph)
    .map((run) => {
      if (run.name === "a:br") return "<br>";
      if (run.name !== "a:r" && run.name !== "a:fld") return "";
      const text = escapeHtml(descendants(run, "a:t").map(textOf).join(""));
      const link = firstOf(run, "a:hlinkClick")?.attributes["r:id"] ?? "";
      const relation = relations.get(link);
      return relation?.isOutside === true
        ? `<a href="${escapeHtml(relation.target)}">${text}</a>`
        : text;
    })
    .join("");
}

function tableHtml(table: XmlElement, parts: SlideParts): string {
  const rows = descendants(table, "a:tr").map((row) => {
    const cells = descendants(row, "a:tc").filter(({ attributes }) => attributes["hMerge"] !== "1");
    const htmls = cells.map((cell) => {
      const span = cell.attributes["gridSpan"];
      const wide = span === undefined ? "" : ` colspan="${escapeHtml(span)}"`;
      const body = firstOf(cell, "a:txBody");
      return `<td${wide}>${body === undefined ? "" : textHtml(body, parts, false)}</td>`;
    });
    return `<tr>${htmls.join("")}</tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

function pictureHtml(picture: XmlElement, { relations, image }: SlideParts): string {
  const id = firstOf(picture, "a:blip")?.attributes["r:embed"] ?? "";
  const place = relations.get(id)?.target;
  const address = place === undefined ? null : image(place);
  const alt = firstOf(picture, "p:cNvPr")?.attributes["descr"] ?? "";
  return address === null ? "" : `<p><img src="${address}" alt="${escapeHtml(alt)}"></p>`;
}
