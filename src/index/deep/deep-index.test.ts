import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { describeFilters } from "../../testing/suites/filter-suite.ts";
import { describeSpellings } from "../../testing/suites/spelling-suite.ts";
import { describeDeepIndex } from "../../testing/suites/deep-index-suite.ts";
import {
  startEmbeddingServer,
  type EmbeddingServer,
} from "../../testing/models/embedding-server.ts";
import { Random } from "../../testing/random.ts";
import { describeReplacements } from "../../testing/suites/replaced-suite.ts";
import {
  describeSearchIndex,
  NO_FILTER,
  places,
  put,
} from "../../testing/suites/search-index-suite.ts";
import { describeWithoutModel } from "../../testing/suites/without-model-suite.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { createIndex } from "../create-index.ts";
import { MemoryIndex } from "../create-index.ts";
import { DeepIndex, type DeepIndexOptions } from "./deep-index.ts";
import { endpointModel } from "./embedding-endpoint.ts";

const DEEP = { mode: "deep", scope: null, limit: 10, from: null, to: null } as const;

/** An index with an embedding server as its model, in a folder that may be used again. */
function openWith(
  server: EmbeddingServer,
  folder = temporaryFolder(),
  options: Partial<DeepIndexOptions> = {},
): DeepIndex {
  const index = new DeepIndex({
    index: createIndex({ folder: path.join(folder, "index") }),
    folder: path.join(folder, "vectors"),
    now: () => new Date(),
    openModel: async () => endpointModel({ url: server.url, model: "toy", key: null }),
    quiet: 5,
    ...options,
  });
  onTestFinished(async () => index.close());
  return index;
}

async function opened(
  server: EmbeddingServer,
  options: Partial<DeepIndexOptions> = {},
): Promise<DeepIndex> {
  const index = openWith(server, temporaryFolder(), options);
  await index.start();
  return index;
}

describe("an index with an embedding server", () => {
  describeDeepIndex(async () => opened(await startEmbeddingServer()));
});

describe("the index in memory with an embedding server", () => {
  describeDeepIndex(async () => opened(await startEmbeddingServer(), { index: new MemoryIndex() }));
});

describe("an index without a model", () => {
  const openWithout = (): DeepIndex => {
    const folder = temporaryFolder();
    const index = new DeepIndex({
      index: createIndex({ folder: path.join(folder, "index") }),
      folder: path.join(folder, "vectors"),
      now: () => new Date(),
      openModel: async () => null,
    });
    onTestFinished(() => index.close());
    return index;
  };
  describeSearchIndex(openWithout);
  describeFilters(openWithout);
  describeSpellings(openWithout);
  describeWithoutModel(openWithout);
  describeReplacements(openWithout);
});

describe("deep search", () => {
  it("puts what replaced a passage above it, though only the old one is near in meaning", async () => {
    const index = await opened(await startEmbeddingServer());
    await put(index, "changelog.md", "## Temps\nUne averse est tombée.\n");
    await put(index, "new.md", "# Autre\n\nNon.\nRemplace : [[changelog#Temps]]\n");
    await index.settled();
    const { hits } = await index.search({
      ...NO_FILTER,
      queries: ["pluie"],
      mode: "deep",
      limit: 2,
    });
    expect(hits.map(({ path: file, replaced }) => [file, replaced?.path])).toEqual([
      ["new.md", undefined],
      ["changelog.md", "new.md"],
    ]);
  });

  it("embeds each section once, wherever it moves and whatever the program stamps", async () => {
    const server = await startEmbeddingServer();
    const index = await opened(server);
    await put(index, "a.md", "# Titre\n\nUne averse\n");
    await index.settled();
    await put(
      index,
      "a.md",
      "---\ncreated: 2026-03-09\ntokens: 12\n---\n\n# Titre\n\nUne averse\n",
    );
    await index.move("a.md", "d/b.md");
    await put(index, "copie.md", "# Titre\n\nUne averse\n");
    await index.settled();
    expect(server.texts).toEqual(["Titre\n# Titre\n\nUne averse"]);
  });

  it("goes on where another process left off", async () => {
    const server = await startEmbeddingServer();
    const folder = temporaryFolder();
    const first = openWith(server, folder);
    await first.start();
    await put(first, "a.md", "Une averse\n");
    await first.settled();
    server.manners.status = 503;
    await put(first, "b.md", "La voiture\n");
    await first.settled();
    expect(await first.status()).toMatchObject({ embedded: 1, pending: 1, state: "failed" });
    await first.close();
    delete server.manners.status;
    const again = openWith(server, folder);
    await again.start();
    await again.settled();
    expect(server.texts).toEqual(["Une averse", "La voiture"]);
    expect(await again.status()).toMatchObject({
      engine: "endpoint",
      model: "toy",
      state: "ready",
      embedded: 2,
      pending: 0,
    });
  });

  it("says why it goes by words when the server fails, and finds by words", async () => {
    const server = await startEmbeddingServer();
    const index = await opened(server);
    await put(index, "a.md", "Une averse\n");
    await index.settled();
    server.manners.status = 401;
    const { hits, notes } = await index.search({ ...DEEP, queries: ["averse"] });
    expect(hits.map((hit) => hit.path)).toEqual(["a.md"]);
    expect(notes.join()).toContain("answered 401 (is COFFRE_EMBED_KEY right?)");
  });

  it("returns what is there when its time is over, and says what was left out", async () => {
    const server = await startEmbeddingServer();
    const index = await opened(server, { budget: 150 });
    await put(index, "a.md", "Une averse\n");
    await index.settled();
    server.manners.delay = 5000;
    const { hits, notes } = await index.search({ ...DEEP, queries: ["averse"] });
    expect(hits.map((hit) => hit.path)).toEqual(["a.md"]);
    expect(notes).toEqual(["deep search has 0.2 s: left out the search by meaning"]);
  });

  it("finds by meaning though a model thinks of other wordings for too long", async () => {
    const server = await startEmbeddingServer();
    const index = await opened(server, {
      budget: 8000,
      openModel: async () => ({
        ...endpointModel({ url: server.url, model: "toy", key: null }),
        expand: async () => new Promise(() => {}),
        rerank: async (_, texts) => texts.map((text) => (text.includes("averse") ? 0.9 : 0.1)),
      }),
    });
    await put(index, "a.md", "Une averse\n");
    await put(index, "b.md", "La voiture\n");
    await index.settled();
    const { hits, notes } = await index.search({ ...DEEP, queries: ["pluie"] });
    expect(hits[0]).toMatchObject({ path: "a.md", score: 0.9 });
    expect(notes).toEqual(["deep search has 8 s: left out other wordings"]);
  });

  it("says that there is no model, and why, when it cannot be opened", async () => {
    const server = await startEmbeddingServer();
    const openModel = async (): Promise<never> => {
      throw new Error("the model's file is damaged");
    };
    const index = await opened(server, { openModel });
    await put(index, "a.md", "Une averse\n");
    const { hits, notes } = await index.search({ ...DEEP, queries: ["averse"] });
    expect(hits).toHaveLength(1);
    expect(notes).toEqual(["no model (the model's file is damaged): lexical deep search"]);
    expect(await index.status()).toMatchObject({ engine: "words", state: "failed" });
  });

  it("waits with embedding while others need the machine", async () => {
    const server = await startEmbeddingServer();
    let isBusy = true;
    const index = await opened(server, { isBusy: () => isBusy });
    await put(index, "a.md", "Une averse\n");
    const settled = index.settled();
    await expect.poll(async () => (await index.status()).state, { timeout: 10_000 }).toBe("paused");
    expect(server.texts).toEqual([]);
    isBusy = false;
    await settled;
    expect(await index.status()).toMatchObject({ state: "ready", embedded: 1, pending: 0 });
  });

  it("lets nothing of the model stop an update, and makes good later what it missed", async () => {
    const server = await startEmbeddingServer();
    const had = new Map<string, string>();
    let isBroken = true;
    const index = await opened(server, {
      openModel: async () => ({
        ...endpointModel({ url: server.url, model: "toy", key: null }),
        follower: {
          signatures: () => new Map(had),
          apply: ({ put: files, gone }) => {
            if (isBroken) throw new Error("the disk is full");
            for (const file of gone) had.delete(file);
            for (const { path: file, signature } of files) had.set(file, signature);
          },
        },
      }),
    });
    await put(index, "a.md", "Une averse\n");
    await put(index, "b.md", "La voiture\n");
    await index.remove("b.md");
    expect((await index.status()).problem).toBe("the disk is full");
    expect(await places(index, "averse")).toEqual(["a.md:1-1"]);
    isBroken = false;
    await index.start();
    expect([...had.keys()]).toEqual(["a.md"]);
    expect((await index.status()).problem).toBeNull();
  });

  it("starts over when the model behind a name gives other vectors", async () => {
    const server = await startEmbeddingServer();
    const index = await opened(server);
    await put(index, "a.md", "Une averse\n");
    await index.settled();
    server.manners.vector = () => Float32Array.of(1, 2, 3);
    await put(index, "b.md", "La voiture\n");
    await index.settled();
    expect(await index.status()).toMatchObject({ embedded: 0, pending: 2 });
    expect(await places(index, "averse", DEEP)).toEqual(["a.md:1-1"]);
  });

  it("keeps the first hits of fast where they are worth most, though vectors are noise", async () => {
    const dice = new Random(7);
    const noise = (): Float32Array => Float32Array.from({ length: 32 }, () => dice.next() - 0.5);
    const server = await startEmbeddingServer({ vector: noise });
    const index = await opened(server);
    const words = ["pompe", "cave", "toit", "mur", "pluie", "jardin", "four", "clef"];
    const word = (): string => dice.pick(words) ?? "";
    for (let at = 0; at < 80; at += 1)
      await put(index, `${at}.md`, `${Array.from({ length: 12 }, word).join(" ")}\n`);
    await index.settled();
    for (let round = 0; round < 25; round += 1) {
      const query = `${word()} ${word()}`;
      const fast = await places(index, query);
      const deep = await places(index, query, DEEP);
      expect(deep).toEqual(expect.arrayContaining(fast.slice(0, 5)));
      for (const [at, place] of fast.slice(0, 5).entries())
        expect(deep.indexOf(place)).toBeLessThan(2 * (at + 1));
    }
  });
});
