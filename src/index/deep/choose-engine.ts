import path from "node:path";

import { DeepIndex, type DeepIndexOptions } from "./deep-index.ts";
import type { DeepModel } from "./deep-model.ts";
import type { DeepSettings } from "./deep-settings.ts";
import { endpointModel } from "./embedding-endpoint.ts";
import { modelFiles } from "./model-files.ts";
import { findQmd, openQmd, TESTED } from "./qmd.ts";

/** What `deep` will search with, and why. */
export interface DeepChoice {
  readonly engine: "qmd" | "endpoint" | "words";
  /** One sentence. */
  readonly why: string;
  /** What to do for more; null when nothing is missing. */
  readonly advice: string | null;
  /** @param folder where the engine may keep what it needs */
  readonly open: (folder: string) => Promise<DeepModel | null>;
}

/** Chooses by settings and installed files; loads no model. */
export function chooseDeep(settings: DeepSettings): DeepChoice {
  const { engine, endpoint } = settings;
  if (engine === "off") return words("it is switched off in coffre.json", null);
  if (engine === "endpoint" || (engine === "auto" && endpoint !== null)) {
    if (endpoint === null) {
      return words(
        "the settings ask for an embedding server, but name none",
        "Set COFFRE_EMBED_URL and COFFRE_EMBED_MODEL.",
      );
    }
    return {
      engine: "endpoint",
      why: `Deep search sends sections and questions to ${new URL(endpoint.url).host} (${endpoint.model}), and compares them here.`,
      advice: null,
      open: async () => endpointModel(endpoint),
    };
  }
  return chooseQmd(settings);
}

function chooseQmd({ qmdFolder, models, modelsFolder }: DeepSettings): DeepChoice {
  const installed = findQmd(qmdFolder);
  if (installed === null) {
    return words(
      "QMD is not installed, and no embedding server is named",
      "Either install it (npm install -g @tobilu/qmd@2.8, 1.1 GB) and run coffre models --download, or set COFFRE_EMBED_URL and COFFRE_EMBED_MODEL.",
    );
  }
  const { version } = installed;
  if (!installed.isTested) {
    return words(
      `QMD ${version} is installed, and only ${TESTED.from} up to ${TESTED.below} is known to work`,
      "npm install -g @tobilu/qmd@2.8",
    );
  }
  const [embed, rerank, generate] = modelFiles(models, modelsFolder);
  if (embed === undefined || embed.file === null) {
    return words(
      `QMD ${version} is installed, but not its embedding model ${models.embed}`,
      "Fetch it with coffre models --download.",
    );
  }
  const files = {
    embed: embed.file,
    rerank: rerank?.file ?? null,
    generate: generate?.file ?? null,
  };
  const missing = [
    ...(files.generate === null ? ["tries no other wordings"] : []),
    ...(files.rerank === null ? ["does not rerank what it found"] : []),
  ];
  const without =
    missing.length === 0 ? "" : `; it ${missing.join(" and ")}, because a model is missing`;
  return {
    engine: "qmd",
    why: `Deep search uses QMD ${version} with ${models.embed}, on this machine alone${without}.`,
    advice: missing.length === 0 ? null : "Fetch what is missing with coffre models --download.",
    open: async (folder) =>
      openQmd({ installed, folder: path.join(folder, "qmd"), model: models.embed, files }),
  };
}

function words(why: string, advice: string | null): DeepChoice {
  return {
    engine: "words",
    why: `Deep search goes by words: ${why}.`,
    advice,
    open: async () => null,
  };
}

/**
 * An index together with what `deep` searches with: by words until its model is opened, or when there is none.
 * @param state where vectors and models keep their files
 * @param deep what `deep` may search with; by words when undefined
 */
export function createDeepIndex(
  state: string,
  deep: DeepSettings | undefined,
  options: Pick<
    DeepIndexOptions,
    "index" | "vault" | "now" | "beforeSearch" | "isWhole" | "mayLeave"
  >,
): DeepIndex {
  return new DeepIndex({
    ...options,
    folder: path.join(state, "vectors"),
    openModel: async () => (deep === undefined ? null : chooseDeep(deep).open(state)),
    ...(deep === undefined ? {} : { budget: deep.seconds * 1000 }),
  });
}
