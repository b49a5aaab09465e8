import { mkdirSync } from "node:fs";
import path from "node:path";

import { onTestFinished } from "vitest";

import { createIndex } from "../../src/index/create-index.ts";
import { DeepIndex } from "../../src/index/deep/deep-index.ts";
import type { ModelRole } from "../../src/index/deep/deep-settings.ts";
import { chooseDeep } from "../../src/index/deep/choose-engine.ts";
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
  const index = new DeepIndex({
    index: createIndex({ folder: path.join(folder, "index") }),
    folder: path.join(folder, "vectors"),
    now: () => new Date(),
    openModel: async () => choice.open(folder),
    budget: 60_000,
    quiet: 5,
    isBusy: () => isBusy,
  });
  onTestFinished(async () => index.close());
  return index;
}
