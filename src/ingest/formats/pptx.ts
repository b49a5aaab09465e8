import { converted, ImageCollector, type Converted, type Step } from "../convert/converted.ts";
import { escapeHtml, fragmentMarkdown, markerHtml, OFFICE_TABLE } from "../convert/html.ts";
import { Placeholders } from "../convert/placeholders.ts";
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
import {
  CommentNotes,
  commentText,
  CORE_PROPERTIES,
  essentialXml,
  marginNotices,
  relationsOf,
  titleIn,
  xmlIn,
  type Relation,
} from "./office.ts";
import { ommlToLatex } from "./omml.ts";

const PRESENTATION = "ppt/presentation.xml";

/** A PowerPoint presentation: each slide with its title, text, tables, pictures and what is to be said with it. */
export function convertPptx({ name, bytes, limits }: ConversionJob, step: Step): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const ids = descendants(essentialXml(zip, PRESENTATION), "p:sldId");
  const relations = relationsOf(zip, PRESENTATION);
  const images = new ImageCollector();
  const placeholders = new Placeholders();
  const comments = new CommentNotes(placeholders);
  const authors = authorsOf(zip);
  const parts: string[] = [];
  const margins: string[] = [];
  const media = new Set<string>();
  const slides = ids.map(({ attributes }, at) => {
    step(at, ids.length);
    const part = relations.get(attributes["r:id"] ?? "")?.target ?? "";
    if (!zip.has(part)) return "";
    parts.push(part);
    const inSlide = relationsOf(zip, part);
    for (const { type, target } of inSlide.values()) if (isMedia(type)) media.add(target);
    const html = slideHtml(xmlIn(zip, part), {
      relations: inSlide,
      margin: (text) => void margins.push(text),
      image: (place) => images.add(zip.read(place)),
      formula: (math) => placeholders.formula(ommlToLatex(math), false),
      drawn: (frame) => drawnHtml(frame, zip, inSlide),
    });
    const said = commentsOn(zip, [...inSlide.values()], authors).map((text) => comments.add(text));
    const marks = said.length === 0 ? "" : `<p>${said.join(" ")}</p>`;
    return markerHtml("slide", at + 1) + html + marks + notesHtml(zip, [...inSlide.values()]);
  });
  const markdown = fragmentMarkdown(slides.join(""), images, placeholders) + comments.footnotes;
  const embedded = embeddedFiles(zip, parts);
  const notices = [
    ...embedded.notices,
    ...marginNotices(margins, "slides"),
    ...(media.size === 0
      ? []
      : [`Films and recordings in the presentation were left out: ${media.size}.`]),
  ];
  const title = titleIn(zip, CORE_PROPERTIES);
  return { ...converted(title, markdown, { images, notices }), inside: embedded.inside };
}

/** Of a relation: newer programs name each film twice, by a kind of their own too. */
function isMedia(type: string): boolean {
  return /^(?:video|audio|media)$/u.test(type);
}

/** The names of those who commented, by their ids. */
function authorsOf(zip: ZipReader): Map<string, string> {
  const old = descendants(xmlIn(zip, "ppt/commentAuthors.xml"), "p:cmAuthor");
  const recent = descendants(xmlIn(zip, "ppt/authors.xml"), "p188:author");
  return new Map(
    [...old, ...recent].map(({ attributes }) => [attributes["id"] ?? "", attributes["name"] ?? ""]),
  );
}

function commentsOn(
  zip: ZipReader,
  relations: readonly Relation[],
  authors: ReadonlyMap<string, string>,
): string[] {
  const parts = relations.filter(({ type }) => type === "comments");
  return parts.flatMap(({ target }) => {
    const root = xmlIn(zip, target);
    const said = ["p:cm", "p188:cm"].flatMap((name) => descendants(root, name));
    // Each with its answers, which have authors of their own.
    const all = said.flatMap((comment) => [comment, ...descendants(comment, "p188:reply")]);
    return all.map((comment) => {
      const { authorId = "", dt = "", created = dt } = comment.attributes;
      const own = childElements(comment).filter(({ name }) =>
        /^p(?:188)?:(?:text|txBody)$/u.test(name),
      );
      const text = own.flatMap((part) =>
        part.name === "p:text" ? [part] : descendants(part, "a:t"),
      );
      return commentText(authors.get(authorId) ?? "", created, text.map(textOf).join(" "));
    });
  });
}

function notesHtml(zip: ZipReader, relations: readonly Relation[]): string {
  const part = relations.find(({ type }) => type === "notesSlide")?.target ?? "";
  const shapes = descendants(xmlIn(zip, part), "p:sp");
  const body = shapes.find((shape) => firstOf(shape, "p:ph")?.attributes["type"] === "body");
  if (body === undefined) return "";
  const html = slideHtml(body, NOTHING_BESIDE);
  return html === "" ? "" : `<blockquote>${html}</blockquote>`;
}

interface SlideParts {
  readonly relations: ReadonlyMap<string, Relation>;
  /** The address of a picture in the archive; null when it is not kept. */
  readonly image: (place: string) => string | null;
  readonly formula: (math: XmlElement) => string;
  /** Is told the text of a footer, header or date. */
  readonly margin: (text: string) => void;
  /** A chart or diagram; null when there is none in the frame. */
  readonly drawn: (frame: XmlElement) => string | null;
}

/** For text without pictures, formulas and charts. */
const NOTHING_BESIDE: SlideParts = {
  relations: new Map(),
  image: () => null,
  formula: () => "",
  margin: () => {},
  drawn: () => null,
};

/** The page number, date and footer that a slide shows are not its content. */
const FURNITURE = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** How the elements of a slide are shown. */
const SHOWN = new Map<string, (element: XmlElement, parts: SlideParts) => string>([
  ["p:sp", shapeHtml],
  ["a:tbl", tableHtml],
  ["p:pic", pictureHtml],
  ["p:graphicFrame", (frame, parts) => parts.drawn(frame) ?? slideHtml(frame, parts)],
  ["mc:Fallback", () => ""],
  // The root is a single shape, as for speaker's notes.
  ["p:txBody", (body, parts) => textHtml(body, parts, false)],
]);

/** What a slide shows as HTML, shape by shape. */
function slideHtml(slide: XmlElement, parts: SlideParts): string {
  const shown = childElements(slide).map((element) =>
    (SHOWN.get(element.name) ?? slideHtml)(element, parts),
  );
  return shown.join("");
}

function shapeHtml(shape: XmlElement, parts: SlideParts): string {
  const holder = firstOf(shape, "p:ph")?.attributes;
  const type = holder?.["type"] ?? "";
  const body = firstOf(shape, "p:txBody");
  if (FURNITURE.has(type)) {
    parts.margin(descendants(shape, "a:t").map(textOf).join(""));
    return "";
  }
  if (body === undefined) return "";
  if (type === "title" || type === "ctrTitle") {
    const lines = descendants(body, "a:p").map((line) => runsHtml(line, parts));
    const title = lines
      .join(" ")
      .replaceAll(/<br>|\s+/gu, " ")
      .trim();
    return title === "" ? "" : `<h2>${title}</h2>`;
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

function runsHtml(paragraph: XmlElement, parts: SlideParts): string {
  return childElements(paragraph)
    .map((run) => {
      if (run.name === "a:br") return "<br>";
      if (run.name === "mc:AlternateContent" || run.name === "a14:m")
        return descendants(run, "m:oMath")
          .map((math) => parts.formula(math))
          .join(" ");
      if (run.name !== "a:r" && run.name !== "a:fld") return "";
      // A line break inside a run.
      const text = escapeHtml(descendants(run, "a:t").map(textOf).join("")).replaceAll(
        /\v|_x000B_/gu,
        "<br>",
      );
      const link = firstOf(run, "a:hlinkClick")?.attributes["r:id"] ?? "";
      const relation = parts.relations.get(link);
      return relation?.isOutside === true
        ? `<a href="${escapeHtml(relation.target)}">${text}</a>`
        : text;
    })
    .join("");
}

function tableHtml(table: XmlElement, parts: SlideParts): string {
  const hasHeading = firstOf(table, "a:tblPr")?.attributes["firstRow"] === "1";
  const rows = descendants(table, "a:tr").map((row, at) => {
    const tag = hasHeading && at === 0 ? "th" : "td";
    const cells = descendants(row, "a:tc").filter(({ attributes }) => attributes["hMerge"] !== "1");
    const htmls = cells.map((cell) => {
      const span = cell.attributes["gridSpan"];
      const wide = span === undefined ? "" : ` colspan="${escapeHtml(span)}"`;
      const body = firstOf(cell, "a:txBody");
      return `<${tag}${wide}>${body === undefined ? "" : textHtml(body, parts, false)}</${tag}>`;
    });
    return `<tr>${htmls.join("")}</tr>`;
  });
  return `${OFFICE_TABLE}${rows.join("")}</table>`;
}

function pictureHtml(picture: XmlElement, { relations, image }: SlideParts): string {
  const id = firstOf(picture, "a:blip")?.attributes["r:embed"] ?? "";
  const place = relations.get(id)?.target;
  const address = image(place ?? "");
  const alt = firstOf(picture, "p:cNvPr")?.attributes["descr"] ?? "";
  return `<p><img src="${address ?? ""}" alt="${escapeHtml(alt)}"></p>`;
}
