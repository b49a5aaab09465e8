import { expect, it } from "vitest";

import { DailyTidy } from "./daily-tidy.ts";

function daily(given: { isOn?: boolean; isIdle?: boolean; last?: string | null } = {}): {
  look: () => Promise<boolean>;
  runs: boolean[];
  bugs: unknown[];
  close: () => Promise<void>;
} {
  const { isOn = true, isIdle = true, last = null } = given;
  const runs: boolean[] = [];
  const bugs: unknown[] = [];
  const each = new DailyTidy({
    tidy: {
      run: async ({ isDaily }) => {
        runs.push(isDaily);
        return { item: null, problem: null };
      },
      last,
      daily: { isOn: () => isOn, choose: () => {} },
    },
    isIdle: async () => isIdle,
    now: () => new Date("2026-11-18T03:00:00"),
    onBug: (error) => bugs.push(error),
  });
  return { look: async () => each.look(), runs, bugs, close: async () => each.close() };
}

it.each([
  ["on, idle, and not yet today", { last: "2026-11-17T23:00:00" }, true],
  ["on, idle, and never before", {}, true],
  ["switched off", { isOn: false }, false],
  ["not idle", { isIdle: false }, false],
  ["done today", { last: "2026-11-18T00:00:01" }, false],
])("runs by itself when it is %s: %j", async (_, given, isRun) => {
  const { look, runs, bugs } = daily(given);
  expect(await look()).toBe(isRun);
  expect(runs).toEqual(isRun ? [true] : []);
  expect(bugs).toEqual([]);
});

it("runs no more once it is closed", async () => {
  const { look, runs, close } = daily();
  await close();
  expect(await look()).toBe(false);
  expect(runs).toEqual([]);
});
