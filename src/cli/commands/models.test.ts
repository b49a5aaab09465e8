import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { startModelServer } from "../../testing/models/model-server.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { temporaryPlace } from "../testing/cli.ts";

const MODEL = Buffer.from("GGUF and then some");

describe("coffre models", () => {
  it("shows which models there are, how large, and what deep does without them", async () => {
    const environment = { COFFRE_MODELS: temporaryFolder() };
    writeFileSync(
      path.join(environment.COFFRE_MODELS, "hf_x_qwen3-reranker-0.6b-q8_0.gguf"),
      MODEL,
    );
    const { run } = temporaryPlace();
    const { code, stdout } = await run(["models"], { environment });
    expect(code).toBe(0);
    expect(stdout).toContain(
      "embed     embeddinggemma-300M-Q8_0.gguf (not here; about 330 MB): finds by meaning",
    );
    expect(stdout).toContain("rerank    qwen3-reranker-0.6b-q8_0.gguf (18 B): rereads");
    expect(stdout).toContain("Deep search goes by words: ");
  });

  it("fetches those that are missing, under the names that QMD looks for", async () => {
    const server = await startModelServer(MODEL);
    const environment = { COFFRE_MODELS: temporaryFolder(), HF_ENDPOINT: server.url };
    const { run } = temporaryPlace();
    const argv = ["models", "--download", "--only", "embed"];
    const { code, stdout, stderr } = await run(argv, { environment, terminal: true });
    expect(code).toBe(0);
    expect(stderr).toContain("Fetching embeddinggemma-300M-Q8_0.gguf: 100 % of 18 B");
    expect(stdout).toContain("embed     embeddinggemma-300M-Q8_0.gguf (18 B)");
    const name = "hf_ggml-org_embeddinggemma-300M-Q8_0.gguf";
    expect(readFileSync(path.join(environment.COFFRE_MODELS, name))).toEqual(MODEL);
    server.asked.length = 0;
    await run(argv, { environment });
    expect(server.asked).toEqual([]);
  });

  it("chooses a model for many languages, and keeps the rest of the settings", async () => {
    const environment = { COFFRE_MODELS: temporaryFolder() };
    const { run, json, state } = temporaryPlace();
    await run(["status"], { environment });
    writeFileSync(path.join(state, "coffre.json"), '{"chat":{"a":1},"deep":{"seconds":3}}');
    const shown = await json(["models", "--multilingual"], { environment });
    const embed = "hf:Qwen/Qwen3-Embedding-0.6B-GGUF/Qwen3-Embedding-0.6B-Q8_0.gguf";
    expect(shown).toMatchObject({ models: [{ role: "embed", name: embed, file: null }, {}, {}] });
    expect(JSON.parse(readFileSync(path.join(state, "coffre.json"), "utf8"))).toEqual({
      chat: { a: 1 },
      deep: { seconds: 3, models: { embed } },
    });
  });

  it("takes a file of one's own, and refuses one that is not there", async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "own.gguf");
    writeFileSync(file, MODEL);
    const environment = { COFFRE_MODELS: folder };
    const { run, json, state } = temporaryPlace();
    const missing = await run(["models", "--rerank", `${file}x`], { environment });
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no model"),
    });
    expect(existsSync(path.join(state, "coffre.json"))).toBe(false);
    const shown = await json(["models", "--embed", file], { environment });
    expect(shown).toMatchObject({ models: [{ name: file, file, bytes: 18 }, {}, {}] });
  });

  it("says that it is without network in one line, and leaves everything as it was", async () => {
    const environment = { COFFRE_MODELS: temporaryFolder(), HF_ENDPOINT: "http://127.0.0.1:1" };
    const { run } = temporaryPlace();
    const { code, stderr } = await run(["models", "--download"], { environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^127\.0\.0\.1:1 cannot be reached.*\n$/u);
  });
});
