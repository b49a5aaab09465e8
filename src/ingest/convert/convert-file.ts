import { ExpectedError } from "../../errors.ts";
import type { Converted, Step } from "./converted.ts";
import { decodeText } from "./decode-text.ts";
import type { FileKind } from "./file-kind.ts";
import type { Limits } from "../limits.ts";
import type { OcrWish } from "./ocr-data.ts";

/** One file to convert. Goes to another process as it is. */
export interface ConversionJob {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kind: FileKind;
  readonly limits: Limits;
  readonly ocr: OcrWish;
}

/**
 * Converts a file of any kind but images and sound. Parsers are loaded when they are needed: most files need one of them.
 * Whatever a parser throws at a damaged file is told as an {@link ExpectedError}: its input is anybody's.
 */
export async function convertFile(job: ConversionJob, step: Step): Promise<Converted> {
  try {
    const converted = await byKind(job, step);
    if (converted.markdown.length > job.limits.characters) throw tooMuchText(job);
    return converted;
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    throw new ExpectedError(
      "not_text",
      `${job.name} cannot be read as what it seems to be (${job.kind.mimeType}): ${messageOf(error)}. Save or download it again.`,
      { cause: error },
    );
  }
}

async function byKind(job: ConversionJob, step: Step): Promise<Converted> {
  const { name, bytes, kind, limits, ocr } = job;
  const text = (): string => decodeText(bytes, kind.encoding ?? "utf-8");
  switch (kind.kind) {
    case "markdown":
    case "text": {
      const { convertText } = await import("../formats/text.ts");
      return convertText(name, text());
    }
    case "csv": {
      const { convertCsv } = await import("../formats/csv.ts");
      return convertCsv(text());
    }
    case "html": {
      const { convertHtml } = await import("../formats/html.ts");
      return convertHtml(bytes, kind.encoding ?? "utf-8");
    }
    case "mail": {
      const { convertMail } = await import("../formats/mail.ts");
      return convertMail(bytes);
    }
    case "pdf": {
      const { convertPdf } = await import("../formats/pdf.ts");
      return convertPdf(name, bytes, ocr, step);
    }
    case "docx": {
      const { convertDocx } = await import("../formats/docx.ts");
      return convertDocx(name, bytes, limits);
    }
    case "odf": {
      const { convertOdf } = await import("../formats/odf.ts");
      return convertOdf(name, bytes, limits);
    }
    case "pptx": {
      const { convertPptx } = await import("../formats/pptx.ts");
      return convertPptx(name, bytes, limits, step);
    }
    case "xlsx": {
      const { convertXlsx } = await import("../formats/xlsx.ts");
      return convertXlsx(name, bytes, limits, step);
    }
    case "epub": {
      const { convertEpub } = await import("../formats/epub.ts");
      return convertEpub(name, bytes, limits, step);
    }
    case "zip": {
      const { convertZip } = await import("../formats/zip.ts");
      return convertZip(name, bytes, limits);
    }
    case "image":
    case "audio":
      throw new Error(`${kind.kind} is not converted here`);
  }
}

function tooMuchText({ name, limits }: ConversionJob): ExpectedError {
  return new ExpectedError(
    "too_large",
    `${name} gives more than ${limits.characters.toLocaleString("en")} characters of text. Split it.`,
  );
}

function messageOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.slice(0, 200).replace(/\.$/u, "");
}
