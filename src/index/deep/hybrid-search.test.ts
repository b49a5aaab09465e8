import { setTimeout as pause } from "node:timers/promises";

import { expect, it } from "vitest";

import { Budget } from "./hybrid-search.ts";

it("gives what is done in time, and leaves out the rest", async () => {
  const budget = new Budget(1000);
  expect(await budget.run("the first", async () => 1)).toBe(1);
  expect(await budget.run("the second", async () => pause(5000, 2, { ref: false }))).toBeNull();
  expect(await budget.run("the third", async () => 3)).toBeNull();
  expect(budget.notes()).toEqual(["deep search has 1 s: left out the second, the third"]);
});

it("keeps time for what comes after", async () => {
  const budget = new Budget(60_000);
  const slow = async (): Promise<unknown> => pause(5000, 1, { ref: false });
  expect(await budget.run("the wordings", slow, 0.001)).toBeNull();
  expect(await budget.run("the meaning", async () => 2)).toBe(2);
  expect(budget.notes()).toEqual(["deep search has 60 s: left out the wordings"]);
});

it("goes on after a failure, and says it once", async () => {
  const budget = new Budget(60_000);
  const fail = async (): Promise<never> => Promise.reject(new Error("no memory"));
  expect(await budget.run("the rereading", fail)).toBeNull();
  expect(await budget.run("the rereading", fail)).toBeNull();
  expect(budget.notes()).toEqual(["the rereading failed: no memory"]);
});
