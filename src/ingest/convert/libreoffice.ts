import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { ExpectedError } from "../../errors.ts";
import { asBuffer, stemOf, type SourceFile } from "./converted.ts";

/*
 * Old formats of Office (.doc, .xls, .ppt, .rtf) are converted to the new ones by LibreOffice, where it is installed, and then read like any other.
 */

const PROGRAMS = [
  "/usr/bin/soffice",
  "/usr/local/bin/soffice",
  "/opt/homebrew/bin/soffice",
  "/Applications/LibreOffice.app/Contents/MacOS/soffice",
  "C:\\Program Files\\LibreOffice\\program\\soffice.exe",
];

interface OldFormat {
  readonly mimeType: string;
  /** What LibreOffice should take it for, and save it as. */
  readonly extension: string;
  readonly modern: string;
}

const CFB = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** By the names of streams in the container. */
const STREAMS: readonly (readonly [string, OldFormat])[] = [
  ["WordDocument", { mimeType: "application/msword", extension: "doc", modern: "docx" }],
  [
    "PowerPoint Document",
    { mimeType: "application/vnd.ms-powerpoint", extension: "ppt", modern: "pptx" },
  ],
  ["Workbook", { mimeType: "application/vnd.ms-excel", extension: "xls", modern: "xlsx" }],
  ["Book", { mimeType: "application/vnd.ms-excel", extension: "xls", modern: "xlsx" }],
];
const RTF: OldFormat = { mimeType: "application/rtf", extension: "rtf", modern: "docx" };

/** Null for anything else, encrypted documents and mails of Outlook included. */
export function oldFormatOf(bytes: Uint8Array): OldFormat | null {
  const buffer = asBuffer(bytes);
  if (buffer.toString("latin1", 0, 5) === "{\\rtf") return RTF;
  if (!buffer.subarray(0, 8).equals(CFB)) return null;
  const has = (stream: string): boolean => buffer.includes(Buffer.from(stream, "utf16le"));
  if (has("EncryptedPackage") || has("__substg1.0_")) return null;
  return STREAMS.find(([stream]) => has(stream))?.[1] ?? null;
}

export function findLibreOffice(): string | null {
  return PROGRAMS.find((program) => existsSync(program)) ?? null;
}

interface SaveOptions {
  readonly program: string;
  /** A folder for temporary files, which may not exist yet. */
  readonly scratch: string;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** The document in the new format. It gets no environment, a profile of its own, and no macro is run. */
export async function savedAnew(
  file: SourceFile,
  { extension, modern }: OldFormat,
  { program, scratch, milliseconds, signal }: SaveOptions,
): Promise<SourceFile> {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(scratch, "office-"));
  try {
    writeFileSync(path.join(folder, `in.${extension}`), file.bytes);
    const args = [
      `-env:UserInstallation=file://${folder}/profile`,
      "--headless",
      "--norestore",
      "--convert-to",
      modern,
      "--outdir",
      folder,
      path.join(folder, `in.${extension}`),
    ];
    const options = {
      timeout: milliseconds,
      signal,
      env: { HOME: folder },
      killSignal: "SIGKILL",
    } as const;
    await promisify(execFile)(program, args, options).catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
    const saved = path.join(folder, `in.${modern}`);
    if (!existsSync(saved)) {
      throw new ExpectedError(
        "not_text",
        `${file.name} cannot be read by LibreOffice: it is damaged, or protected by a password. Open it, and save it as .${modern}.`,
      );
    }
    return { name: `${stemOf(file.name)}.${modern}`, bytes: readFileSync(saved) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
