import mammoth from "mammoth";

import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { countWords, hiddenNotices, wordsText } from "../convert/hidden-text.ts";
import { fragmentMarkdown, OFFICE_TABLE } from "../convert/html.ts";
import { descendants, textOf } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import { prepareDocxBody } from "./docx-body.ts";
import { embeddedFiles } from "./drawing.ts";
import type { ConversionJob } from "./formats.ts";
import { CORE_PROPERTIES, relationsOf, titleIn, xmlIn } from "./office.ts";

/** A Word document. */
export async function convertDocx({ name, bytes, limits }: ConversionJob): Promise<Converted> {
  const zip = new ZipReader(bytes, name, limits);
  const main =
    [...relationsOf(zip, "").values()].find(({ type }) => type === "officeDocument")?.target ??
    "word/document.xml";
  const body = prepareDocxBody(zip, main);
  const images = new ImageCollector();
  const { value } = await mammoth.convertToHtml(archiveFor(zip, body?.parts ?? new Map()), {
    convertImage: mammoth.images.imgElement(async (image) => ({
      src: images.add(await image.readAsBuffer()) ?? "",
    })),
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p > em:fresh"],
    externalFileAccess: false,
  });
  const html = (body?.withBlocks(value) ?? value).replaceAll("<table>", OFFICE_TABLE);
  const markdown = fragmentMarkdown(html, images, body?.placeholders);
  const { inside, notices } = embeddedFiles(zip, [main]);
  return {
    ...converted(titleIn(zip, CORE_PROPERTIES), markdown + (body?.comments ?? ""), {
      images: images.images,
      notices: [...hiddenNotices(body?.hidden ?? 0), ...marginNotices(zip, main), ...notices],
    }),
    inside,
  };
}

/** What stands above and below each page is no part of the text; that it was there is said. */
function marginNotices(zip: ZipReader, main: string): string[] {
  const parts = [...relationsOf(zip, main).values()].filter(({ type }) =>
    /^(?:header|footer)$/u.test(type),
  );
  const texts = parts.map(({ target }) =>
    descendants(xmlIn(zip, target), "w:t").map(textOf).join(""),
  );
  // The same text often stands in a header for the first, even and odd pages each; page numbers alone are no text.
  const words = [...new Set(texts)].filter((text) => /\p{L}/u.test(text)).join(" ");
  return words === ""
    ? []
    : [`Headers and footers of the pages were left out (${wordsText(countWords(words))}).`];
}

/**
 * The archive as mammoth reads it: through our reader, which counts what it unpacks, and with some parts replaced. The empty buffer is
 * only there for its types.
 */
function archiveFor(zip: ZipReader, replaced: ReadonlyMap<string, string>) {
  const read = async (name: string, encoding?: string): Promise<string | Uint8Array> => {
    const bytes = Buffer.from(replaced.get(name) ?? zip.read(name) ?? "");
    if (encoding === "base64") return bytes.toString("base64");
    return encoding === undefined ? bytes : new TextDecoder(encoding).decode(bytes);
  };
  const file = { exists: (name: string): boolean => zip.has(name), read };
  return { arrayBuffer: new ArrayBuffer(0), file };
}
