import { mkdirSync } from "node:fs";
import path from "node:path";

import { onTestFinished } from "vitest";

import { DeepIndex } from "../../src/index/deep/deep-index.ts";
import type { ModelRole } from "../../src/index/deep/deep-settings.ts";
import { chooseDeep } from "../../src/index/deep/choose-engine.ts";
import { SqliteIndex } from "../../src/index/lexical/sqlite-index.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { writeTinyModels } from "./tiny-models.ts";

export interface OpenOptions {
  /** Which models there are: all when left out. */
  readonly roles?: readonly ModelRole[];
  /** True to embed nothing. */
  readonly isBusy?: boolean;
}

/** An index with the real QMD and models made for the test. */
export function openIndex(
  folder = temporaryFolder(),
  { roles = ["embed", "rerank", "generate"], isBusy = false }: OpenOptions = {},
): DeepIndex {
  const modelsFolder = path.join(folder, "models");
  mkdirSync(modelsFolder, { recursive: true });
  const written = writeTinyModels(modelsFolder);
  const fileOf = (role: ModelRole): string => (roles.includes(role) ? written[role] : "none.gguf");
  const choice = chooseDeep({
    engine: "qmd",
    endpoint: null,
    models: { embed: fileOf("embed"), rerank: fileOf("rerank"), generate: fileOf("generate") },
    modelsFolder,
    qmdFolder: import.meta.dirname,
    seconds: 10,
  });
  const builtIn = new SqliteIndex(path.join(folder, "index"));
  const index = new DeepIndex({
    index: builtIn,
    folder: path.join(folder, "vectors"),
    now: () => new Date(),
    openModel: async () => choice.open(folder),
    budget: 60_000,
    quiet: 5,
    isBusy: () => isBusy,
  });
  onTestFinished(async () => {
    await index.stop();
    builtIn.close();
  });
  return index;
}
