import { ExpectedError } from "../errors.ts";
import { formatBytes } from "../text/tokens.ts";
import { sniffImage } from "../vault/files/image.ts";
import { slugOf } from "../text/slug.ts";
import type { Failure } from "./contract.ts";
import { isDrawingFile } from "./convert/drawing-kind.ts";
import type { SentFile } from "./filing/sent-files.ts";
import { asBuffer, baseOf, stemOf, withImageAddresses } from "./convert/converted.ts";
import { errorOf, failureOf, type Gathered } from "./filing/gather.ts";
import type { Ingest, IngestSource } from "./ingest.ts";
import { TRANSCRIPTION_ADVICE } from "./transcribe/transcribe.ts";

/** A note and the files sent with it. */
export interface Sent {
  readonly note: string;
  readonly files: readonly IngestSource[];
  /** The text of the files is the person's own. */
  readonly isTrusted: boolean;
}

/** The input of the update agent: one text, and pictures in base64. */
export interface Material {
  readonly content: string;
  readonly images: readonly { readonly name: string; readonly data: string }[];
  /** The names of the files. */
  readonly sources: readonly string[];
  /** The files whose text is in `content`, those inside of others too. */
  readonly files: readonly SentFile[];
  /** Others wrote part of the text. */
  readonly isUntrusted: boolean;
  /** The files that are not in it, because nothing in them could be read. */
  readonly failures: readonly Failure[];
}

/** Providers refuse larger requests, and base64 adds a third. */
const MAX_BYTES = 15_000_000;
const MAX_IMAGES = 20;
const MAX_NAME_LENGTH = 200;

/**
 * Joins a note and what its files say into one update. The text names the files that could not be read; throws when none could be read
 * and there is no note.
 */
export async function materialOf(
  { note, files, isTrusted }: Sent,
  ingest: Pick<Ingest, "convert">,
  signal?: AbortSignal,
): Promise<Material> {
  const collector = new Collector();
  const failures: Failure[] = [];
  for (const file of files) {
    try {
      collector.add(await ingest.convert(file, { signal }));
    } catch (error) {
      failures.push(failureOf(file.name, error));
    }
  }
  const { texts, left } = collector;
  const images = collector.images();
  const hasNote = note.trim() !== "";
  if (!hasNote && texts.length === 0 && images.length === 0 && failures.length > 0)
    throw errorOf(failures);
  // Without the reason, which may quote the file: this text counts as the person's.
  const unread = failures.map(({ name }) => `${name} was sent with this, and could not be read.`);
  const content = [...(hasNote ? [note] : []), ...shown(texts), ...left, ...unread].join("\n\n");
  refuseTooLarge(content, images);
  return {
    content,
    images,
    sources: files.map(({ name }) => name),
    files: collector.files,
    isUntrusted: texts.length > 0 && !isTrusted,
    failures,
  };
}

interface FileText {
  readonly name: string;
  readonly text: string;
  /** As it stood in the file, not converted. */
  readonly isVerbatim: boolean;
}

type Image = Material["images"][number];

class Collector {
  readonly texts: FileText[] = [];
  readonly files: SentFile[] = [];
  /** Sentences on what was left out. */
  readonly left: string[] = [];
  readonly #sent: Image[] = [];
  readonly #inDocuments: Image[] = [];

  /** A file, the pictures in it, and the files in it. */
  add({ file, kind, sha256, converted, inside, failures, notices }: Gathered): void {
    const name = baseOf(file.name);
    // The words of a drawing are text; the drawing itself goes with them.
    if (kind.kind === "svg" && isDrawingFile(asBuffer(file.bytes)))
      this.#sent.push(pictureOf(name, file.bytes));
    if (kind.kind === "image") {
      this.#sent.push(imageOf(name, file.bytes));
      this.left.push(...notices.map((notice) => `${name}: ${notice}`));
      return;
    }
    if (kind.kind === "audio" && converted?.isPartial === true) {
      throw new ExpectedError(
        "unavailable",
        `${name} is a recording, and nothing is configured to write down what it says. ${TRANSCRIPTION_ADVICE} Then send it again.`,
      );
    }
    // The pictures of several documents have the same names.
    const named = (image: string): string => `${slugOf(stemOf(name), "file")}-${image}`;
    const markdown = withImageAddresses(converted?.markdown ?? "", named);
    for (const image of converted?.images ?? [])
      this.#inDocuments.push(imageOf(named(image.name), image.bytes));
    const parts = [markdown, ...notices, ...failures.map(({ message }) => message)];
    const text = parts.filter((part) => part.trim() !== "").join("\n\n");
    const isVerbatim = kind.kind === "markdown" || kind.kind === "text";
    if (text !== "") this.texts.push({ name, text, isVerbatim });
    // One that was read in part may say more when it comes again.
    if (converted !== null && converted.isPartial !== true) this.files.push({ name, sha256 });
    for (const each of inside) {
      try {
        this.add(each);
      } catch (error) {
        const { message } = failureOf(each.file.name, error);
        this.texts.push({ name: baseOf(each.file.name), text: message, isVerbatim: false });
      }
    }
  }

  /** Those that were sent, and as many of those in documents as there is room for. */
  images(): Image[] {
    const room = MAX_IMAGES - this.#sent.length;
    if (room < 0) {
      throw new ExpectedError(
        "too_large",
        `These are ${this.#sent.length} images; one update takes ${MAX_IMAGES}. Send fewer.`,
      );
    }
    const more = this.#inDocuments.length - room;
    if (more > 0)
      this.left.push(`${more} pictures in these files were left out: an update has ${MAX_IMAGES}.`);
    return [...this.#sent, ...this.#inDocuments.slice(0, room)];
  }
}

function imageOf(name: string, bytes: Uint8Array): Image {
  const buffer = asBuffer(bytes);
  if (sniffImage(buffer) === null)
    throw new ExpectedError("not_text", `${name} is a damaged image. Save it again.`);
  return pictureOf(name, bytes);
}

function pictureOf(name: string, bytes: Uint8Array): Image {
  return { name: name.slice(0, MAX_NAME_LENGTH), data: asBuffer(bytes).toString("base64") };
}

/** A single text file is shown as it is; several texts, and those of documents, under the name of their file. */
function shown(texts: readonly FileText[]): string[] {
  const [first] = texts;
  if (texts.length === 1 && first?.isVerbatim === true) return [first.text];
  return texts.map(({ name, text }) => `## ${name}\n\n${text.trim()}`);
}

function refuseTooLarge(content: string, images: readonly Image[]): void {
  const size = images.reduce(
    (sum, { data }) => sum + Buffer.byteLength(data, "base64"),
    Buffer.byteLength(content),
  );
  if (size <= MAX_BYTES) return;
  throw new ExpectedError(
    "too_large",
    `These files are ${formatBytes(size)}; ${formatBytes(MAX_BYTES)} fit into one update. Put them into the vault instead: coffre ingest FILE…`,
  );
}
