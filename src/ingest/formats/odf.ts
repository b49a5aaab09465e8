import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { fragmentMarkdown } from "../convert/html.ts";
import { firstOf, parseXml } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { ConversionJob } from "./formats.ts";
import { OdfHtml } from "./odf-html.ts";
import { missingPart, titleIn } from "./office.ts";

/** A text, presentation or spreadsheet in the OpenDocument form. */
export function convertOdf({ name, bytes, limits }: ConversionJob): Converted {
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
    image: (place) => images.add(zip.read(place.replace(/^\.\//u, ""))),
  });
  return converted(titleIn(zip, "meta.xml"), fragmentMarkdown(html.of(body), images), images);
}
