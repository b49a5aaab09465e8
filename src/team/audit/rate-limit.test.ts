import { expect, it } from "vitest";

import { RateLimits, take } from "./rate-limit.ts";

const RATE = { perSecond: 2, burst: 3 };

it("lets a burst through, then as many as come in the long run", () => {
  const limits = new RateLimits(RATE);
  expect([0, 0, 0, 0].map((at) => limits.take(["person"], at))).toEqual([0, 0, 0, 500]);
  expect([limits.take(["person"], 250), limits.take(["person"], 500)]).toEqual([250, 0]);
  let passed = 0;
  for (let at = 500; at < 10_500; at += 10) if (limits.take(["person"], at) === 0) passed += 1;
  expect(passed).toBe(19);
});

it("counts people and tokens apart, and takes from neither when one is empty", () => {
  const limits = new RateLimits(RATE);
  for (const key of ["a", "b", "c"]) expect(limits.take(["person", key], 0)).toBe(0);
  expect(limits.take(["person", "a"], 0)).toBe(500);
  expect([limits.take(["a"], 0), limits.take(["a"], 0), limits.take(["a"], 0)]).toEqual([
    0, 0, 500,
  ]);
});

it("a clock that goes back fills nothing", () => {
  const { bucket } = take({ left: 0, at: 1000 }, 0, RATE);
  expect(bucket).toEqual({ left: 0, at: 1000 });
});
