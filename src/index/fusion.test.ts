import fc from "fast-check";
import { expect, it } from "vitest";

import {
  calibrated,
  fuseScores,
  fuseWithListed,
  leftOpen,
  mergeGuarded,
  sharesOfBest,
  trustIn,
  withWider,
} from "./fusion.ts";

const places = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });

it("puts what several searches say most of first, by their weights", () => {
  const lists = [
    { scores: new Map(Object.entries({ a: 1, b: 0.9, c: 0.1 })), weight: 1 },
    { scores: new Map(Object.entries({ b: 0.4, d: 0.5 })), weight: 1 },
  ];
  expect([...fuseScores(lists)]).toEqual([
    ["b", 1.3],
    ["a", 1],
    ["d", 0.5],
    ["c", 0.1],
  ]);
  const [first] = fuseScores([...lists, { scores: new Map([["c", 1]]), weight: 3 }]).keys();
  expect(first).toBe("c");
});

it("leaves to the meaning what the words do not settle", () => {
  expect([0, 0.4, 0.8, 1].map((best) => leftOpen(best, 0.8))).toEqual([1, 0.5, 0, 0]);
});

it("compares scores with the best, and nearness with the farthest that was found", () => {
  expect([...sharesOfBest([["a", 0.4] as const, ["b", 0.2] as const]).values()]).toEqual([1, 0.5]);
  expect([
    ...calibrated(
      new Map([
        ["a", 0.9],
        ["b", 0.8],
      ]),
    ).values(),
  ]).toEqual([expect.closeTo(0.5), 0]);
  expect([...calibrated(new Map()).values()]).toEqual([]);
});

it("whatever the other order, the first k guarded are among the first 2k", () => {
  fc.assert(
    fc.property(places, places, fc.integer({ min: 1, max: 50 }), (order, guarded, limit) => {
      const merged = mergeGuarded(order, guarded, limit);
      const promised = guarded.slice(0, Math.floor(limit / 2));
      const fallen = promised.filter((item, at) => !merged.slice(0, 2 * (at + 1)).includes(item));
      expect(fallen).toEqual([]);
    }),
  );
});

it("gives everything once, up to the limit, and else in the other order", () => {
  fc.assert(
    fc.property(places, places, fc.integer({ min: 1, max: 100 }), (order, guarded, limit) => {
      const merged = mergeGuarded(order, guarded, limit);
      const all = new Set([...order, ...guarded]);
      expect(new Set(merged).size).toBe(merged.length);
      expect(merged).toHaveLength(Math.min(limit, all.size));
      const rest = merged.filter((item) => !guarded.includes(item));
      expect(rest).toEqual(order.filter((item) => rest.includes(item)));
    }),
  );
});

it("leaves an order alone that keeps the promise by itself", () => {
  expect(mergeGuarded(["a", "b", "c", "d"], ["b", "a"], 4)).toEqual(["a", "b", "c", "d"]);
  expect(mergeGuarded(["x", "y", "z"], ["a", "b"], 4)).toEqual(["x", "a", "y", "b"]);
});

it("trusts a model that puts near what the words found, and that tells things apart", () => {
  const near = new Map(Object.entries({ a: 0.9, b: 0.6, c: 0.3, d: 0.2 }));
  const flat = new Map(Object.entries({ a: 0.31, b: 0.3, c: 0.3, d: 0.3 }));
  expect(trustIn(near, ["a", "b"])).toBeGreaterThan(trustIn(near, ["c", "d"]));
  expect(trustIn(near, ["a", "b"])).toBeGreaterThan(trustIn(flat, ["a", "b"]));
  expect(trustIn(near, ["x", "y"])).toBe(0);
  expect(trustIn(near, [])).toBe(1);
});

it("lets a list without scores take those of what words found at the same places", () => {
  const item = (id: number, score: number): { id: number; score: number } => ({ id, score });
  const fused = fuseWithListed(
    [[item(1, 0.8), item(2, 0.4)]],
    [[item(3, 1), item(2, 1), item(4, 1)]],
  );
  expect(fused.map(({ id }) => id)).toEqual([1, 3, 2, 4]);
  expect(fused[0]?.score).toBe(0.8);
  expect(fuseWithListed([], [[item(1, 1)]])).toEqual([item(1, 1)]);
});

it("puts below a search what only a wider one found, whatever it scored", () => {
  const item = (id: number, score: number): { id: number; score: number } => ({ id, score });
  const all = withWider([item(1, 0.8), item(2, 0.4)], [item(3, 0.9), item(2, 0.7), item(4, 0.3)]);
  expect(all).toEqual([item(1, 0.8), item(2, 0.4), item(3, 0.4), item(4, 0.3)]);
});
