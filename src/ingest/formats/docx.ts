import mammoth from "mammoth";

import type { Converted } from "../convert/converted.ts";
import { ImageCollector } from "../convert/image-collector.ts";
import { fragmentMarkdown } from "../convert/html-to-markdown.ts";
import type { Limits } from "../limits.ts";
import { firstOf, parseXml, textOf } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";

/** A Word document. */
export async function convertDocx(
  name: string,
  bytes: Uint8Array,
  limits: Limits,
): Promise<Converted> {
  // Unpacked here first, and thrown away: mammoth would unpack a bomb without counting.
  const zip = new ZipReader(bytes, name, limits);
  for (const entry of zip.entries) if (!entry.isFolder) zip.read(entry.name);
  const images = new ImageCollector();
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) },
    {
      convertImage: mammoth.images.imgElement(async (image) => ({
        src: images.add(await image.readAsBuffer()) ?? "",
      })),
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p > em:fresh"],
      externalFileAccess: false,
    },
  );
  return {
    title: coreTitle(zip),
    markdown: fragmentMarkdown(value, images),
    images: images.images,
    inside: [],
    notices: [],
  };
}

/** The title in a document's properties, as all Office documents keep it. */
export function coreTitle(zip: ZipReader): string | null {
  const properties = zip.text("docProps/core.xml");
  if (properties === null) return null;
  const title = firstOf(parseXml(properties, "docProps/core.xml"), "dc:title");
  return title === undefined ? null : textOf(title).trim() || null;
}
