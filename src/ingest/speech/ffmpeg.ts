import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

import { MOONSHINE_RATE } from "./moonshine.ts";

const PROGRAMS = [
  "/usr/bin/ffmpeg",
  "/usr/local/bin/ffmpeg",
  "/opt/homebrew/bin/ffmpeg",
  "C:\\ffmpeg\\bin\\ffmpeg.exe",
];

export function findFfmpeg(): string | null {
  return PROGRAMS.find((program) => existsSync(program)) ?? null;
}

/** Containers of sound. Without this list a file could be a playlist, which makes it read other files. */
const CONTAINERS =
  "wav,w64,mp3,mov,mp4,m4a,ogg,matroska,webm,flac,aac,aiff,au,amr,caf,asf,ac3,ape,dsf,mpc,mpc8,wv";

interface DecodeOptions {
  readonly program: string;
  /** Of the WAV file. */
  readonly mostBytes: number;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** Writes the first track of a recording to a WAV file of one channel. False when ffmpeg cannot read it. */
export async function decodeTo(
  wav: string,
  recording: string,
  { program, mostBytes, milliseconds, signal }: DecodeOptions,
): Promise<boolean> {
  const reading = ["-nostdin", "-v", "error", "-protocol_whitelist", "file"];
  const input = ["-format_whitelist", CONTAINERS, "-i", recording, "-map", "0:a:0"];
  const sound = ["-ac", "1", "-ar", String(MOONSHINE_RATE), "-c:a", "pcm_s16le"];
  const output = ["-fs", String(mostBytes), "-f", "wav", wav];
  const args = [...reading, ...input, ...sound, ...output];
  const options = { timeout: milliseconds, signal, env: {}, killSignal: "SIGKILL" } as const;
  try {
    await promisify(execFile)(program, args, options);
    return existsSync(wav);
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}
