import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";

import { expect, it, onTestFinished, vi } from "vitest";

import { faultyVault } from "./faulty-vault.ts";

/** Calls to the disk that must have failed: the held file is looked at many times a second. */
const SEVERAL = 5;

it.each(["blind", "EIO"] as const)(
  "a disk that fails (%s) while it is looked whether another program writes to a replaced file ends nothing",
  async (fault) => {
    const { disk, place, start } = faultyVault();
    writeFileSync(place("a.md"), "Before.\n");
    const service = await start();
    onTestFinished(async () => service.kill());
    await service.ask({ kind: "settle", isThorough: true });
    const opened = openSync(place("a.md"), "a");
    onTestFinished(() => closeSync(opened));
    const add = { path: "vault/a.md", content: "A tool's.", position: "bottom" };
    expect(await service.call("append", add)).toMatchObject({ isError: false, bugs: [] });
    const before = disk.injected;
    disk.arm({ fault, after: 0, isLasting: true });
    writeSync(opened, "Another program's.\n");
    await vi.waitFor(() => expect(disk.injected).toBeGreaterThan(before + SEVERAL), {
      timeout: 60_000,
    });
    disk.disarm();
    expect(await service.ask({ kind: "settle", isThorough: true })).toMatchObject({ bugs: [] });
    const more = { ...add, content: "More." };
    expect(await service.call("append", more)).toMatchObject({ isError: false, bugs: [] });
    expect(await service.close()).toMatchObject({ isError: false, bugs: [] });
  },
);
