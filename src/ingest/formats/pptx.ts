import type { Converted, Step } from "../convert/converted.ts";
import { ImageCollector } from "../convert/image-collector.ts";
import { fragmentMarkdown, markerHtml } from "../convert/html-to-markdown.ts";
import type { Limits } from "../limits.ts";
import { descendants, firstOf, parseXml } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import { coreTitle } from "./docx.ts";
import { missingPart } from "./missing-part.ts";
import { relationsOf } from "./relations.ts";
import { slideHtml } from "./slide-html.ts";

const PRESENTATION = "ppt/presentation.xml";

/** A PowerPoint presentation: each slide with its title, text, tables, pictures and what is to be said with it. */
export function convertPptx(
  name: string,
  bytes: Uint8Array,
  limits: Limits,
  step: Step,
): Converted {
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
      image: (place) => {
        const picture = zip.read(place);
        return picture === null ? null : images.add(picture);
      },
    });
    return markerHtml("slide", at + 1) + html + notesHtml(zip, [...inSlide.values()]);
  });
  return {
    title: coreTitle(zip),
    markdown: fragmentMarkdown(slides.join(""), images),
    images: images.images,
    inside: [],
    notices: [],
  };
}

function notesHtml(zip: ZipReader, relations: readonly { type: string; target: string }[]): string {
  const part = relations.find(({ type }) => type === "notesSlide")?.target;
  const text = part === undefined ? null : zip.text(part);
  if (text === null) return "";
  const shapes = descendants(parseXml(text, "notes"), "p:sp");
  const body = shapes.find((shape) => firstOf(shape, "p:ph")?.attributes["type"] === "body");
  if (body === undefined) return "";
  const html = slideHtml(body, { relations: new Map(), image: () => null });
  return html === "" ? "" : `<blockquote>${html}</blockquote>`;
}
