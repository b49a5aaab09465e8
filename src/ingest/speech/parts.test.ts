import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { FRAMES, loudnessOf, MAX_FRAMES, partsOf } from "./parts.ts";
import type { Samples } from "./wav.ts";

/** Seconds of speech and of pauses in turn, as loudness. */
function talk(...seconds: readonly number[]): Float32Array {
  return Float32Array.from(
    seconds.flatMap((each, at) =>
      Array.from({ length: Math.round(each * FRAMES) }, () => (at % 2 === 0 ? 0.2 : 0.001)),
    ),
  );
}

describe("the parts of a recording", () => {
  it("are none when it is silent", () => {
    expect(partsOf(new Float32Array(1000))).toEqual([]);
    expect(partsOf(new Float32Array())).toEqual([]);
  });

  it("are one for a short memo, with a margin around it", () => {
    const [part, ...others] = partsOf(talk(0, 2, 3, 0.4, 4, 2));
    expect(others).toEqual([]);
    expect(part).toEqual({ from: 2 * FRAMES - 15, to: 9.4 * FRAMES + 15 });
  });

  it("end at the longest pause that leaves them neither short nor long", () => {
    const parts = partsOf(talk(5, 0.3, 4, 0.8, 5, 0.4, 8));
    expect(parts.map(({ to }) => to / FRAMES)).toEqual([9.6, 23.5]);
  });

  it("end at every long pause", () => {
    expect(partsOf(talk(1, 3, 1, 3, 1))).toHaveLength(3);
  });

  it("are cut where somebody never pauses", () => {
    const parts = partsOf(talk(50));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.at(-1)?.to).toBe(50 * FRAMES);
  });

  it("hold all that is loud, in order, and are never too long", () => {
    const loudness = fc
      .array(fc.tuple(fc.double({ min: 0.02, max: 30 }), fc.double({ min: 0.02, max: 4 })), {
        minLength: 1,
        maxLength: 12,
      })
      .map((pairs) => talk(...pairs.flat()));
    fc.assert(
      fc.property(loudness, (given) => {
        const parts = partsOf(given);
        const inside = new Set<number>();
        let last = 0;
        for (const { from, to } of parts) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(MAX_FRAMES + FRAMES);
          for (let at = from; at < to; at += 1) inside.add(at);
          last = to;
        }
        expect(last).toBeLessThanOrEqual(given.length);
        const lost = [...given.entries()].filter(([at, value]) => value > 0.1 && !inside.has(at));
        expect(lost).toEqual([]);
      }),
    );
  });
});

it("the loudness of a sound is measured frame by frame, also at odd rates", () => {
  const rate = 11_025;
  const length = rate * 25;
  const sound: Samples = {
    rate,
    length,
    read: (from, to) =>
      Float32Array.from({ length: to - from }, (_, at) => (from + at < length / 2 ? 0.5 : 0)),
  };
  const loudness = loudnessOf(sound);
  expect(loudness).toHaveLength(25 * FRAMES);
  expect(loudness[10]).toBeCloseTo(0.5);
  expect(loudness[20 * FRAMES]).toBe(0);
});
