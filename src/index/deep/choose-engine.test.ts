import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { DEFAULT_MODELS, type DeepSettings } from "./deep-settings.ts";
import { localName, parseRemote } from "./model-files.ts";
import { chooseDeep } from "./choose-engine.ts";

/** A folder in which QMD of some version seems to be installed. */
function installQmd(version: string): string {
  const folder = temporaryFolder();
  const home = path.join(folder, "node_modules", "@tobilu", "qmd");
  mkdirSync(home, { recursive: true });
  const exports = { ".": { import: "./dist/index.js" } };
  writeFileSync(path.join(home, "package.json"), JSON.stringify({ version, exports }));
  return folder;
}

function modelsFolder(...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) {
    const remote = parseRemote(name);
    if (remote !== null) writeFileSync(path.join(folder, localName(remote)), "GGUF");
  }
  return folder;
}

function settings(more: Partial<DeepSettings>): DeepSettings {
  return {
    engine: "auto",
    endpoint: null,
    models: DEFAULT_MODELS,
    modelsFolder: temporaryFolder(),
    qmdFolder: temporaryFolder(),
    seconds: 10,
    ...more,
  };
}

describe("what deep will use", () => {
  it("is words without QMD and without a server, and it says how to get either", () => {
    const choice = chooseDeep(settings({}));
    expect(choice).toMatchObject({
      engine: "words",
      why: expect.stringContaining("not installed"),
    });
    expect(choice.advice).toContain("coffre models --download");
  });

  it("is words when it is switched off, whatever there is", () => {
    const endpoint = { url: "http://a.test/v1", model: "m", key: null };
    expect(chooseDeep(settings({ engine: "off", endpoint }))).toMatchObject({ engine: "words" });
  });

  it("is a server that is named, and it says where notes are sent", () => {
    const endpoint = { url: "http://a.test/v1", model: "m", key: "secret" };
    const { engine, why } = chooseDeep(settings({ endpoint, qmdFolder: installQmd("2.8.3") }));
    expect(engine).toBe("endpoint");
    expect(why).toContain("a.test (m)");
    expect(why).not.toContain("secret");
    expect(chooseDeep(settings({ engine: "endpoint" }))).toMatchObject({ engine: "words" });
  });

  it.each([
    ["2.8.3", "qmd"],
    ["2.8.11", "qmd"],
    ["2.8.2", "words"],
    ["2.9.0", "words"],
    ["3.0.0", "words"],
  ])("is QMD of the versions that were tested: %s", (version, engine) => {
    const folder = modelsFolder(...Object.values(DEFAULT_MODELS));
    const choice = chooseDeep(settings({ qmdFolder: installQmd(version), modelsFolder: folder }));
    expect(choice).toMatchObject({ engine, why: expect.stringContaining(version) });
  });

  it("is QMD only with its embedding model, and says what goes without the others", () => {
    const qmdFolder = installQmd("2.8.3");
    const none = chooseDeep(settings({ qmdFolder }));
    expect(none).toMatchObject({ engine: "words", why: expect.stringContaining("embeddinggemma") });
    const folder = modelsFolder(DEFAULT_MODELS.embed, DEFAULT_MODELS.rerank);
    const some = chooseDeep(settings({ qmdFolder, modelsFolder: folder }));
    expect(some).toMatchObject({
      engine: "qmd",
      why: expect.stringContaining("tries no other wordings, because a model is missing"),
      advice: expect.stringContaining("coffre models --download"),
    });
  });
});
