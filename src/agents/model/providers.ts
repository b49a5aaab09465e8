import type { LanguageModel } from "ai";

import type { ModelSettings } from "./configured-model.ts";

/** A model of the AI SDK, and what its provider can take. */
export interface ProvidedModel {
  readonly model: Exclude<LanguageModel, string>;
  /** Whether the result of a tool may hold an image. If not, the image follows in a message of its own. */
  readonly takesImagesInResults: boolean;
}

/** Where a provider is reached, as the AI SDK takes it. */
interface Connection {
  readonly baseURL?: string;
  readonly apiKey?: string;
}

interface Provider {
  /** The environment variables for its key, the first found wins. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly needsBaseUrl: boolean;
  /** Used when the person gives none; null for the provider's own. */
  readonly baseUrl: string | null;
  /** The package that speaks to it, which people install when they use it. */
  readonly package: string;
  /** Loads its package, which no start without a model needs. */
  readonly open: (model: string, connection: Connection) => Promise<ProvidedModel>;
}

const CLOUD = { needsKey: true, needsBaseUrl: false, baseUrl: null };

/** Every provider: the only list of them. */
export const PROVIDERS = {
  anthropic: {
    ...CLOUD,
    package: "@ai-sdk/anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return { model: createAnthropic(connection)(model), takesImagesInResults: true };
    },
  },
  openai: {
    ...CLOUD,
    package: "@ai-sdk/openai",
    keyVariables: ["OPENAI_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI(connection);
      // Other servers with this API implement only its older protocol.
      return connection.baseURL === undefined
        ? { model: openai(model), takesImagesInResults: true }
        : { model: openai.chat(model), takesImagesInResults: false };
    },
  },
  mistral: {
    ...CLOUD,
    package: "@ai-sdk/mistral",
    keyVariables: ["MISTRAL_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createMistral } = await import("@ai-sdk/mistral");
      return { model: createMistral(connection)(model), takesImagesInResults: false };
    },
  },
  google: {
    ...CLOUD,
    package: "@ai-sdk/google",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createGoogle } = await import("@ai-sdk/google");
      return { model: createGoogle(connection)(model), takesImagesInResults: true };
    },
  },
  openrouter: {
    ...CLOUD,
    package: "@openrouter/ai-sdk-provider",
    keyVariables: ["OPENROUTER_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createOpenRouter } = await import("@openrouter/ai-sdk-provider");
      const router = createOpenRouter({ ...connection, compatibility: "strict" });
      return { model: router(model), takesImagesInResults: false };
    },
  },
  ollama: {
    package: "@ai-sdk/openai-compatible",
    keyVariables: ["OLLAMA_API_KEY"],
    needsKey: false,
    needsBaseUrl: false,
    baseUrl: "http://127.0.0.1:11434/v1",
    open: async (model, connection) => openCompatible("ollama", model, connection),
  },
  "openai-compatible": {
    package: "@ai-sdk/openai-compatible",
    keyVariables: ["COFFRE_API_KEY"],
    needsKey: false,
    needsBaseUrl: true,
    baseUrl: null,
    open: async (model, connection) => openCompatible("openai-compatible", model, connection),
  },
} satisfies Readonly<Record<string, Provider>>;

/** These providers cache the beginning of a prompt only where it is marked. The others need no mark. */
export const CACHE_MARKS = {
  anthropic: { cacheControl: { type: "ephemeral" } },
  openrouter: { cacheControl: { type: "ephemeral" } },
};

export type ProviderName = keyof typeof PROVIDERS;

async function openCompatible(
  name: string,
  model: string,
  { baseURL = "", ...connection }: Connection,
): Promise<ProvidedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const server = createOpenAICompatible({ name, baseURL, includeUsage: true, ...connection });
  return { model: server(model), takesImagesInResults: false };
}

/** A model, and all that is needed to reach it. The key appears in no message and no log. */
export interface ModelChoice extends Omit<ModelSettings, "name"> {
  readonly provider: ProviderName;
  readonly model: string;
}

/** The provider and the model that a name means; null when it names no provider and there is no base URL. */
export function parseModelName(
  name: string,
  baseUrl: string | null,
): { readonly provider: ProviderName; readonly model: string } | null {
  const slash = name.indexOf("/");
  const prefix = name.slice(0, Math.max(0, slash));
  if (isProvider(prefix)) return { provider: prefix, model: name.slice(slash + 1) };
  return baseUrl === null ? null : { provider: "openai-compatible", model: name };
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name);
}
