import type { ModelSettings } from "./agents/model/model-choice.ts";
import { ingestSettings, modelSettings, type Environment } from "./config.ts";
import { deepSettings } from "./deep-config.ts";
import type { DeepSettings } from "./index/deep/deep-settings.ts";
import type { IngestSettings } from "./ingest/settings.ts";

/** Everything that a service can be configured with, whoever starts it. */
export interface ServiceSettings {
  /** Null for no model. */
  readonly model: ModelSettings | null;
  readonly ingest: IngestSettings;
  readonly deep: DeepSettings;
}

/** The settings of the vault with this state folder. Throws `invalid_argument` for a settings file that is not valid. */
export function serviceSettings(state: string, environment: Environment): ServiceSettings {
  return {
    model: modelSettings(state, environment),
    ingest: ingestSettings(environment),
    deep: deepSettings(state, environment),
  };
}
