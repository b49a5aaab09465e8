import { ExpectedError } from "../../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import { PROVIDERS, type ProviderName } from "./providers.ts";
import type { RetryPolicy } from "./retry.ts";

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
