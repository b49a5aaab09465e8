import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder, writeFiles } from "../../testing/temporary-vault.ts";
import { sweepLeftovers } from "./leftovers.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse("2026-11-19T10:00:00Z");

function place(): {
  kept: () => string[];
  read: (name: string) => string;
  sweep: (day: number, name?: string) => void;
} {
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  const leftovers = path.join(state, "leftovers");
  return {
    kept: () => readdirSync(leftovers).filter((name) => !name.startsWith(".ages")),
    read: (name) => readFileSync(path.join(leftovers, name), "utf8"),
    sweep: (day, name) => {
      if (name !== undefined) writeFiles(root, { [name]: "the only copy\n" });
      const places = name === undefined ? [] : [path.join(root, name)];
      sweepLeftovers(state, places, new Date(START + day * DAY));
      expect(places.some((each) => existsSync(each))).toBe(false);
    },
  };
}

describe("what killed processes left", () => {
  it("is kept when the clock jumps, forward and back, however often", () => {
    const { kept, read, sweep } = place();
    sweep(0, ".one");
    for (const day of [400, 0, 4000, 1, 9000]) sweep(day);
    expect(kept()).toEqual([".one"]);
    expect(read(".one")).toBe("the only copy\n");
  });

  it("goes after thirty days in which there were sweeps, each by its own age", () => {
    const { kept, sweep } = place();
    sweep(0, ".one");
    for (let day = 1; day <= 30; day += 1) sweep(day, day === 10 ? ".two" : undefined);
    expect(kept().toSorted()).toEqual([".one", ".two"]);
    sweep(31);
    expect(kept()).toEqual([".two"]);
    // Swept several times a day, it ages as the day does.
    for (let part = 0; part <= 36; part += 1) sweep(31 + part / 4);
    expect(kept()).toEqual([".two"]);
    sweep(41);
    expect(kept()).toEqual([]);
  });

  it("begins to age again when another of its name comes", () => {
    const { kept, sweep } = place();
    sweep(0, ".one");
    for (let day = 1; day <= 29; day += 1) sweep(day);
    sweep(30, ".one");
    sweep(31);
    expect(kept()).toEqual([".one"]);
  });
});
