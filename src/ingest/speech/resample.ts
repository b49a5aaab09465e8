import type { Samples } from "./wav.ts";

/** Zero crossings of the filter on each side: more is slower, and nothing that a model hears. */
const CROSSINGS = 16;

/** The same sound at another rate, made where it is read: a windowed sinc, so that nothing above the lower rate's half folds back. */
export function resampled(source: Samples, rate: number): Samples {
  if (source.rate === rate) return source;
  const divisor = gcd(source.rate, rate);
  const [up, down] = [rate / divisor, source.rate / divisor];
  const cutoff = Math.min(1, rate / source.rate);
  const half = Math.ceil(CROSSINGS / cutoff);
  const filters = new Map<number, Float32Array>();
  const filterOf = (phase: number): Float32Array => {
    const known = filters.get(phase);
    if (known !== undefined) return known;
    const made = sincFilter(phase / up, half, cutoff);
    filters.set(phase, made);
    return made;
  };
  const read = (from: number, to: number): Float32Array => {
    const made = new Float32Array(Math.max(0, to - from));
    const first = Math.floor((from * down) / up) - half + 1;
    const last = Math.floor(((to - 1) * down) / up) + half + 1;
    const input = source.read(first, last);
    for (let at = 0; at < made.length; at += 1) {
      const place = (from + at) * down;
      const centre = Math.floor(place / up);
      const filter = filterOf(place - centre * up);
      const start = centre - half + 1 - first;
      let sum = 0;
      for (const [tap, weight] of filter.entries()) sum += weight * (input[start + tap] ?? 0);
      made[at] = sum;
    }
    return made;
  };
  return { rate, length: Math.floor((source.length * up) / down), read };
}

/** The weights of the samples around a place that lies `fraction` of a sample after one of them. They sum up to 1. */
function sincFilter(fraction: number, half: number, cutoff: number): Float32Array {
  const weights = Float32Array.from({ length: 2 * half }, (_, tap) => {
    const distance = tap - half + 1 - fraction;
    const angle = Math.PI * distance * cutoff;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / half);
    return (distance === 0 ? 1 : Math.sin(angle) / angle) * window;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
