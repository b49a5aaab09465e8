import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../errors.ts";
import { DROP_FOLDER, isUnder, showPath, type VaultPath } from "../vault/paths.ts";
import type { LocalVault, Vault } from "../vault/vault.ts";
import type { SourceFile } from "./convert/converted.ts";
import { ConverterProcess } from "./convert/converter-process.ts";
import type { OcrWish } from "./convert/ocr-data.ts";
import { fileGathered, type Filed, type FromVault } from "./filing/filing.ts";
import { gather, type Gathered, type Progress } from "./filing/gather.ts";
import { KnownSources } from "./filing/known-sources.ts";
import { DEFAULT_LIMITS, tooLargeFile, type Limits } from "./limits.ts";
import type { Transcription } from "./transcribe/transcribe.ts";

/** What a person can set. Everything has a default. */
export interface IngestSettings {
  readonly limits?: Partial<Limits>;
  readonly ocr?: OcrWish;
  /** Turns speech into text; left out, recordings are only kept. */
  readonly transcription?: Transcription | undefined;
}

/** A file to ingest: its bytes, or where on this machine they are. */
export type IngestSource = SourceFile | { readonly name: string; readonly path: string };

export interface ConvertOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface IngestOptions extends ConvertOptions {
  /** Who ingests, for the history: `cli`, a client's name. */
  readonly actor: string;
  /** The folder of the note; `bucket` by default. */
  readonly to?: VaultPath;
  /** Keeps the file itself beside its note. */
  readonly keepOriginal?: boolean;
  /** The file is one of the vault, and leaves its place when its note is written. */
  readonly from?: FromVault;
}

export interface Ingested extends Filed {
  /** What undoes it; null when nothing was changed. */
  readonly history: string | null;
}

export interface Ingest {
  readonly limits: Limits;
  /** A folder for temporary files, which may not exist yet. */
  readonly scratch: string;
  /** Makes text or an image of a file, and puts it into the vault: all of it, as one change, or nothing. */
  ingest(source: IngestSource, options: IngestOptions): Promise<Ingested>;
  /** Only makes text and images of a file, and of all files in it. Nothing is written. */
  convert(source: IngestSource, options?: ConvertOptions): Promise<Gathered>;
}

export interface IngestParts {
  readonly vault: LocalVault;
  readonly now: () => Date;
  readonly settings?: IngestSettings;
}

export const DEFAULT_FOLDER: VaultPath = "bucket";

/** Conversions at the same time; each may use as much memory as its limit. */
const MAX_CONVERSIONS = 2;

/** Ingests files into a vault. */
export function createIngest({ vault, now, settings = {} }: IngestParts): Ingest {
  const limits = { ...DEFAULT_LIMITS, ...settings.limits };
  const scratch = path.join(vault.state, "ingest");
  const known = new KnownSources(vault);
  const conversions = new ConcurrencyLimit(MAX_CONVERSIONS);
  const convertNow: Ingest["convert"] = async (source, { signal, onProgress } = {}) => {
    // Each file has its own process, so that nothing of one file is left for the next.
    const converter = new ConverterProcess(limits);
    try {
      return await gather(readSource(source, limits), {
        converter,
        limits,
        ocr: settings.ocr ?? {},
        transcription: settings.transcription,
        scratch,
        signal: signal ?? new AbortController().signal,
        onProgress: onProgress ?? (() => {}),
      });
    } finally {
      converter.close();
    }
  };
  const convert: Ingest["convert"] = async (source, options) =>
    conversions.run(async () => convertNow(source, options));
  return {
    limits,
    scratch,
    convert,
    ingest: async (source, options) => {
      const { actor, to = DEFAULT_FOLDER, keepOriginal = false, from, onProgress } = options;
      await refuseFolder(vault, to);
      const gathered = await convert(source, options);
      onProgress?.({ name: source.name, stage: "filing" });
      // Before the write lock is taken: the first scan of all notes may take a moment.
      await known.refresh();
      const { value, id } = await vault.change(
        { actor, call: "ingest", batch: null },
        async (writer) =>
          fileGathered(gathered, writer, {
            vault,
            known,
            folder: to,
            keepOriginal,
            now: now(),
            from,
          }),
      );
      return { ...value, history: id };
    },
  };
}

async function refuseFolder(vault: Vault, to: VaultPath): Promise<void> {
  if (isUnder(to, DROP_FOLDER)) {
    throw new ExpectedError(
      "invalid_argument",
      `${showPath(to, "folder")} is where files wait to be ingested; choose another folder, such as vault/bucket/.`,
    );
  }
  if ((await vault.find(to)).kind === "file") {
    throw new ExpectedError("not_a_folder", `${showPath(to)} is a file; name a folder.`);
  }
}

/** The bytes of a source. A file that is too large is not opened. */
function readSource(source: IngestSource, limits: Limits): SourceFile {
  // The size of bytes is checked where they are gathered.
  if ("bytes" in source) return source;
  try {
    const stat = statSync(source.path);
    if (!stat.isFile()) {
      const what = stat.isDirectory() ? "a folder" : "not an ordinary file";
      throw new ExpectedError(
        "not_a_file",
        `${source.path} is ${what}. Name the files in it, or pack them as a .zip.`,
      );
    }
    if (stat.size > limits.bytes) throw tooLargeFile(source.name, limits.bytes, stat.size);
    return { name: source.name, bytes: readFileSync(source.path) };
  } catch (error) {
    throw explainErrno(error, source.path);
  }
}

/** Runs at most `max` tasks at the same time; the others wait, first in, first out. */
class ConcurrencyLimit {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#max) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The next one takes over this place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
