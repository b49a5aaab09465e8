import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../errors.ts";
import { DROP_FOLDER, isUnder, showPath, type VaultPath } from "../vault/paths.ts";
import type { CallersVault, Vault } from "../vault/vault.ts";
import type { IngestProgress } from "./contract.ts";
import type { SourceFile } from "./convert/converted.ts";
import { ConverterPool } from "./convert/converter-pool.ts";
import type { OcrWish } from "./convert/ocr-data.ts";
import { fileGathered, type Filed, type FromVault } from "./filing/filing.ts";
import { gather, type Gathered } from "./filing/gather.ts";
import { KnownSources } from "./filing/known-sources.ts";
import { DEFAULT_LIMITS, tooLargeFile, type Limits } from "./limits.ts";
import { textsIn, type TextsIn } from "./texts-in.ts";
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
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: IngestProgress) => void;
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
  /** What a file and those in it say. Nothing is written, and nothing leaves this machine: recordings are not written down. */
  textsIn(source: SourceFile): Promise<TextsIn>;
}

export interface IngestParts {
  /** With a folder where its state is, if it has one. */
  readonly vault: CallersVault & Pick<Vault, "scan"> & { readonly state?: string };
  /** A folder for what is only of the moment; one in that of the state when left out. */
  readonly scratch?: string;
  readonly now: () => Date;
  readonly settings?: IngestSettings;
  /** Shared with others that have the same limits; its own when left out. */
  readonly pool?: ConverterPool;
}

export const DEFAULT_FOLDER: VaultPath = "bucket";

/** Ingests files into a vault. */
export function createIngest({
  vault,
  now,
  settings = {},
  pool = converterPool(settings),
  scratch: ofMoment = vault.state,
}: IngestParts): Ingest {
  const limits = limitsOf(settings);
  if (ofMoment === undefined) throw new Error("there is no folder for temporary files");
  const scratch = path.join(ofMoment, "ingest");
  const known = new KnownSources(vault);
  const convert = async (
    source: IngestSource,
    { signal, onProgress }: ConvertOptions = {},
    isHeard = true,
  ): Promise<Gathered> =>
    pool.run(async (converter) =>
      gather(readSource(source, limits), {
        converter,
        limits,
        ocr: settings.ocr ?? {},
        transcription: isHeard ? settings.transcription : undefined,
        scratch,
        signal: signal ?? new AbortController().signal,
        onProgress: onProgress ?? (() => {}),
      }),
    );
  return {
    limits,
    scratch,
    convert: async (source, options) => {
      const gathered = await convert(source, options);
      await known.refresh();
      return withNotices(gathered, async ({ kind, sha256, file }) =>
        kind.kind === "image"
          ? known.copyOf(file.bytes)
          : (known.noteOf(sha256, true) ?? known.sentAs(sha256)),
      );
    },
    textsIn: async (source) => textsIn(await convert(source, {}, false), limits),
    ingest: async (source, options) => {
      const { actor, to = DEFAULT_FOLDER, keepOriginal = false, from, onProgress } = options;
      await refuseFolder(vault, to);
      const gathered = await convert(source, options);
      onProgress?.({ name: source.name, stage: "filing" });
      // Before the write lock is taken: the first scan of all notes may take a moment.
      await known.refresh();
      const filing = { vault, known, folder: to, keepOriginal, now: now(), from };
      const author = { actor, call: "ingest", batch: null };
      // A note that the file came with does not stand for it: it has the text among others.
      const noticed = await withNotices(gathered, async ({ sha256 }) => known.sentAs(sha256));
      const { value, id } = await vault.change(author, async (writer) =>
        fileGathered(noticed, writer, filing),
      );
      return { ...value, history: id };
    },
  };
}

type Find = (file: Gathered) => Promise<VaultPath | null>;

/** The same with a notice on each file that was found in the vault. */
async function withNotices(gathered: Gathered, find: Find): Promise<Gathered> {
  const inside: Gathered[] = [];
  for (const each of gathered.inside) inside.push(await withNotices(each, find));
  const before = await find(gathered);
  if (before === null) return { ...gathered, inside };
  const notice = `The same file was taken in before: ${showPath(before)}.`;
  return { ...gathered, inside, notices: [...gathered.notices, notice] };
}

function limitsOf({ limits }: IngestSettings): Limits {
  return { ...DEFAULT_LIMITS, ...limits };
}

/** The processes that convert files within the limits of these settings. */
export function converterPool(settings: IngestSettings): ConverterPool {
  return new ConverterPool(limitsOf(settings));
}

async function refuseFolder(vault: CallersVault, to: VaultPath): Promise<void> {
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
