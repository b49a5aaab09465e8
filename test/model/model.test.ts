import { expect, it } from "vitest";

import { runModel } from "./model.ts";
import { after, differences } from "./vault-model.ts";

// `npm run model -- --minutes N` goes on with other seeds.
it("holds what a model of it holds, whatever tools, other programs, kills and undos do", async () => {
  // Not `resolves`, which cuts off the steps that led to a difference.
  expect(await runModel({ seed: 1, runs: 4, steps: 30 })).toBeUndefined();
}, 300_000);

it("has a model that refuses what cannot be done, and notices a difference", () => {
  const texts = new Map([["a/b.md", "one\n"]]);
  expect(after(texts, { kind: "write", path: "a", text: "x\n" })).toBeNull();
  expect(after(texts, { kind: "move", path: "a", to: "a/c" })).toBeNull();
  expect(after(texts, { kind: "edit", path: "a/b.md", old: "two", text: "" })).toBeNull();
  const moved = after(texts, { kind: "move", path: "a", to: "c" });
  expect(moved).toEqual(new Map([["c/b.md", "one\n"]]));
  expect(differences(texts, moved ?? texts)).toHaveLength(2);
});
