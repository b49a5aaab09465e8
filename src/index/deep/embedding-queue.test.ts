import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { put } from "../../testing/suites/search-index-suite.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { toyVector } from "../../testing/models/toy-meaning.ts";
import { createIndex } from "../create-index.ts";
import { EmbeddingQueue, type EmbeddingQueueOptions } from "./embedding-queue.ts";
import { VectorStore } from "./vectors/vector-store.ts";

/** A queue over an index with ten sections, embedded two at a time; what was asked for, batch by batch. */
async function begin(options: Partial<EmbeddingQueueOptions> = {}) {
  const folder = temporaryFolder();
  const index = createIndex({ folder: path.join(folder, "index") });
  for (let at = 0; at < 10; at += 1) await put(index, `${at}.md`, `note ${at}\n`);
  const store = new VectorStore({ folder, model: "toy", now: () => new Date() });
  const batches: string[][] = [];
  const queue = new EmbeddingQueue({
    sections: index.sections,
    store,
    embedder: {
      model: "toy",
      batch: 2,
      isLocal: true,
      embed: async (texts) => {
        batches.push(texts.map(({ text }) => text));
        return texts.map(({ text }) => toyVector(text));
      },
    },
    isBusy: () => false,
    quiet: 0,
    ...options,
  });
  onTestFinished(async () => {
    await queue.close();
    await store.close();
    await index.close();
  });
  return { index, queue, batches };
}

describe("the embedding of what is missing", () => {
  it("goes batch by batch, and does nothing twice", async () => {
    const { index, queue, batches } = await begin();
    queue.poke();
    await queue.settled();
    expect(batches.map((batch) => batch.length)).toEqual([2, 2, 2, 2, 2]);
    await put(index, "3.md", "note changée\n");
    queue.poke();
    await queue.settled();
    expect(batches.slice(5)).toEqual([["note changée"]]);
    expect(await queue.progress()).toEqual({
      state: "ready",
      embedded: 10,
      pending: 0,
      problem: null,
    });
  });

  it("gets on also on a machine that is always busy, a batch at a time", async () => {
    const { queue, batches } = await begin({ isBusy: () => true, longestPause: 10 });
    queue.poke();
    await expect.poll(() => batches.length, { timeout: 30_000 }).toBeGreaterThan(1);
    expect((await queue.progress()).state).not.toBe("ready");
  });

  it("stops between two batches when it is closed, and knows what it has", async () => {
    const { queue, batches } = await begin();
    queue.poke();
    await expect.poll(() => batches.length, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
    await queue.close();
    const { embedded, pending } = await queue.progress();
    expect(embedded + pending).toBe(10);
  });
});
