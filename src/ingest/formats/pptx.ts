import { converted, ImageCollector, type Converted, type Step } from "../convert/converted.ts";
import { fragmentMarkdown, markerHtml } from "../convert/html.ts";
import { descendants, firstOf, parseXml } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { ConversionJob } from "./formats.ts";
import { CORE_PROPERTIES, missingPart, relationsOf, titleIn, type Relation } from "./office.ts";
import { slideHtml } from "./slide-html.ts";

const PRESENTATION = "ppt/presentation.xml";

/** A PowerPoint presentation: each slide with its title, text, tables, pictures and what is to be said with it. */
export function convertPptx({ name, bytes, limits }: ConversionJob, step: Step): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const presentation = zip.text(PRESENTATION);
  if (presentation === null) throw missingPart(name, PRESENTATION);
  const relations = relationsOf(zip, PRESENTATION);
  const ids = descendants(parseXml(presentation, name), "p:sldId");
  const images = new ImageCollector();
  const slides = ids.map(({ attributes }, at) => {
    step(at, ids.length);
    const part = relations.get(attributes["r:id"] ?? "")?.target ?? "";
    const slide = zip.text(part);
    if (slide === null) return "";
    const inSlide = relationsOf(zip, part);
    const html = slideHtml(parseXml(slide, name), {
      relations: inSlide,
      image: (place) => images.add(zip.read(place)),
    });
    return markerHtml("slide", at + 1) + html + notesHtml(zip, [...inSlide.values()]);
  });
  return converted(
    titleIn(zip, CORE_PROPERTIES),
    fragmentMarkdown(slides.join(""), images),
    images,
  );
}

function notesHtml(zip: ZipReader, relations: readonly Relation[]): string {
  const part = relations.find(({ type }) => type === "notesSlide")?.target;
  const text = part === undefined ? null : zip.text(part);
  if (text === null) return "";
  const shapes = descendants(parseXml(text, "notes"), "p:sp");
  const body = shapes.find((shape) => firstOf(shape, "p:ph")?.attributes["type"] === "body");
  if (body === undefined) return "";
  const html = slideHtml(body, { relations: new Map(), image: () => null });
  return html === "" ? "" : `<blockquote>${html}</blockquote>`;
}
