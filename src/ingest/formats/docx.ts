import mammoth from "mammoth";

import { asBuffer, converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { fragmentMarkdown } from "../convert/html.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import type { ConversionJob } from "./formats.ts";
import { CORE_PROPERTIES, titleIn } from "./office.ts";

/** A Word document. */
export async function convertDocx({ name, bytes, limits }: ConversionJob): Promise<Converted> {
  // Unpacked here first, and thrown away: mammoth would unpack a bomb without counting.
  const zip = new ZipReader(bytes, name, limits);
  for (const entry of zip.entries) if (!entry.isFolder) zip.read(entry.name);
  const images = new ImageCollector();
  const { value } = await mammoth.convertToHtml(
    { buffer: asBuffer(bytes) },
    {
      convertImage: mammoth.images.imgElement(async (image) => ({
        src: images.add(await image.readAsBuffer()) ?? "",
      })),
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p > em:fresh"],
      externalFileAccess: false,
    },
  );
  return converted(titleIn(zip, CORE_PROPERTIES), fragmentMarkdown(value, images), images);
}
