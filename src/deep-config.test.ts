import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { deepSettings } from "./deep-config.ts";
import { DEFAULT_MODELS } from "./index/deep/deep-settings.ts";
import { temporaryFolder } from "./testing/temporary-vault.ts";

function stateWith(settings: unknown): string {
  const state = temporaryFolder();
  writeFileSync(path.join(state, "coffre.json"), JSON.stringify(settings));
  return state;
}

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
});
