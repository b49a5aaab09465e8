import { createHash } from "node:crypto";

import { ExpectedError } from "../../errors.ts";
import { splitFrontmatter } from "../../vault/files/frontmatter.ts";
import { headingsOf } from "../../vault/files/headings.ts";
import {
  baseOf,
  converted,
  stemOf,
  type Converted,
  type InsideFile,
  type SourceFile,
} from "../convert/converted.ts";
import type { ConverterProcess } from "../convert/converter-process.ts";
import { kindOf } from "../convert/file-kind.ts";
import { findLibreOffice, oldFormatOf, savedAnew } from "../convert/libreoffice.ts";
import type { OcrWish } from "../convert/ocr-data.ts";
import type { Failure, IngestProgress } from "../contract.ts";
import { ARCHIVES, convertFile, type ConversionJob, type FileKind } from "../formats/formats.ts";
import { tooLargeFile, type Limits } from "../limits.ts";
import type { SpeechJob } from "../speech/convert-speech.ts";
import { transcribeHere } from "../transcribe/moonshine-transcriber.ts";
import { transcribe, TRANSCRIPTION_ADVICE, type Transcription } from "../transcribe/transcribe.ts";

/** Throws on what is not an {@link ExpectedError}: a bug. */
export function failureOf(name: string, error: unknown): Failure {
  if (!(error instanceof ExpectedError)) throw error;
  return { name, code: error.code, message: error.message };
}

/** For a request none of whose files could be taken in. */
export function errorOf(failures: readonly Failure[]): ExpectedError {
  const message = failures.map((failure) => failure.message).join("\n");
  return new ExpectedError(failures[0]?.code ?? "not_text", message);
}

/** A file and what was made of it, with the files that were in it. */
export interface Gathered {
  readonly file: SourceFile;
  readonly kind: FileKind;
  readonly sha256: string;
  readonly title: string;
  /** Null for an image, which stays what it is, and for an archive, which is only what is in it. */
  readonly converted: Converted | null;
  readonly inside: readonly Gathered[];
  readonly failures: readonly Failure[];
  readonly notices: readonly string[];
  /** For what is in it; see {@link Converted.folder}. */
  readonly folder?: string;
}

export interface GatherOptions {
  readonly converter: ConverterProcess;
  readonly limits: Limits;
  readonly ocr: OcrWish;
  readonly transcription: Transcription | undefined;
  /** A folder for temporary files. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: IngestProgress) => void;
}

/** Converts a file and all that is in it. Throws when nothing at all can be made of it. */
export async function gather(file: SourceFile, options: GatherOptions): Promise<Gathered> {
  return new Gathering(options).gather(file, 0);
}

/** A note of an export comes as markdown. */
const EXPORTED_NOTE: FileKind = { kind: "markdown", mimeType: "text/markdown" };

/** One file with all that is in it: the limits are for them together. */
class Gathering {
  readonly #options: GatherOptions;
  #files = 0;
  #bytes = 0;
  /** Of the files inside: an export may hold more. */
  #most: number;

  constructor(options: GatherOptions) {
    this.#options = options;
    this.#most = options.limits.files;
  }

  async gather(file: InsideFile, depth: number): Promise<Gathered> {
    const { limits, onProgress, signal } = this.#options;
    signal.throwIfAborted();
    this.#count(file, depth);
    const modern = await this.#modern(file);
    const kind: FileKind =
      file.converted === undefined ? await this.#kind(file, modern) : EXPORTED_NOTE;
    const sha256 = createHash("sha256").update(file.bytes).digest("hex");
    const common = { file, kind, sha256, title: stemOf(file.name) };
    if (kind.kind === "image")
      return { ...common, converted: null, inside: [], failures: [], notices: [] };
    onProgress({ name: file.name, stage: kind.kind === "audio" ? "transcribing" : "converting" });
    const result =
      file.converted ??
      (kind.kind === "audio"
        ? await this.#transcribed(file, kind)
        : await this.#converted(modern ?? file, kind));
    if (result.folder !== undefined) this.#most = Math.max(this.#most, limits.notes);
    const inside: Gathered[] = [];
    const failures: Failure[] = [];
    for (const each of result.inside) {
      try {
        if (depth >= limits.depth) throw tooDeep(each.name, limits);
        inside.push(await this.gather(each, depth + 1));
      } catch (error) {
        failures.push(failureOf(each.name, error));
      }
    }
    const isArchive = ARCHIVES.has(kind.kind);
    if (isArchive && inside.length === 0) throw nothingInside(file.name, failures);
    return {
      ...common,
      title: result.title ?? firstHeading(result.markdown) ?? common.title,
      converted: isArchive ? null : result,
      inside,
      failures,
      notices: result.notices,
      ...(result.folder === undefined ? {} : { folder: result.folder }),
    };
  }

  /** A document of an old format, saved in the new one; null for anything else, and where LibreOffice is missing. */
  async #modern(file: InsideFile): Promise<SourceFile | null> {
    const { limits, scratch, signal } = this.#options;
    const format = file.converted === undefined ? oldFormatOf(file.bytes) : null;
    const program = format === null ? null : findLibreOffice();
    if (format === null || program === null) return null;
    return savedAnew(file, format, { program, scratch, signal, milliseconds: limits.milliseconds });
  }

  /** Of the file as it is read; its type is that of the file as it came. */
  async #kind(file: SourceFile, modern: SourceFile | null): Promise<FileKind> {
    if (modern === null) return kindOf(baseOf(file.name), file.bytes);
    const kind = await kindOf(modern.name, modern.bytes);
    return { ...kind, mimeType: oldFormatOf(file.bytes)?.mimeType ?? kind.mimeType };
  }

  #count({ name, bytes }: SourceFile, depth: number): void {
    const { limits } = this.#options;
    if (bytes.length > limits.bytes) throw tooLargeFile(name, limits.bytes, bytes.length);
    this.#files += depth === 0 ? 0 : 1;
    this.#bytes += depth === 0 ? 0 : bytes.length;
    if (this.#files <= this.#most && this.#bytes <= limits.unpackedBytes) return;
    throw new ExpectedError(
      "too_large",
      `${name} was left out: at most ${this.#most} files in one archive or mail are taken in, those inside others included. Ingest it by itself.`,
    );
  }

  async #converted(file: SourceFile, kind: FileKind, speech?: SpeechJob): Promise<Converted> {
    const { converter, limits, ocr, signal, onProgress } = this.#options;
    const { name } = file;
    const step = (done: number, total: number): void =>
      onProgress({
        name,
        stage: speech === undefined ? "converting" : "transcribing",
        done,
        total,
      });
    const given = { name: baseOf(name), bytes: file.bytes, kind, limits, ocr };
    const job: ConversionJob = speech === undefined ? given : { ...given, speech };
    // Quick, and cannot fail: needs no process of its own.
    const isPlain = kind.kind === "markdown" || kind.kind === "text";
    return isPlain ? convertFile(job, step) : converter.convert(job, { signal, step });
  }

  async #transcribed(file: SourceFile, kind: FileKind): Promise<Converted> {
    const { mimeType } = kind;
    const { transcription, signal, scratch } = this.#options;
    if (transcription === undefined) {
      const notice = `This recording is kept beside this note; it has not been transcribed. ${TRANSCRIPTION_ADVICE} Then ingest it again.`;
      return { ...converted(null, "", { notices: [notice] }), isPartial: true };
    }
    const result =
      transcription.kind === "moonshine"
        ? await this.#heardHere(file, kind, transcription.folder)
        : converted(
            null,
            await transcribe({ ...file, mimeType }, transcription, { signal, scratch }),
          );
    const isSilent = result.markdown === "" && result.notices.length === 0;
    return isSilent ? { ...result, notices: ["No speech was heard in this recording."] } : result;
  }

  async #heardHere(file: SourceFile, kind: FileKind, folder: string | null): Promise<Converted> {
    const { limits, scratch, signal } = this.#options;
    const none = { name: file.name, bytes: new Uint8Array() };
    const hear = async (speech: SpeechJob): Promise<Converted> =>
      this.#converted(none, kind, speech);
    return transcribeHere(file, { folder, scratch, limits, signal, hear });
  }
}

/** Longer headings are not titles, and are slow to search through. */
export const MAX_TITLE_LENGTH = 200;

/** The first heading of a text, without links and emphasis; null when there is none. */
function firstHeading(markdown: string): string | null {
  const [first] = headingsOf(splitFrontmatter(markdown).body.split("\n", 200), 0);
  if (first === undefined) return null;
  const plain = first.text
    .slice(0, MAX_TITLE_LENGTH)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/\\([\\`*_[\]<>])/gu, "$1")
    .replaceAll(/\*\*|__/gu, "")
    .trim();
  return plain || null;
}

function tooDeep(name: string, { depth }: Limits): ExpectedError {
  return new ExpectedError(
    "too_large",
    `${name} was left out: it is more than ${depth} archives deep. Ingest it by itself.`,
  );
}

function nothingInside(name: string, [first]: readonly Failure[]): ExpectedError {
  return first === undefined
    ? new ExpectedError("not_text", `${name} is an archive with no file in it.`)
    : new ExpectedError(
        first.code,
        `Nothing in the archive ${name} can be taken in. ${first.message}`,
      );
}
