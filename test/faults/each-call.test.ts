import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

import { expect, it, onTestFinished } from "vitest";

import { personText } from "../../src/testing/chaos/chaos-text.ts";
import { faultyVault } from "./faulty-vault.ts";

/** More than a change makes, until it is answered. */
const MOST_CALLS = 250;

it.each(["a.md", "folder/a.md"])(
  "a change of %s is made, or refused and nothing changed, whichever of its calls to the disk fails",
  async (name) => {
    const { disk, place, start } = faultyVault();
    mkdirSync(place("folder"));
    writeFileSync(place(name), "Before.\n");
    const service = await start();
    onTestFinished(async () => service.kill());
    const text = (): string => personText(readFileSync(place(name), "utf8"));
    const path = `vault/${name}`;
    const refused: number[] = [];
    for (let after = 0; after < MOST_CALLS; after += 1) {
      // Nothing else must meet the fault.
      await service.ask({ kind: "settle", isThorough: after === 0 });
      await service.call("read", { paths: [path] });
      const before = text();
      disk.arm({ fault: "EIO", after, isLasting: false });
      const content = `The version ${after}.`;
      const isWrite = after % 2 === 0;
      const { isError, bugs } = isWrite
        ? await service.call("write", { path, content: `${content}\n` })
        : await service.call("append", { path, content, position: "bottom" });
      disk.disarm();
      if (isError) refused.push(after);
      const done = isWrite ? `${content}\n` : `${before}\n${content}\n`;
      expect({ after, bugs, text: text() }).toEqual({
        after,
        bugs: [],
        text: isError ? before : done,
      });
    }
    expect(refused).not.toEqual([]);
    await service.close();
  },
);
