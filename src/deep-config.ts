import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import { nonEmpty, type Environment } from "./config.ts";
import {
  DEFAULT_MODELS,
  DeepSection,
  type DeepSettings,
  type ModelNames,
} from "./index/deep/deep-settings.ts";
import { errnoOf, ExpectedError } from "./errors.ts";

const SECONDS = 10;

/** What `deep` searches with: the environment, else the section `deep` of `coffre.json` in the vault's state folder. */
export function deepSettings(state: string, environment: Environment): DeepSettings {
  const said = deepSection(settingsFile(state));
  const url = nonEmpty(environment["COFFRE_EMBED_URL"]) ?? said.endpoint?.url;
  const model = nonEmpty(environment["COFFRE_EMBED_MODEL"]) ?? said.endpoint?.model;
  const key = nonEmpty(environment["COFFRE_EMBED_KEY"]) ?? said.endpoint?.key ?? null;
  if (url !== undefined && (model === undefined || !URL.canParse(url))) {
    throw new ExpectedError(
      "invalid_argument",
      model === undefined
        ? `There is an embedding server, ${url}, but no model: set COFFRE_EMBED_MODEL.`
        : `COFFRE_EMBED_URL is not an address: ${url}. Write it like http://127.0.0.1:11434/v1.`,
    );
  }
  return {
    engine: said.engine ?? "auto",
    endpoint: url === undefined || model === undefined ? null : { url, model, key },
    models: {
      embed: said.models?.embed ?? DEFAULT_MODELS.embed,
      rerank: said.models?.rerank ?? DEFAULT_MODELS.rerank,
      generate: said.models?.generate ?? DEFAULT_MODELS.generate,
    },
    modelsFolder: modelsFolder(environment),
    qmdFolder: nonEmpty(environment["COFFRE_QMD"]) ?? null,
    seconds: said.seconds ?? SECONDS,
  };
}

/** Where settings of a vault are kept: nothing of them is in the vault itself. */
function settingsFile(state: string): string {
  return path.join(state, "coffre.json");
}

/** The section `deep` of a settings file; empty when there is none. */
function deepSection(file: string): DeepSection {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return {};
    throw error;
  }
  try {
    const settings: unknown = JSON.parse(text);
    const isObject = typeof settings === "object" && settings !== null;
    return DeepSection.parse(isObject && "deep" in settings ? settings.deep : {});
  } catch (error) {
    throw new ExpectedError(
      "invalid_argument",
      `The section "deep" of ${file} is not as it should be.`,
      {
        cause: error,
      },
    );
  }
}

/** Where models are fetched from: `HF_ENDPOINT`, as other programs understand it, names a mirror. */
export function modelServer(environment: Environment): string {
  return (nonEmpty(environment["HF_ENDPOINT"]) ?? "https://huggingface.co").replace(/\/+$/u, "");
}

/** Remembers a choice of models in the settings of a vault; whatever else is there stays. */
export function saveModels(state: string, models: Partial<ModelNames>): void {
  const file = settingsFile(state);
  const section = deepSection(file);
  const settings: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const others = typeof settings === "object" ? settings : {};
  const deep = { ...section, models: { ...section.models, ...models } };
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify({ ...others, deep }, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

/** QMD's own folder, so that nothing is fetched twice; `COFFRE_MODELS` names another. */
function modelsFolder(environment: Environment): string {
  const named = nonEmpty(environment["COFFRE_MODELS"]);
  if (named !== undefined) return path.resolve(named);
  const cache = nonEmpty(environment["XDG_CACHE_HOME"]) ?? path.join(homedir(), ".cache");
  return path.join(cache, "qmd", "models");
}
