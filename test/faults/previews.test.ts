import { existsSync, readdirSync } from "node:fs";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { faultyVault } from "./faulty-vault.ts";

const Update = z.object({ id: z.string(), status: z.string() });

/** With how many of its calls each fault is tried, and every how many: more calls read than open. */
const CASES = [
  ["EIO", 240, 6],
  ["EMFILE", 60, 1],
] as const;

it.each(CASES)(
  "a yes to a preview is carried out, or refused with nothing changed, whichever call fails: %s",
  async (fault, most, step) => {
    const { disk, place, start } = faultyVault({ hasMemory: true });
    const service = await start();
    onTestFinished(async () => service.kill());
    const items = (word: string): string[] =>
      existsSync(place("inbox"))
        ? readdirSync(place("inbox")).filter((name) => name.includes(word))
        : [];
    const refused: number[] = [];
    for (let after = 0; after < most; after += step) {
      // Nothing else must meet the fault.
      await service.ask({ kind: "settle", isThorough: after === 0 });
      const word = `yes${after}no`;
      const content = `The ${word} of the harbour\n`;
      const taken = await service.ask({ kind: "remember", content, isPreview: true });
      const { id } = Update.parse(taken.structured);
      const waiting = await service.ask({ kind: "ended", id });
      expect(Update.parse(waiting.structured).status).toBe("preview");
      disk.arm({ fault, after, isLasting: false });
      const { isError, bugs } = await service.ask({ kind: "decide", id, isYes: true });
      disk.disarm();
      expect({ after, bugs, items: items(word).length }).toEqual({
        after,
        bugs: [],
        items: isError ? 0 : 1,
      });
      if (!isError) continue;
      refused.push(after);
      expect(await service.ask({ kind: "decide", id, isYes: false })).toMatchObject({
        isError: false,
      });
    }
    expect(refused).not.toEqual([]);
    await service.close();
  },
);

it("a preview is made, or refused as what the disk does, whichever call of making it fails", async () => {
  const { disk, start } = faultyVault({ hasMemory: true });
  const service = await start();
  onTestFinished(async () => service.kill());
  const refused: number[] = [];
  for (let after = 0; after < 90; after += 1) {
    await service.ask({ kind: "settle", isThorough: after === 0 });
    disk.arm({ fault: "EIO", after, isLasting: false });
    const content = `Tried ${after} at the harbour\n`;
    const taken = await service.ask({ kind: "remember", content, isPreview: true });
    const ended = taken.isError
      ? taken
      : await service.ask({ kind: "ended", id: Update.parse(taken.structured).id });
    disk.disarm();
    expect({ after, bugs: [...(taken.bugs ?? []), ...(ended.bugs ?? [])] }).toEqual({
      after,
      bugs: [],
    });
    const isPreview = !ended.isError && Update.parse(ended.structured).status === "preview";
    if (!isPreview) refused.push(after);
  }
  expect(refused).not.toEqual([]);
  await service.close();
});
