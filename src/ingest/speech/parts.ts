import type { Samples } from "./wav.ts";

/** A stretch of a recording in which somebody may speak, in frames. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Frames a second. */
export const FRAMES = 50;
/** The model was trained on no more than this, and gets slower with the square of it. */
export const MAX_FRAMES = 20 * FRAMES;
/** A part is not ended before, but at a long pause: the model understands more with what stands around a word. */
const LEAST_FRAMES = 6 * FRAMES;
/** A pause that always ends a part: what comes after it is something else. */
const LONG_PAUSE = 2 * FRAMES;
/** Left before and after what is loud: soft consonants begin and end words. */
const MARGIN = 0.3 * FRAMES;
/** Read at a time. */
const SECONDS = 10;
/** Below this nothing is speech: -66 dB of full scale. */
const SILENCE = 0.0005;

/** How loud each frame is: the root of the mean square. */
export function loudnessOf(sound: Samples): Float32Array {
  const frameLength = sound.rate / FRAMES;
  const frames = new Float32Array(Math.ceil(sound.length / frameLength));
  const chunk = SECONDS * FRAMES;
  for (let at = 0; at < frames.length; at += chunk) {
    const until = Math.min(frames.length, at + chunk);
    const start = Math.round(at * frameLength);
    const samples = sound.read(start, Math.round(until * frameLength));
    for (let frame = at; frame < until; frame += 1) {
      const [a, b] = [frame, frame + 1].map((each) => Math.round(each * frameLength) - start);
      const slice = samples.subarray(a, b);
      const sum = slice.reduce((total, sample) => total + sample * sample, 0);
      frames[frame] = Math.sqrt(sum / Math.max(1, slice.length));
    }
  }
  return frames;
}

/** The parts of a recording, in order, none longer than the model takes but for the margins; what is silent is left out. */
export function partsOf(loudness: Float32Array): Part[] {
  const threshold = thresholdOf(loudness);
  const spans = loudSpans(loudness, threshold).flatMap((span) => split(span, loudness));
  const parts: Part[] = [];
  for (let at = 0; at < spans.length;) {
    const last = lastOfPart(spans, at);
    parts.push({ from: spans[at]?.from ?? 0, to: spans[last]?.to ?? 0 });
    at = last + 1;
  }
  return withMargins(parts, loudness.length);
}

/** The span with which a part ends that begins with the one at `first`: before the longest pause that leaves it neither too short nor too long. */
function lastOfPart(spans: readonly Part[], first: number): number {
  const from = spans[first]?.from ?? 0;
  let best = first;
  let longest = -1;
  for (let at = first; at < spans.length; at += 1) {
    const to = spans[at]?.to ?? 0;
    if (to - from > MAX_FRAMES) return best;
    const pause = (spans[at + 1]?.from ?? Infinity) - to;
    if (pause >= LONG_PAUSE) return at;
    if (to - from < LEAST_FRAMES || pause >= longest) {
      best = at;
      longest = to - from < LEAST_FRAMES ? -1 : pause;
    }
  }
  return best;
}

/** Between the noise of the room and the voice, on the side of the noise: to take a noise for speech costs less than to lose a word. */
function thresholdOf(loudness: Float32Array): number {
  const sorted = loudness.toSorted();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [noise, voice] = [at(0.1), at(0.95)];
  return Math.max(SILENCE, Math.min(noise * 3, voice * 0.1));
}

function loudSpans(loudness: Float32Array, threshold: number): Part[] {
  const spans: Part[] = [];
  for (const [frame, value] of loudness.entries()) {
    if (value < threshold) continue;
    const last = spans.at(-1);
    if (last?.to === frame) spans.splice(-1, 1, { from: last.from, to: frame + 1 });
    else spans.push({ from: frame, to: frame + 1 });
  }
  return spans;
}

/** Somebody who speaks without a pause is cut at the softest place of the second half. */
function split(span: Part, loudness: Float32Array): Part[] {
  const parts: Part[] = [];
  let { from } = span;
  while (span.to - from > MAX_FRAMES) {
    let softest = from + MAX_FRAMES / 2;
    for (let at = softest; at < from + MAX_FRAMES; at += 1) {
      if ((loudness[at] ?? 0) < (loudness[softest] ?? 0)) softest = at;
    }
    parts.push({ from, to: softest });
    from = softest;
  }
  return [...parts, { from, to: span.to }];
}

/** Never into the neighbour: between two parts that are close, the margin is half of what lies between them. */
function withMargins(parts: readonly Part[], length: number): Part[] {
  return parts.map(({ from, to }, at) => {
    const before = at === 0 ? from : (from - (parts[at - 1]?.to ?? 0)) / 2;
    const after = at === parts.length - 1 ? length - to : ((parts[at + 1]?.from ?? to) - to) / 2;
    return {
      from: from - Math.floor(Math.min(MARGIN, before)),
      to: to + Math.floor(Math.min(MARGIN, after)),
    };
  });
}
