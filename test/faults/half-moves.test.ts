import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { personText } from "../../src/testing/chaos/chaos-text.ts";
import { createVault } from "../../src/vault/vault.ts";
import { faultyVault } from "./faulty-vault.ts";

const TEXT = "La pompe.\n";

it.each(["the disk works again", "the process is killed"] as const)(
  "a move that the disk refuses half-way leaves one name when %s",
  async (how) => {
    const { disk, place, start } = faultyVault();
    writeFileSync(place("a.md"), TEXT);
    let service = await start();
    onTestFinished(async () => service.kill());
    await service.ask({ kind: "settle", isThorough: true });
    disk.arm({ fault: "keeps names", after: 0, isLasting: true });
    const moved = await service.call("move", { from: "vault/a.md", to: "vault/neuf/b.md" });
    expect(moved).toMatchObject({ isError: true, bugs: [] });
    expect(["a.md", "neuf/b.md"].map((name) => existsSync(place(name)))).toEqual([true, true]);
    if (how === "the process is killed") {
      await service.kill();
      disk.disarm();
      service = await start();
    }
    disk.disarm();
    await service.ask({ kind: "settle", isThorough: true });
    // Refused means that nothing is changed, as long as somebody is there to take it back.
    const [left, gone] =
      how === "the process is killed" ? ["neuf/b.md", "a.md"] : ["a.md", "neuf/b.md"];
    expect(existsSync(place(gone))).toBe(false);
    expect(personText(readFileSync(place(left), "utf8"))).toBe(TEXT);
    expect(existsSync(place("neuf"))).toBe(left !== "a.md");
    const found = await service.call("search", { queries: ["pompe"] }, "search");
    expect(found.text).toContain(`vault/${left}`);
    expect(found.text).not.toContain(`vault/${gone}`);
    await service.close();
    const vault = createVault({ root: place(""), state: path.join(place(""), "..", "state") });
    const calls = (await vault.log({ path: null, limit: 5 })).map(({ call }) => call);
    vault.close();
    expect(calls.includes("move")).toBe(how === "the process is killed");
  },
);
