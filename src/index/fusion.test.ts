import fc from "fast-check";
import { expect, it } from "vitest";

import { fuseRanks, mergeGuarded } from "./fusion.ts";

const places = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });

it("puts what stands high in several lists first, by their weights", () => {
  const lists = [
    { items: ["a", "b", "c"], weight: 1 },
    { items: ["b", "d"], weight: 1 },
  ];
  expect(fuseRanks(lists, 61)).toEqual(["b", "a", "d", "c"]);
  expect(fuseRanks([...lists, { items: ["c"], weight: 3 }], 61)[0]).toBe("c");
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
