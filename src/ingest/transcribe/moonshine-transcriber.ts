import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { extensionOf } from "../../vault/paths.ts";
import { baseOf, type Converted, type SourceFile } from "../convert/converted.ts";
import type { Limits } from "../limits.ts";
import type { SpeechJob } from "../speech/convert-speech.ts";
import { decodeTo, findFfmpeg } from "../speech/ffmpeg.ts";
import { findMoonshine } from "../speech/moonshine-files.ts";
import { isPlainWav } from "../speech/wav.ts";

interface MoonshineOptions {
  /** Of the model; null when its package is installed. */
  readonly folder: string | null;
  readonly scratch: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Runs the model in a process of its own. */
  readonly hear: (job: SpeechJob) => Promise<Converted>;
}

/** Writes down a recording on this machine. What is no plain WAV file is made one by ffmpeg, where that is installed. */
export async function transcribeHere(
  file: SourceFile,
  { folder: model, scratch, limits, signal, hear }: MoonshineOptions,
): Promise<Converted> {
  const found = findMoonshine(model);
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(scratch, "speech-"));
  try {
    const recording = path.join(folder, `recording${extensionOf(file.name)}`);
    writeFileSync(recording, file.bytes, { mode: 0o600 });
    if (isPlainWav(file.bytes)) return await hear({ file: recording, model: found });
    const wav = path.join(folder, "decoded.wav");
    await decode(file, { recording, wav, limits, signal });
    const result = await hear({ file: wav, model: found });
    if (statSync(wav).size < limits.unpackedBytes * FULL) return result;
    const notice = "The recording is longer than is written down at once; its end is left out.";
    return { ...result, notices: [...result.notices, notice] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** ffmpeg stops a little before the size it was given. */
const FULL = 0.99;

interface Decoding {
  readonly recording: string;
  readonly wav: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

async function decode(
  { name }: SourceFile,
  { recording, wav, limits, signal }: Decoding,
): Promise<void> {
  const program = findFfmpeg();
  if (program === null) {
    throw new ExpectedError(
      "unavailable",
      `${baseOf(name)} is not a plain WAV file, and ffmpeg, which reads other recordings, is not installed. Install ffmpeg, or save it as WAV.`,
    );
  }
  const { unpackedBytes: mostBytes, milliseconds } = limits;
  if (await decodeTo(wav, recording, { program, mostBytes, milliseconds, signal })) return;
  throw new ExpectedError(
    "not_text",
    `${baseOf(name)} cannot be read by ffmpeg: it is damaged, or has no sound. Save or download it again.`,
  );
}
