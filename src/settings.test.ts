import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ConfiguredModel } from "./agents/model/configured-model.ts";
import { DEFAULT_MODELS } from "./index/deep/deep-settings.ts";
import { dailyTokens, deepSettings, modelSettings, saveModels } from "./settings.ts";
import { refusalOf } from "./testing/expected-error.ts";
import { temporaryFolder } from "./testing/temporary-vault.ts";

function stateWithText(text: string): string {
  const state = temporaryFolder();
  writeFileSync(path.join(state, "coffre.json"), text);
  return state;
}

function stateWith(settings: unknown): string {
  return stateWithText(JSON.stringify(settings));
}

describe("the configured model", () => {
  it("is none when nothing names one", () => {
    expect(modelSettings(temporaryFolder(), { ANTHROPIC_API_KEY: "k" })).toBeNull();
  });

  it("comes from the environment, with the provider's own key", () => {
    const environment = {
      COFFRE_MODEL: "google/gemini",
      GEMINI_API_KEY: "g",
      ANTHROPIC_API_KEY: "a",
      COFFRE_API_KEY: "c",
      COFFRE_BASE_URL: "",
    };
    expect(modelSettings(temporaryFolder(), environment)).toEqual({
      name: "google/gemini",
      baseUrl: null,
      apiKey: "g",
    });
  });

  it("else from coffre.json; the environment wins, part by part", () => {
    const state = stateWith({ model: "openai/a", apiKey: "k", baseUrl: "http://x/v1" });
    expect(modelSettings(state, {})).toEqual({
      name: "openai/a",
      baseUrl: "http://x/v1",
      apiKey: "k",
    });
    const environment = { COFFRE_MODEL: "openai/b", OPENAI_API_KEY: "own" };
    expect(modelSettings(state, environment)).toEqual({
      name: "openai/b",
      baseUrl: "http://x/v1",
      apiKey: "own",
    });
  });

  it.each(["openai/x", "anthropic/x", "ollama/x", "openai-compatible/x", "x"])(
    "%s at a base URL takes COFFRE_API_KEY before any other key",
    (name) => {
      const environment = {
        COFFRE_MODEL: name,
        COFFRE_BASE_URL: "http://x/v1",
        COFFRE_API_KEY: "c",
        OPENAI_API_KEY: "o",
        ANTHROPIC_API_KEY: "a",
      };
      const settings = modelSettings(temporaryFolder(), environment);
      expect(settings?.apiKey).toBe("c");
      expect(new ConfiguredModel(settings).state).toEqual({ name, problem: null });
    },
  );

  it("that lacks its key says which variables give it", () => {
    const settings = { name: "openai/x", baseUrl: null, apiKey: null };
    expect(new ConfiguredModel(settings).state?.problem).toContain("set OPENAI_API_KEY, or");
    const elsewhere = { ...settings, baseUrl: "http://x/v1" };
    expect(new ConfiguredModel(elsewhere).state?.problem).toContain(
      "set COFFRE_API_KEY or OPENAI_API_KEY, or",
    );
  });

  it.each(["", "[]", '{"model": 7}', '{"model": ""}', '{"apiKey": "sk-secret",', "null"])(
    "refuses the file %j without showing what is in it",
    async (text) => {
      const state = stateWithText(text);
      const refusal = await refusalOf(() => modelSettings(state, {}));
      expect(refusal?.message).toContain("is not of the form");
      expect(refusal?.message).not.toContain("sk-secret");
    },
  );
});

describe("what deep searches with", () => {
  it("is QMD's own models when nothing is said", () => {
    const settings = deepSettings(temporaryFolder(), { XDG_CACHE_HOME: "/cache" });
    expect(settings).toEqual({
      engine: "auto",
      endpoint: null,
      models: DEFAULT_MODELS,
      modelsFolder: path.join("/cache", "qmd", "models"),
      qmdFolder: null,
      seconds: 10,
    });
  });

  it("is read from the section deep of coffre.json, whatever else is in there", () => {
    const endpoint = { url: "http://127.0.0.1:11434/v1", model: "nomic-embed-text" };
    const deep = { seconds: 4, endpoint, models: { embed: "/models/own.gguf" } };
    const settings = deepSettings(stateWith({ model: { name: "x" }, deep }), {});
    expect(settings).toMatchObject({
      seconds: 4,
      endpoint: { ...endpoint, key: null },
      models: { ...DEFAULT_MODELS, embed: "/models/own.gguf" },
    });
  });

  it("is what the environment says before anything else", () => {
    const state = stateWith({
      deep: { endpoint: { url: "http://a.test/v1", model: "m", key: "k" } },
    });
    const { endpoint } = deepSettings(state, {
      COFFRE_EMBED_URL: "http://b.test/v1",
      COFFRE_EMBED_MODEL: "n",
      COFFRE_EMBED_KEY: "l",
    });
    expect(endpoint).toEqual({ url: "http://b.test/v1", model: "n", key: "l" });
  });

  it.each([
    [{ deep: { engine: "magic" } }, {}, 'The section "deep"'],
    [{ deep: { secondes: 3 } }, {}, 'The section "deep"'],
    [{}, { COFFRE_EMBED_URL: "http://b.test/v1" }, "set COFFRE_EMBED_MODEL"],
    [{}, { COFFRE_EMBED_URL: "b", COFFRE_EMBED_MODEL: "n" }, "is not an address"],
  ])("is refused when it cannot be meant: %j %j", (settings, environment, message) => {
    const state = stateWith(settings);
    expect(() => deepSettings(state, environment)).toThrow(message);
  });

  it("is saved without touching the rest of coffre.json", () => {
    const state = stateWith({ model: "openai/a", other: [1], deep: { seconds: 4 } });
    saveModels(state, { embed: "/models/own.gguf" });
    saveModels(state, { rerank: "/models/other.gguf" });
    expect(JSON.parse(readFileSync(path.join(state, "coffre.json"), "utf8"))).toEqual({
      model: "openai/a",
      other: [1],
      deep: { seconds: 4, models: { embed: "/models/own.gguf", rerank: "/models/other.gguf" } },
    });
  });
});

describe("the limit of tokens a day", () => {
  it("comes from the environment, else from coffre.json, else there is none", () => {
    expect(dailyTokens(temporaryFolder(), {})).toBeNull();
    const state = stateWith({ dailyTokens: 5000 });
    expect(dailyTokens(state, {})).toBe(5000);
    expect(dailyTokens(state, { COFFRE_DAILY_TOKENS: "90000" })).toBe(90_000);
  });

  it.each(["0", "-1", "1e6", "many"])("is not %s", async (given) => {
    const refused = await refusalOf(() =>
      dailyTokens(temporaryFolder(), { COFFRE_DAILY_TOKENS: given }),
    );
    expect(refused).toMatchObject({ code: "invalid_argument" });
    expect(refused?.message).toContain(given);
  });
});
