import { describe, expect, it } from "vitest";

import { startEmbeddingServer } from "../../testing/models/embedding-server.ts";
import { toyVector } from "../../testing/models/toy-meaning.ts";
import { endpointModel } from "./embedding-endpoint.ts";

const NEVER = new AbortController().signal;

describe("an embedding server", () => {
  it("gives a vector for each text, in order, and is shown the key", async () => {
    const server = await startEmbeddingServer();
    const { embedder } = endpointModel({ url: `${server.url}/`, model: "toy", key: "secret" });
    const texts = [
      { title: "Toit", text: "pluie" },
      { title: "", text: "cave" },
    ];
    const vectors = await embedder.embed(texts, "section", NEVER);
    expect(vectors).toEqual([toyVector("Toit pluie"), toyVector("cave")]);
    expect(server.texts).toEqual(["Toit\npluie", "cave"]);
    expect(server.keys).toEqual(["Bearer secret"]);
  });

  it("may be named with its whole address", async () => {
    const server = await startEmbeddingServer();
    const url = `${server.url}/embeddings`;
    const { embedder } = endpointModel({ url, model: "toy", key: null });
    await expect(embedder.embed([{ title: "", text: "a" }], "query", NEVER)).resolves.toHaveLength(
      1,
    );
    expect(server.keys).toEqual([undefined]);
  });

  it("cuts a text that is too long for the model, and no other", async () => {
    const server = await startEmbeddingServer({ longest: 2000 });
    const { embedder } = endpointModel({ url: server.url, model: "toy", key: null });
    const long = `averse ${"mot ".repeat(1000)}`;
    const texts = ["pluie", "cave", long, "toit"].map((text) => ({ title: "", text }));
    const vectors = await embedder.embed(texts, "section", NEVER);
    expect(vectors.map((vector) => vector.length)).toEqual([64, 64, 64, 64]);
    expect(vectors[3]).toEqual(toyVector("toit"));
    expect(server.texts.toSorted()).toEqual(
      ["averse", "cave", "pluie", "toit"].map((word) =>
        word === "averse" ? long.slice(0, 1200) : word,
      ),
    );
  });

  it("cuts a text of signs, each of which is a token to the model, as far as it must", async () => {
    const server = await startEmbeddingServer({ longest: 500 });
    const { embedder } = endpointModel({ url: server.url, model: "toy", key: null });
    const code = "{}();".repeat(300);
    const texts = ["pluie", code].map((text) => ({ title: "", text }));
    await expect(embedder.embed(texts, "section", NEVER)).resolves.toHaveLength(2);
    expect(server.texts.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([5, 375]);
  });

  it.each([
    [{ status: 401 }, "answered 401 (is COFFRE_EMBED_KEY right?)"],
    [{ status: 404 }, "answered 404 (is the address right, and the model known to it?)"],
    [{ status: 429 }, "answered 429 (too many requests; retried later)"],
    [{ status: 500 }, "answered 500."],
    [{ answer: "<html>" }, "gave an answer that is not one of embeddings"],
    [{ answer: '{"data":[]}' }, "gave no vector for text 1"],
    [{ delay: 2000 }, "cannot be reached"],
  ])("fails with words that say what to do: %j", async (manners, message) => {
    const server = await startEmbeddingServer(manners);
    // Only the slow server may run out of time, however busy the machine.
    const timeout = "delay" in manners ? 200 : 60_000;
    const { embedder } = endpointModel({ url: server.url, model: "toy", key: "k", timeout });
    const asked = embedder.embed([{ title: "", text: "a" }], "query", NEVER);
    await expect(asked).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(message),
    });
  });
});
