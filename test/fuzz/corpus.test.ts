import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Case } from "./input.ts";
import { Target } from "./target.ts";

const CORPUS = path.join(import.meta.dirname, "corpus");

/** What `npm run fuzz` found, sent to one service after the other. */
describe("the corpus of what was found", () => {
  let target: Target | null = null;
  beforeAll(async () => {
    target = await Target.start();
  });
  afterAll(async () => {
    await target?.close(false);
  });

  it.each(readdirSync(CORPUS))("%s is answered, or refused with a code", async (name) => {
    const { input } = Case.parse(JSON.parse(readFileSync(path.join(CORPUS, name), "utf8")));
    expect(await target?.send(input)).toEqual([]);
  });
});
