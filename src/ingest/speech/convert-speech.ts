import { closeSync, fstatSync, openSync } from "node:fs";

import { ExpectedError } from "../../errors.ts";
import { converted, type Converted, type Step } from "../convert/converted.ts";
import type { MoonshineFiles } from "./moonshine-files.ts";
import { loadMoonshine, MOONSHINE_RATE, type Moonshine } from "./moonshine.ts";
import { FRAMES, loudnessOf, partsOf } from "./parts.ts";
import { resampled } from "./resample.ts";
import { wavSamples } from "./wav.ts";

/** A recording for Moonshine: a WAV file on disk, because hours of it are too long for a message. */
export interface SpeechJob {
  readonly file: string;
  readonly model: MoonshineFiles;
}

/** Loading takes longer than hearing a short memo, so a process keeps it for the next one. */
let loaded: Promise<Moonshine> | undefined;

async function kept(model: MoonshineFiles): Promise<Moonshine> {
  try {
    return await (loaded ??= loadMoonshine(model));
  } catch (error) {
    loaded = undefined;
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new ExpectedError(
      "unavailable",
      `Moonshine cannot be loaded: ${line.slice(0, 200).replace(/\.$/u, "")}. Check COFFRE_MOONSHINE.`,
      { cause: error },
    );
  }
}

/** Writes down what is said. Several parts are paragraphs, each with the time at which it begins. */
export async function convertSpeech({ file, model }: SpeechJob, step: Step): Promise<Converted> {
  const descriptor = openSync(file, "r");
  try {
    const recorded = wavSamples(descriptor, fstatSync(descriptor).size);
    if (recorded === null) throw new Error("it is no WAV file with plain samples");
    const sound = resampled(recorded, MOONSHINE_RATE);
    const parts = partsOf(loudnessOf(recorded));
    if (parts.length === 0) return converted(null, "");
    const moonshine = await kept(model);
    const said: string[] = [];
    const lost: string[] = [];
    for (const [at, { from, to }] of parts.entries()) {
      step(at, parts.length);
      const frame = MOONSHINE_RATE / FRAMES;
      const text = await moonshine.hear(sound.read(from * frame, to * frame));
      const time = clock(from / FRAMES);
      if (isLoop(text)) lost.push(time);
      else if (text !== "") said.push(parts.length === 1 ? text : `[${time}] ${text}`);
    }
    return converted(null, said.join("\n\n"), { notices: lost.length === 0 ? [] : [lostAt(lost)] });
  } finally {
    closeSync(descriptor);
  }
}

/** A model that understands nothing, because it is another language or noise, says one thing again and again. */
export function isLoop(text: string): boolean {
  return /(.{8,60}?)\1{3}/u.test(text);
}

function lostAt(times: readonly string[]): string {
  return `Not understood, and left out: what is said at ${times.join(", ")}. The model knows English only.`;
}

/** `1:05`, `1:00:07`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  const rest = two(whole % 60);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${two(minutes)}:${rest}`;
}
