import path from "node:path";

import { DeepIndex } from "./deep-index.ts";
import type { DeepModel } from "./deep-model.ts";
import type { DeepSettings } from "./deep-settings.ts";
import { endpointModel } from "./embedding-endpoint.ts";
import type { SqliteIndex } from "./sqlite-index.ts";

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

/** Looks at what there is, and loads none of it. */
export function chooseDeep(settings: DeepSettings): DeepChoice {
  const { engine, endpoint } = settings;
  if (engine === "off") return words("it is switched off in coffre.json", null);
  if (engine === "endpoint" || (engine === "auto" && endpoint !== null)) {
    if (endpoint === null) {
      return words(
        "an embedding server is asked for, but none is named",
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
  return words("no model is installed", null);
}

function words(why: string, advice: string | null): DeepChoice {
  return {
    engine: "words",
    why: `Deep search goes by words: ${why}.`,
    advice,
    open: async () => null,
  };
}

/** The built-in index with what `deep` needs beside it. The model is opened when the index is told to. */
export function openDeepIndex(
  index: SqliteIndex,
  state: string,
  { now, deep }: { now: () => Date; deep: DeepSettings | undefined },
): DeepIndex {
  return new DeepIndex({
    index,
    folder: path.join(state, "vectors"),
    now,
    openModel: async () => (deep === undefined ? null : chooseDeep(deep).open(state)),
    ...(deep === undefined ? {} : { budget: deep.seconds * 1000 }),
  });
}
