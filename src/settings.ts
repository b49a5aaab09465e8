import { homedir } from "node:os";
import path from "node:path";

import { z } from "zod";

import type { ModelSettings } from "./agents/model/configured-model.ts";
import { parseModelName, PROVIDERS } from "./agents/model/providers.ts";
import { ingestSettings, nonEmpty, type Environment } from "./config.ts";
import {
  DEFAULT_MODELS,
  DeepSection,
  type DeepSettings,
  type ModelNames,
} from "./index/deep/deep-settings.ts";
import type { IngestSettings } from "./ingest/ingest.ts";
import { ExpectedError } from "./errors.ts";
import { readSettings, saveSettings } from "./settings-file.ts";

/*
 * The settings of a vault: variables of the environment, else `coffre.json` in the vault's state folder. Apart from `config.ts`, which every
 * command loads, since this one loads zod.
 */

const Text = z.string().min(1);

/** The parts of `coffre.json`. Other keys are left alone. */
const ModelPart = z.object({
  model: Text.optional(),
  baseUrl: Text.optional(),
  apiKey: Text.optional(),
});
const SpendingPart = z.object({ dailyTokens: z.int().positive().optional() });
const DeepPart = z.object({ deep: DeepSection.optional() });

/** Seconds a deep search may take. */
const DEEP_TIMEOUT = 10;

/**
 * The model: `COFFRE_MODEL`, `COFFRE_BASE_URL` and a key variable, else `coffre.json`. Null when neither names one. With a base URL the key
 * may be `COFFRE_API_KEY`, whatever the provider. Throws for a file that cannot be read, without showing its content.
 */
export function modelSettings(state: string, environment: Environment): ModelSettings | null {
  const file = readSettings(
    state,
    ModelPart,
    (name) =>
      `${name} is not of the form {"model": "provider/model", "baseUrl": "…", "apiKey": "…"}, where the last two may be left out.`,
  );
  const name = nonEmpty(environment["COFFRE_MODEL"]) ?? file.model;
  if (name === undefined) return null;
  const baseUrl = nonEmpty(environment["COFFRE_BASE_URL"]) ?? file.baseUrl ?? null;
  const parsed = parseModelName(name, baseUrl);
  const variables = [
    // First: a key of the provider's own is not meant for another server.
    ...(baseUrl === null ? [] : ["COFFRE_API_KEY"]),
    ...(parsed === null ? [] : PROVIDERS[parsed.provider].keyVariables),
  ];
  const [key] = variables.flatMap((variable) => nonEmpty(environment[variable]) ?? []);
  return { name, baseUrl, apiKey: key ?? file.apiKey ?? null };
}

/** What `deep` searches with. */
export function deepSettings(state: string, environment: Environment): DeepSettings {
  const section = readDeepSection(state);
  const url = nonEmpty(environment["COFFRE_EMBED_URL"]) ?? section.endpoint?.url;
  const model = nonEmpty(environment["COFFRE_EMBED_MODEL"]) ?? section.endpoint?.model;
  const key = nonEmpty(environment["COFFRE_EMBED_KEY"]) ?? section.endpoint?.key ?? null;
  if (url !== undefined && (model === undefined || !URL.canParse(url))) {
    throw new ExpectedError(
      "invalid_argument",
      model === undefined
        ? `There is an embedding server, ${url}, but no model: set COFFRE_EMBED_MODEL.`
        : `COFFRE_EMBED_URL is not an address: ${url}. Write it like http://127.0.0.1:11434/v1.`,
    );
  }
  return {
    engine: section.engine ?? "auto",
    endpoint: url === undefined || model === undefined ? null : { url, model, key },
    models: {
      embed: section.models?.embed ?? DEFAULT_MODELS.embed,
      rerank: section.models?.rerank ?? DEFAULT_MODELS.rerank,
      generate: section.models?.generate ?? DEFAULT_MODELS.generate,
    },
    modelsFolder: modelsFolder(environment),
    qmdFolder: nonEmpty(environment["COFFRE_QMD"]) ?? null,
    seconds: section.seconds ?? DEEP_TIMEOUT,
  };
}

/** Tokens that models may read and write in one day: `COFFRE_DAILY_TOKENS`, else `dailyTokens` of `coffre.json`. Null for no limit. */
export function dailyTokens(state: string, environment: Environment): number | null {
  const file = readSettings(
    state,
    SpendingPart,
    (name) => `"dailyTokens" in ${name} is not a whole number above 0.`,
  );
  const given = nonEmpty(environment["COFFRE_DAILY_TOKENS"]);
  if (given === undefined) return file.dailyTokens ?? null;
  if (/^[1-9]\d{0,14}$/u.test(given)) return Number(given);
  throw new ExpectedError(
    "invalid_argument",
    `COFFRE_DAILY_TOKENS is not a whole number above 0: ${given}.`,
  );
}

/** Everything that a service can be configured with. */
export interface ServiceSettings {
  /** Null for no model. */
  readonly model: ModelSettings | null;
  /** Null for no limit. */
  readonly dailyTokens: number | null;
  readonly ingest: IngestSettings;
  readonly deep: DeepSettings;
}

/** The settings of the vault with this state folder. Throws `invalid_argument` for a settings file that is not valid. */
export function serviceSettings(state: string, environment: Environment): ServiceSettings {
  return {
    model: modelSettings(state, environment),
    dailyTokens: dailyTokens(state, environment),
    ingest: ingestSettings(environment),
    deep: deepSettings(state, environment),
  };
}

/** Saves a choice of models for `deep`; everything else in the file stays. */
export function saveModels(state: string, models: Partial<ModelNames>): void {
  const section = readDeepSection(state);
  saveSettings(state, { deep: { ...section, models: { ...section.models, ...models } } });
}

/** Where models are downloaded from: `HF_ENDPOINT`, which other programs use too, names a mirror. */
export function modelServer(environment: Environment): string {
  return (nonEmpty(environment["HF_ENDPOINT"]) ?? "https://huggingface.co").replace(/\/+$/u, "");
}

function readDeepSection(state: string): DeepSection {
  const file = readSettings(
    state,
    DeepPart,
    (name) => `The section "deep" of ${name} is not valid.`,
  );
  return file.deep ?? {};
}

/** QMD's own folder, so that nothing is downloaded twice; `COFFRE_MODELS` names another. */
function modelsFolder(environment: Environment): string {
  const named = nonEmpty(environment["COFFRE_MODELS"]);
  if (named !== undefined) return path.resolve(named);
  const cache = nonEmpty(environment["XDG_CACHE_HOME"]) ?? path.join(homedir(), ".cache");
  return path.join(cache, "qmd", "models");
}
