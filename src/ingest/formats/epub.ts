import path from "node:path";

import {
  converted,
  decodeAddress,
  ImageCollector,
  type Converted,
  type Step,
} from "../convert/converted.ts";
import { documentMarkdown, parsePage } from "../convert/html.ts";
import { descendants, firstOf, parseXml, textOf } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { ConversionJob } from "./formats.ts";
import { missingPart } from "./office.ts";

const CONTAINER = "META-INF/container.xml";

/** A book: its chapters in the order of reading. */
export function convertEpub({ name, bytes, limits }: ConversionJob, step: Step): Converted {
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
      partAt(place, attributes["href"] ?? ""),
    ]),
  );
  const images = new ImageCollector();
  const order = descendants(book, "itemref");
  const chapters = order.map(({ attributes }, at) => {
    step(at, order.length);
    return chapter(zip, places.get(attributes["idref"] ?? "") ?? "", images);
  });
  const title = titleOf(textOf(firstOf(book, "dc:title") ?? ""));
  return converted(title, chapters.filter((markdown) => markdown !== "").join("\n\n"), images);
}

function chapter(zip: ZipReader, place: string, images: ImageCollector): string {
  const html = zip.text(place);
  if (html === null) return "";
  const page = parsePage(html);
  for (const image of page.querySelectorAll("img")) {
    const address = images.add(zip.read(partAt(place, image.getAttribute("src") ?? "")));
    if (address === null) image.remove();
    else image.setAttribute("src", address);
  }
  // Links between chapters lead nowhere once they are one text.
  for (const link of page.querySelectorAll("a[href]")) {
    if (!/^[a-z]+:/iu.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
  }
  return documentMarkdown(page, images);
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
