import path from "node:path";

import {
  converted,
  decodeAddress,
  ImageCollector,
  type Converted,
  type Step,
} from "../convert/converted.ts";
import { hiddenNotices, removeHiddenText } from "../convert/hidden-text.ts";
import { documentMarkdown, drawingNotices, drawnWords, parsePage } from "../convert/html.ts";
import type { HtmlDocument } from "../convert/html-types.ts";
import { descendants, firstOf, textOf } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { ConversionJob } from "./formats.ts";
import { missingPart, xmlIn } from "./office.ts";

const CONTAINER = "META-INF/container.xml";

/** A book: its chapters in the order of reading. */
export function convertEpub({ name, bytes, limits }: ConversionJob, step: Step): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const place = firstOf(xmlIn(zip, CONTAINER), "rootfile")?.attributes["full-path"] ?? "";
  if (!zip.has(place)) throw missingPart(zip, CONTAINER);
  const book = xmlIn(zip, place);
  const places = new Map(
    descendants(book, "item").map(({ attributes }) => [
      attributes["id"] ?? "",
      partAt(place, attributes["href"] ?? ""),
    ]),
  );
  const images = new ImageCollector();
  const order = descendants(book, "itemref");
  let hidden = 0;
  let drawn = 0;
  const chapters = order.map(({ attributes }, at) => {
    step(at, order.length);
    const found = chapter(zip, places.get(attributes["idref"] ?? "") ?? "", images);
    hidden += found.hidden;
    drawn += found.drawn;
    return found.markdown;
  });
  const title = titleOf(textOf(firstOf(book, "dc:title") ?? ""));
  return converted(title, chapters.filter((markdown) => markdown !== "").join("\n\n"), {
    images,
    notices: [...hiddenNotices(hidden), ...drawingNotices(drawn)],
  });
}

function chapter(
  zip: ZipReader,
  place: string,
  images: ImageCollector,
): { markdown: string; hidden: number; drawn: number } {
  const html = zip.text(place);
  if (html === null) return { markdown: "", hidden: 0, drawn: 0 };
  const page = parsePage(html);
  const hidden = removeHiddenText(page);
  showDrawnPictures(page);
  for (const image of page.querySelectorAll("img")) {
    const address = images.add(zip.read(partAt(place, image.getAttribute("src") ?? "")));
    image.setAttribute("src", address ?? "");
  }
  // Links between chapters lead nowhere once they are one text.
  for (const link of page.querySelectorAll("a[href]")) {
    if (!/^[a-z]+:/iu.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
  }
  const drawn = drawnWords(page);
  return { markdown: documentMarkdown(page, images), hidden, drawn };
}

/** Covers are often a picture inside a drawing that is as large as the page. */
function showDrawnPictures(page: HtmlDocument): void {
  for (const drawing of page.querySelectorAll("svg")) {
    const picture = drawing.querySelector("image");
    const address = picture?.getAttribute("xlink:href") ?? picture?.getAttribute("href") ?? "";
    if (address === "") continue;
    const image = page.createElement("img");
    image.setAttribute("src", address);
    drawing.replaceWith(image);
  }
}

/** Without the placeholder titles of authoring programs. */
function titleOf(text: string): string | null {
  const title = text.trim();
  return title === "" || /^(?:unknown title|untitled|sans titre)$/iu.test(title) ? null : title;
}

/** The part that an address in another part leads to. */
function partAt(from: string, address: string): string {
  return path.posix.join(path.posix.dirname(from), decodeAddress(address.replace(/#.*$/u, "")));
}
