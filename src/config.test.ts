import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { modelSettings } from "./config.ts";
import { refusalOf } from "./testing/expected-error.ts";
import { temporaryFolder } from "./testing/temporary-vault.ts";

function stateWith(text: string): string {
  const state = temporaryFolder();
  writeFileSync(path.join(state, "coffre.json"), text);
  return state;
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
      COFFRE_BASE_URL: "",
    };
    expect(modelSettings(temporaryFolder(), environment)).toEqual({
      name: "google/gemini",
      baseUrl: null,
      keys: { google: "g", anthropic: "a" },
    });
  });

  it("else from coffre.json; the environment wins, part by part", () => {
    const state = stateWith('{"model": "openai/a", "apiKey": "k", "baseUrl": "http://x/v1"}');
    expect(modelSettings(state, {})).toMatchObject({
      name: "openai/a",
      baseUrl: "http://x/v1",
      keys: { openai: "k" },
    });
    const environment = { COFFRE_MODEL: "openai/b", OPENAI_API_KEY: "own" };
    expect(modelSettings(state, environment)).toMatchObject({
      name: "openai/b",
      keys: { openai: "own" },
    });
  });

  it.each(["", "[]", '{"model": 7}', '{"model": ""}', '{"apiKey": "sk-secret",', "null"])(
    "refuses the file %j without showing what is in it",
    async (text) => {
      const state = stateWith(text);
      const refusal = await refusalOf(() => modelSettings(state, {}));
      expect(refusal?.message).toContain("is not of the form");
      expect(refusal?.message).not.toContain("sk-secret");
    },
  );
});
