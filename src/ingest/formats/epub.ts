import path from "node:path";

import type { Converted, Step } from "../convert/converted.ts";
import { parsePage } from "../convert/html-document.ts";
import { ImageCollector } from "../convert/image-collector.ts";
import { documentMarkdown } from "../convert/html-to-markdown.ts";
import type { Limits } from "../limits.ts";
import { descendants, firstOf, parseXml, textOf } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import { missingPart } from "./missing-part.ts";

const CONTAINER = "META-INF/container.xml";

/** A book: its chapters in the order of reading. */
export function convertEpub(
  name: string,
  bytes: Uint8Array,
  limits: Limits,
  step: Step,
): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const container = zip.text(CONTAINER);
  const file = container === null ? undefined : firstOf(parseXml(container, name), "rootfile");
  const place = file?.attributes["full-path"] ?? "";
  const text = zip.text(place);
  if (text === null) throw missingPart(name, CONTAINER);
  const book = parseXml(text, name);
  const places = new Map(
    descendants(book, "item").map(({ attributes }) => [
      attributes["id"] ?? "",
      path.posix.join(path.posix.dirname(place), decodeAddress(attributes["href"] ?? "")),
    ]),
  );
  const images = new ImageCollector();
  const order = descendants(book, "itemref");
  const chapters = order.map(({ attributes }, at) => {
    step(at, order.length);
    return chapter(zip, places.get(attributes["idref"] ?? "") ?? "", images);
  });
  return {
    title: titleOf(textOf(firstOf(book, "dc:title") ?? "")),
    markdown: chapters.filter((markdown) => markdown !== "").join("\n\n"),
    images: images.images,
    inside: [],
    notices: [],
  };
}

function chapter(zip: ZipReader, place: string, images: ImageCollector): string {
  const html = zip.text(place);
  if (html === null) return "";
  const page = parsePage(html);
  const folder = path.posix.dirname(place);
  for (const image of page.querySelectorAll("img")) {
    const source = decodeAddress(image.getAttribute("src") ?? "");
    const picture = zip.read(path.posix.join(folder, source));
    const address = picture === null ? null : images.add(picture);
    if (address === null) image.remove();
    else image.setAttribute("src", address);
  }
  // Links between chapters lead nowhere once they are one text.
  for (const link of page.querySelectorAll("a[href]")) {
    if (!/^[a-z]+:/iu.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
  }
  return documentMarkdown(page, images);
}

/** Programs that make books fill in a title when nobody gave one. */
function titleOf(text: string): string | null {
  const title = text.trim();
  return title === "" || /^(?:unknown title|untitled|sans titre)$/iu.test(title) ? null : title;
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address.replace(/#.*$/u, ""));
  } catch {
    return address;
  }
}
