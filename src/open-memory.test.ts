import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { MemoryIndex } from "./index/create-index.ts";
import { fillIndex } from "./index/fill-index.ts";
import { openMemory } from "./open-memory.ts";
import { temporaryVault } from "./testing/temporary-vault.ts";
import type { Vault } from "./vault/vault.ts";

const overview = "# Overview\n\n## Inbox\n\n3 items waiting.\n";

it("tidies once a day when the vault is idle, and only when its settings say so", async () => {
  let now = new Date("2026-11-18T03:00:00");
  let lastBusy: Date | null = null;
  const vault = temporaryVault({ "overview.md": overview }, () => now);
  const index = new MemoryIndex();
  await fillIndex(vault, index);
  const onBug = (error: unknown): void => {
    throw error;
  };
  const models = { vault, index, of: (other: Vault) => other };
  const parts = { vault, index, models, now: () => now, lastBusy: () => lastBusy };
  const { memory, daily } = await openMemory({ model: null, onBug }, parts);
  onTestFinished(async () => memory.close());
  onTestFinished(async () => daily?.close());
  const look = async (): Promise<boolean> => (await daily?.look()) ?? false;
  expect(await look()).toBe(false);
  writeFileSync(path.join(vault.state, "coffre.json"), '{ "tidy": "daily" }');
  lastBusy = new Date("2026-11-18T02:55:00");
  expect(await look()).toBe(false);
  lastBusy = new Date("2026-11-18T02:50:00");
  expect(await look()).toBe(true);
  expect((await memory.tidy.waiting())?.ref).toBe("2026-11-18-tidy");
  expect(await look()).toBe(false);
  now = new Date("2026-11-19T03:00:00");
  expect(await look()).toBe(true);
  // Nothing new: the item of yesterday stays, and no other comes.
  expect((await vault.list("inbox")).map(({ name }) => name)).toEqual(["2026-11-18-tidy"]);
  expect(memory.tidy.status()).toEqual({ daily: true, last: "2026-11-19T03:00:00" });
  writeFileSync(path.join(vault.state, "coffre.json"), '{ "tidy": "weekly" }');
  now = new Date("2026-11-20T03:00:00");
  expect(await look()).toBe(false);
  expect(memory.tidy.status().daily).toBe(false);
});

it("runs nothing by itself in a process that only answers", async () => {
  const vault = temporaryVault();
  const index = new MemoryIndex();
  const models = { vault, index, of: (other: Vault) => other };
  const parts = { vault, index, models, now: () => new Date(), lastBusy: null };
  const { memory, daily } = await openMemory({ model: null, onBug: () => {} }, parts);
  onTestFinished(async () => memory.close());
  expect(daily).toBeNull();
});
