import { ExpectedError } from "../../errors.ts";

export const PROVIDERS = [
  "anthropic",
  "openai",
  "mistral",
  "google",
  "openrouter",
  "ollama",
  "openai-compatible",
] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** What the person configured, not yet understood. */
export interface ModelSettings {
  /** `provider/model`; with a base URL, the bare name of a model is enough. */
  readonly name: string;
  readonly baseUrl: string | null;
  /** Keys by the name of their provider. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A model, and all that is needed to reach it. The key stays in here: it is in no message and no log. */
export interface ModelChoice {
  readonly provider: ProviderName;
  readonly model: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

/** Those that answer without a key. */
const KEYLESS: ReadonlySet<ProviderName> = new Set(["ollama", "openai-compatible"]);

const OLLAMA = "http://127.0.0.1:11434/v1";

/** Throws an `ExpectedError` that says what to set. */
export function chooseModel({ name, baseUrl, keys }: ModelSettings): ModelChoice {
  const slash = name.indexOf("/");
  const named = PROVIDERS.find((provider) => provider === name.slice(0, Math.max(0, slash)));
  const provider = named ?? (baseUrl === null ? undefined : "openai-compatible");
  const model = named === undefined ? name : name.slice(slash + 1);
  if (provider === undefined || model === "") {
    throw new ExpectedError(
      "invalid_argument",
      `The model ${JSON.stringify(name)} is not of the form provider/model. Providers: ${PROVIDERS.join(", ")}. For another server that speaks OpenAI's protocol, give its address too (COFFRE_BASE_URL).`,
    );
  }
  if (provider === "openai-compatible" && baseUrl === null) {
    throw new ExpectedError(
      "invalid_argument",
      "A model of openai-compatible needs the address of its server: set COFFRE_BASE_URL.",
    );
  }
  const apiKey = keys[provider] ?? null;
  if (apiKey === null && !KEYLESS.has(provider)) {
    throw new ExpectedError(
      "invalid_argument",
      `The model ${name} needs a key: set ${keyVariable(provider)}, or apiKey in the coffre.json of the vault's state folder.`,
    );
  }
  return { provider, model, baseUrl: baseUrl ?? (provider === "ollama" ? OLLAMA : null), apiKey };
}

/** The name that a provider's own documentation gives. */
function keyVariable(provider: ProviderName): string {
  return provider === "google"
    ? "GOOGLE_GENERATIVE_AI_API_KEY"
    : `${provider.toUpperCase()}_API_KEY`;
}
