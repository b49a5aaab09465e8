import type { Converted } from "../convert/converted.ts";
import { ImageCollector } from "../convert/image-collector.ts";
import { fragmentMarkdown } from "../convert/html-to-markdown.ts";
import type { Limits } from "../limits.ts";
import { firstOf, parseXml, textOf } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import { missingPart } from "./missing-part.ts";
import { OdfHtml } from "./odf-html.ts";

/** A text, presentation or spreadsheet in the OpenDocument form. */
export function convertOdf(name: string, bytes: Uint8Array, limits: Limits): Converted {
  const zip = new ZipReader(bytes, name, limits);
  const encryption = zip.text("META-INF/manifest.xml") ?? "";
  const content = encryption.includes("encryption-data") ? null : zip.text("content.xml");
  if (content === null) throw missingPart(name, "content.xml");
  const document = parseXml(content, name);
  const body = firstOf(document, "office:body");
  if (body === undefined) throw missingPart(name, "office:body");
  const images = new ImageCollector();
  const styles = zip.text("styles.xml");
  const html = new OdfHtml({
    sources: [document, ...(styles === null ? [] : [parseXml(styles, name)])],
    image: (place) => {
      const picture = zip.read(place.replace(/^\.\//u, ""));
      return picture === null ? null : images.add(picture);
    },
  });
  return {
    title: metaTitle(zip),
    markdown: fragmentMarkdown(html.of(body), images),
    images: images.images,
    inside: [],
    notices: [],
  };
}

function metaTitle(zip: ZipReader): string | null {
  const meta = zip.text("meta.xml");
  const title = meta === null ? undefined : firstOf(parseXml(meta, "meta.xml"), "dc:title");
  return title === undefined ? null : textOf(title).trim() || null;
}
