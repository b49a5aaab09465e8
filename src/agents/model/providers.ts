import type { LanguageModel } from "ai";

import { ExpectedError } from "../../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import type { RetryPolicy } from "./retry.ts";

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

/** The model a person configured; not checked yet. */
export interface ModelSettings {
  /** `provider/model`; with a base URL, the bare name of a model is enough. */
  readonly name: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

/** A model, and all that is needed to reach it. The key appears in no message and no log. */
export interface ModelChoice extends Omit<ModelSettings, "name"> {
  readonly provider: ProviderName;
  readonly model: string;
}

/** Which model is configured, and why it cannot be used if so. */
export interface ModelState {
  readonly name: string;
  readonly problem: string | null;
}

/** The configured model. Its provider is loaded when it is first needed, so that a start is fast. */
export class ConfiguredModel {
  /** Null when none is configured. */
  readonly state: ModelState | null;
  readonly #choice: ModelChoice | ExpectedError | null;
  readonly #retries: RetryPolicy | undefined;
  #opened: Promise<ChatModel> | null = null;

  constructor(settings: ModelSettings | null, retries?: RetryPolicy) {
    this.#retries = retries;
    this.#choice = settings === null ? null : choiceOf(settings);
    const problem = this.#choice instanceof ExpectedError ? this.#choice.message : null;
    this.state = settings === null ? null : { name: settings.name, problem };
  }

  /** Null when none is configured. Throws an `ExpectedError` that says what to set. */
  async open(): Promise<ChatModel | null> {
    if (this.#choice === null) return null;
    if (this.#choice instanceof ExpectedError) throw this.#choice;
    this.#opened ??= load(this.#choice, this.#retries);
    return this.#opened;
  }
}

async function load(choice: ModelChoice, retries: RetryPolicy | undefined): Promise<ChatModel> {
  const { openModel } = await import("./model.ts");
  return openModel(choice, retries);
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

/** An error that says what to set, when the settings cannot be used. */
function choiceOf({ name, baseUrl, apiKey }: ModelSettings): ModelChoice | ExpectedError {
  const parsed = parseModelName(name, baseUrl);
  if (parsed === null || parsed.model === "") {
    return new ExpectedError(
      "invalid_argument",
      `The model ${JSON.stringify(name)} is not of the form provider/model. Providers: ${Object.keys(PROVIDERS).join(", ")}. For another server with OpenAI's API, set its address too (COFFRE_BASE_URL).`,
    );
  }
  const { provider } = parsed;
  const { keyVariables, needsKey, needsBaseUrl, baseUrl: usualUrl } = PROVIDERS[provider];
  if (needsBaseUrl && baseUrl === null) {
    return new ExpectedError(
      "invalid_argument",
      `A model of ${provider} needs the address of its server: set COFFRE_BASE_URL.`,
    );
  }
  if (apiKey === null && needsKey) {
    const variables = baseUrl === null ? keyVariables[0] : `COFFRE_API_KEY or ${keyVariables[0]}`;
    return new ExpectedError(
      "invalid_argument",
      `The model ${name} needs a key: set ${variables}, or apiKey in the coffre.json of the vault's state folder.`,
    );
  }
  return { ...parsed, baseUrl: baseUrl ?? usualUrl, apiKey };
}
