import mammoth from "mammoth";

import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { hiddenNotices, wordsText } from "../convert/hidden-text.ts";
import { fragmentMarkdown, OFFICE_TABLE } from "../convert/html.ts";
import { descendants, textOf } from "../convert/xml-tree.ts";
import { ZipReader } from "../convert/zip-reader.ts";
import { chunksOf } from "./docx/chunks.ts";
import { prepareDocxBody, type DocxBody } from "./docx/docx-body.ts";
import { embeddedFiles } from "./drawing.ts";
import type { ConversionJob } from "./formats.ts";
import { CORE_PROPERTIES, marginNotices, relationsOf, titleIn, xmlIn } from "./office.ts";

/** A Word document. */
export async function convertDocx({ name, bytes, limits }: ConversionJob): Promise<Converted> {
  const zip = new ZipReader(bytes, name, limits);
  const main =
    [...relationsOf(zip, "").values()].find(({ type }) => type === "officeDocument")?.target ??
    "word/document.xml";
  const chunks = await chunksOf(zip, main);
  const body = prepareDocxBody(zip, main, chunks);
  const images = new ImageCollector();
  const { value, messages } = await mammoth.convertToHtml(archiveFor(zip, body.parts), {
    convertImage: mammoth.images.imgElement(async (image) => ({
      src: images.add(await image.readAsBuffer()) ?? "",
    })),
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p > em:fresh"],
    externalFileAccess: false,
  });
  // A picture that mammoth could not read: one that lies outside the file.
  for (const { type } of messages) if (type === "error") images.add(null);
  const html = body.withBlocks(value).replaceAll("<table>", OFFICE_TABLE);
  const markdown = fragmentMarkdown(html, images, body.placeholders);
  const { inside, notices } = embeddedFiles(zip, [main]);
  return {
    ...converted(titleIn(zip, CORE_PROPERTIES), markdown + body.comments, {
      images,
      notices: [
        ...hiddenNotices(body.hidden),
        ...unreadNotices(body, messages),
        ...marginNotices(marginTexts(zip, main)),
        ...notices,
      ],
    }),
    inside: [...inside, ...chunks.inside],
  };
}

/** What mammoth says of elements that it does not know; of formats that it has no prefix for, it gives the whole address. */
const UNREAD = /^An unrecognised element was ignored: (?:\{[^}]*\}|(?=[\w-]+:))(.+)$/u;

function unreadNotices(
  body: DocxBody,
  messages: readonly { readonly message: string }[],
): string[] {
  const names = new Set(messages.flatMap(({ message }) => UNREAD.exec(message)?.[1] ?? []));
  // Properties and the like hold no words: they are not missed.
  const lost = [...names].map((name) => ({
    name,
    words: body.wordsIn((each) => each === name || each.replace(/^(?!w:).*:/u, "") === name),
  }));
  const missed = lost.filter(({ words }) => words > 0);
  const words = missed.reduce((sum, each) => sum + each.words, 0);
  const kinds = missed.map(({ name }) => name).join(", ");
  return [
    ...(words === 0
      ? []
      : [`Text of a kind that is not read was left out (${wordsText(words)}: ${kinds}).`]),
    ...(body.lostChunks === 0
      ? []
      : [`Texts that were inserted from other files are missing from it: ${body.lostChunks}.`]),
  ];
}

/** The texts above and below each page. */
function marginTexts(zip: ZipReader, main: string): string[] {
  const parts = [...relationsOf(zip, main).values()].filter(({ type }) =>
    /^(?:header|footer)$/u.test(type),
  );
  return parts.map(({ target }) => descendants(xmlIn(zip, target), "w:t").map(textOf).join(""));
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
