import type { Sample } from "./served.ts";

const MINUTE = 60_000;
/** The memory of the end may be over that of the fifth minute by this share. */
const MORE = 0.2;
/** Milliseconds in which caches fill and code is compiled. */
const WARM_UP = 10_000;
/** Descriptors that a service at rest may have more than before it was used: databases and pools that open at the first use. */
const FEW = 12;
/** The delay of the event loop may be over that of the beginning by this factor, and this many milliseconds are never too much: load comes and goes. */
const SLOWER = 3;
const SHORT_DELAY = 200;

export interface TimedSample extends Sample {
  /** Milliseconds since the load began. */
  readonly at: number;
}

export interface Judgement {
  /** What the end is compared with, in words. */
  readonly basis: string;
  readonly first: Sample;
  readonly last: Sample;
  /** At rest, before and after the load. */
  readonly before: Sample;
  readonly after: Sample;
  /** Of the event loop, in milliseconds: medians of the 99th percentiles, and the longest of all. */
  readonly delay: { readonly first: number; readonly last: number; readonly longest: number };
  readonly findings: readonly string[];
}

export interface Judged {
  readonly samples: readonly TimedSample[];
  readonly before: Sample;
  readonly after: Sample;
  /** Folders of the vault at the end: each may be watched once. */
  readonly folders: number;
}

/** Whether a service holds more at the end than it should. */
export function judge({ samples, before, after, folders }: Judged): Judgement {
  const length = samples.at(-1)?.at ?? 0;
  const isLong = length >= 6 * MINUTE;
  const span = Math.min(MINUTE, length / 3);
  const [from, to] = isLong ? [4 * MINUTE, 5 * MINUTE] : [WARM_UP, WARM_UP + span];
  const basis = isLong
    ? "its fifth minute"
    : `the first ${Math.round(span / 1000)} s after a warm-up of ${WARM_UP / 1000} s (the run is shorter than six minutes)`;
  const [beginning, end] = [
    samples.filter(({ at }) => at >= from && at <= to + 1000),
    samples.filter(({ at }) => at >= length - span),
  ];
  const first = median(beginning, heldBy) ?? before;
  const last = median(end, heldBy) ?? after;
  const delay = {
    first: median(beginning, ({ p99 }) => p99)?.p99 ?? before.p99,
    last: median(end, ({ p99 }) => p99)?.p99 ?? after.p99,
    longest: Math.max(0, ...samples.map(({ max }) => max)),
  };
  const findings: string[] = [];
  const memory = heldBy(last) / heldBy(first) - 1;
  if (memory > MORE)
    findings.push(
      `memory after a collection grew by ${percent(memory)} over that of ${basis}: ${megabytes(heldBy(first))} to ${megabytes(heldBy(last))} MB`,
    );
  const resident = last.rss / first.rss - 1;
  if (resident > MORE && isLong)
    findings.push(
      `resident memory grew by ${percent(resident)} over that of ${basis}: ${megabytes(first.rss)} to ${megabytes(last.rss)} MB`,
    );
  if (isLong && delay.last > Math.max(SHORT_DELAY, delay.first * SLOWER))
    findings.push(
      `the event loop waits longer than in ${basis}: the 99th percentile went from ${delay.first} to ${delay.last} ms`,
    );
  if (after.descriptors > before.descriptors + FEW)
    findings.push(`descriptors at rest: ${before.descriptors} before, ${after.descriptors} after`);
  // The vault's own folder, and those of the state that are followed.
  if (after.watches > folders + FEW)
    findings.push(`${after.watches} inotify watches for ${folders} folders`);
  return { basis, first, last, before, after, delay, findings };
}

/** Bytes that are in use after a collection. */
export function heldBy({ heapUsed, external }: Pick<Sample, "heapUsed" | "external">): number {
  return heapUsed + external;
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function median(
  samples: readonly TimedSample[],
  valueOf: (sample: TimedSample) => number,
): TimedSample | undefined {
  return samples.toSorted((a, b) => valueOf(a) - valueOf(b))[Math.floor(samples.length / 2)];
}
