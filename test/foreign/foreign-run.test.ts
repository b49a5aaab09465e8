import { expect, it } from "vitest";

import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { lookOnly, stampAndUndo, type ForeignRun } from "./foreign-run.ts";

const QUESTIONS = 150;

function smallRun(): ForeignRun {
  return { folder: temporaryFolder(), notes: 200, seed: 7, isOver: (asked) => asked >= QUESTIONS };
}

it.each(["own", "none"] as const)(
  "a vault of other programs is the same to the byte after it was looked at (%s)",
  async (setting) => {
    expect(await lookOnly(smallRun(), setting)).toEqual({ asked: QUESTIONS, problems: [] });
  },
);

it.each(["adopt", "serve"] as const)(
  "one undo brings back all that was there before coffre wrote into it (%s)",
  async (way) => {
    expect(await stampAndUndo(smallRun(), way)).toEqual({ asked: QUESTIONS, problems: [] });
  },
);
