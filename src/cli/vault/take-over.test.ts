import { existsSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { acquireOwnership, findOwner } from "../../jobs/owner/owner-lock.ts";
import { isOwnershipRequested } from "../../jobs/owner/owner-request.ts";
import { refusalOf } from "../../testing/expected-error.ts";
import { serve, temporaryPlace } from "../testing/cli.ts";
import { connectMcp } from "../testing/mcp-client.ts";
import { takeOver } from "./take-over.ts";

const FILES = { "a.md": "The pump in the cellar\n" };

it("gives up when another process neither answers nor ends", async () => {
  const place = temporaryPlace(FILES);
  const ownership = acquireOwnership(place.state);
  onTestFinished(() => ownership?.release());
  const refusal = await refusalOf(async () => takeOver(place, async () => null, { timeout: 100 }));
  expect(refusal?.code).toBe("busy");
  expect(refusal?.message).toContain("still starting, or it hangs");
  expect(existsSync(path.join(place.state, "owner-wanted"))).toBe(false);
});

it("says that it waits for a slow owner, as long as it may", async () => {
  const place = temporaryPlace(FILES);
  const ownership = acquireOwnership(place.state);
  onTestFinished(() => ownership?.release());
  const words: string[] = [];
  const ended = new Error("the owner ended");
  const waiting = takeOver(
    place,
    async () => {
      if (words.length < 3) return null;
      throw ended;
    },
    { timeout: Number.POSITIVE_INFINITY, wordInterval: 1, onWaiting: (word) => words.push(word) },
  );
  await expect(waiting).rejects.toBe(ended);
  expect(words[0]).toContain(`Another process still owns the vault ${place.root}`);
});

it("lets coffre serve have the vault of several AI clients, who go on and miss nothing", async () => {
  const place = temporaryPlace(FILES);
  const clients = await Promise.all(Array.from({ length: 4 }, async () => connectMcp(place)));
  await Promise.all(clients.map(async (each) => each.text("read", { paths: "a.md" })));
  const before = findOwner(place.state)?.pid;
  expect(clients.map(({ pid }) => pid)).toContain(before);

  const served = new AbortController();
  let lines = 0;
  const writing = clients.map(async ({ text }) => {
    while (!served.signal.aborted) {
      lines += 1;
      await text("append", { path: "log.md", content: `line ${lines}`, position: "bottom" });
    }
  });
  const child = await serve(place);
  expect(findOwner(place.state)?.pid).toBe(child.process.pid);
  served.abort();
  await Promise.all(writing);

  const text = await clients[0]?.text("read", { paths: "log.md" });
  expect(text?.match(/\| line \d+/gu)).toHaveLength(lines);
  expect(isOwnershipRequested(place.state)).toBe(false);
  expect((await place.run(["open", "--json"])).stdout).toContain("http://127.0.0.1:");
});
