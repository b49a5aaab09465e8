import { existsSync, readdirSync } from "node:fs";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { faultyVault } from "./faulty-vault.ts";

/** Calls to the disk of an answer to a preview that may fail; most of them are of its changes. */
const MOST_CALLS = 240;
/** Each call takes too long: a number without common divisors with those of its parts. */
const STEP = 3;

const Update = z.object({ id: z.string(), status: z.string() });

it("a yes to a preview is carried out, or refused with nothing changed, whichever call to the disk fails", async () => {
  const { disk, place, start } = faultyVault({ hasMemory: true });
  const service = await start();
  onTestFinished(async () => service.kill());
  const items = (word: string): string[] =>
    existsSync(place("inbox"))
      ? readdirSync(place("inbox")).filter((name) => name.includes(word))
      : [];
  const refused: number[] = [];
  for (let after = 0; after < MOST_CALLS; after += STEP) {
    // Nothing else must meet the fault.
    await service.ask({ kind: "settle", isThorough: after === 0 });
    const word = `yes${after}no`;
    const content = `The ${word} of the harbour\n`;
    const taken = await service.ask({ kind: "remember", content, isPreview: true });
    const { id } = Update.parse(taken.structured);
    const waiting = await service.ask({ kind: "ended", id });
    expect(Update.parse(waiting.structured).status).toBe("preview");
    disk.arm({ fault: "EIO", after, isLasting: false });
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
});
