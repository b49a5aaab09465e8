import path from "node:path";

import type { DeepSettings, ModelRole } from "../../index/deep/deep-settings.ts";
import type { ModelFile } from "../../index/deep/model-files.ts";
import { ExpectedError } from "../../errors.ts";
import { formatBytes } from "../../text/tokens.ts";
import { arg, type CommandContext, defineCommand } from "../table/command.ts";
import { placeOf } from "../vault/place.ts";

const ROLES = ["embed", "rerank", "generate"] as const;

/** How a model is named. */
const FORMS = "hf:user/repository/file.gguf, or a file";

const PURPOSE: Readonly<Record<ModelRole, string>> = {
  embed: "finds by meaning; nothing goes without it",
  rerank: "rereads what was found, and puts the best first",
  generate: "asks the same in other words",
};

/** About, for those we name ourselves. */
const SIZES: Readonly<Record<string, number>> = {
  "embeddinggemma-300M-Q8_0.gguf": 330e6,
  "Qwen3-Embedding-0.6B-Q8_0.gguf": 640e6,
  "qwen3-reranker-0.6b-q8_0.gguf": 640e6,
  "qmd-query-expansion-1.7B-q4_k_m.gguf": 1.1e9,
};

export const models = defineCommand({
  name: "models",
  summary: "Show, choose and fetch the local models of deep search",
  options: {
    download: arg.flag("Fetch those that are missing; goes on where it broke off"),
    only: arg.list("ROLE", "Only this one; may be repeated", { choices: ROLES }),
    multilingual: arg.flag("Choose an embedding model for French and a hundred other languages"),
    embed: arg.text("MODEL", `The embedding model: ${FORMS}`, { completes: "file" }),
    rerank: arg.text("MODEL", `The model that rereads: ${FORMS}`, { completes: "file" }),
    generate: arg.text("MODEL", `The model that asks in other words: ${FORMS}`, {
      completes: "file",
    }),
  },
  details:
    "Needs QMD (npm install -g @tobilu/qmd@2.8). A choice is kept for this vault; another embedding model embeds everything again, and the vectors of the old one are kept. Files lie in QMD's own folder, or in $COFFRE_MODELS; $HF_ENDPOINT names a mirror.",
  examples: [
    "coffre models",
    "coffre models --multilingual --download",
    "coffre models --embed ~/models/own-embedder.gguf",
  ],
  synonyms: ["model", "pull", "download"],
  run: async (input, context) => {
    const { state } = placeOf(context);
    const { deepSettings, saveModels } = await import("../../settings.ts");
    const { MULTILINGUAL_EMBED } = await import("../../index/deep/deep-settings.ts");
    const chosen: Partial<Record<ModelRole, string>> = {};
    if (input.flag("multilingual")) chosen.embed = MULTILINGUAL_EMBED;
    for (const role of ROLES) {
      const name = input.text(role);
      if (name !== undefined) chosen[role] = await checkedName(name);
    }
    if (Object.keys(chosen).length > 0) saveModels(state, chosen);
    const settings = deepSettings(state, context.environment);
    if (input.flag("download")) await fetchMissing(settings, input.list("only"), context);
    await show(settings, context);
  },
});

async function checkedName(name: string): Promise<string> {
  const { localFile, parseRemote } = await import("../../index/deep/model-files.ts");
  if (parseRemote(name) !== null) return name;
  const file = path.resolve(name);
  if (localFile(file, "/") !== null) return file;
  throw new ExpectedError(
    "not_found",
    `There is no model ${name}: neither a file, nor written like hf:user/repository/file.gguf.`,
  );
}

async function fetchMissing(
  settings: DeepSettings,
  only: readonly string[],
  { screen, environment }: CommandContext,
): Promise<void> {
  const { modelFiles, localName, parseRemote } = await import("../../index/deep/model-files.ts");
  const { modelServer } = await import("../../settings.ts");
  const { download } = await import("../../index/deep/download.ts");
  const { modelsFolder } = settings;
  for (const { role, name, file } of modelFiles(settings.models, modelsFolder)) {
    const remote = parseRemote(name);
    if (file !== null || remote === null || (only.length > 0 && !only.includes(role))) continue;
    const { user, repository, file: wanted } = remote;
    try {
      await download({
        url: `${modelServer(environment)}/${user}/${repository}/resolve/main/${wanted}`,
        file: path.join(modelsFolder, localName(remote)),
        onProgress: (done, total) => screen.progress(progressText(wanted, done, total)),
      });
    } finally {
      screen.progress(null);
    }
  }
}

function progressText(name: string, done: number, total: number | null): string {
  if (total === null) return `Fetching ${name}: ${formatBytes(done)}`;
  const share = Math.floor((100 * done) / Math.max(1, total));
  return `Fetching ${name}: ${share} % of ${formatBytes(total)}`;
}

async function show(settings: DeepSettings, { screen }: CommandContext): Promise<void> {
  const { modelFiles } = await import("../../index/deep/model-files.ts");
  const { chooseDeep } = await import("../../index/deep/choose-engine.ts");
  const { modelsFolder: folder } = settings;
  const files = modelFiles(settings.models, folder);
  const { engine, why, advice } = chooseDeep(settings);
  screen.show({ folder, models: files, deep: { engine, why, advice } }, () =>
    [`Models in ${folder}`, ...files.map(rowOf), why, ...(advice === null ? [] : [advice])].join(
      "\n",
    ),
  );
}

function rowOf({ role, name, bytes }: ModelFile): string {
  const file = path.basename(name);
  const size = SIZES[file];
  const missing = size === undefined ? "not here" : `not here; about ${formatBytes(size)}`;
  const state = bytes === null ? missing : formatBytes(bytes);
  return `${role.padEnd(10)}${file} (${state}): ${PURPOSE[role]}`;
}
