import type { LanguageModel } from "ai";

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
  /** Loads its package, which no start without a model needs. */
  readonly open: (model: string, connection: Connection) => Promise<ProvidedModel>;
}

const CLOUD = { needsKey: true, needsBaseUrl: false, baseUrl: null };

/** Every provider: the only list of them. */
export const PROVIDERS = {
  anthropic: {
    ...CLOUD,
    keyVariables: ["ANTHROPIC_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return { model: createAnthropic(connection)(model), takesImagesInResults: true };
    },
  },
  openai: {
    ...CLOUD,
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
    keyVariables: ["MISTRAL_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createMistral } = await import("@ai-sdk/mistral");
      return { model: createMistral(connection)(model), takesImagesInResults: false };
    },
  },
  google: {
    ...CLOUD,
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createGoogle } = await import("@ai-sdk/google");
      return { model: createGoogle(connection)(model), takesImagesInResults: true };
    },
  },
  openrouter: {
    ...CLOUD,
    keyVariables: ["OPENROUTER_API_KEY"],
    open: async (model, connection): Promise<ProvidedModel> => {
      const { createOpenRouter } = await import("@openrouter/ai-sdk-provider");
      const router = createOpenRouter({ ...connection, compatibility: "strict" });
      return { model: router(model), takesImagesInResults: false };
    },
  },
  ollama: {
    keyVariables: ["OLLAMA_API_KEY"],
    needsKey: false,
    needsBaseUrl: false,
    baseUrl: "http://127.0.0.1:11434/v1",
    open: async (model, connection) => openCompatible("ollama", model, connection),
  },
  "openai-compatible": {
    keyVariables: ["COFFRE_API_KEY"],
    needsKey: false,
    needsBaseUrl: true,
    baseUrl: null,
    open: async (model, connection) => openCompatible("openai-compatible", model, connection),
  },
} satisfies Readonly<Record<string, Provider>>;

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
