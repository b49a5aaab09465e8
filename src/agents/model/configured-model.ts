import { ExpectedError } from "../../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import { missingPackages } from "./model-packages.ts";
import { parseModelName, PROVIDERS, type ModelChoice } from "./providers.ts";
import type { RetryPolicy } from "./retry.ts";

/** The model a person configured; not checked yet. */
export interface ModelSettings {
  /** `provider/model`; with a base URL, the bare name of a model is enough. */
  readonly name: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

/** Which model is configured, and why it cannot be used if so. */
export interface ModelState {
  readonly name: string;
  readonly problem: string | null;
}

/** The configured model. Its provider is loaded when it is first needed, so that a start is fast. */
export class ConfiguredModel {
  readonly #name: string | null;
  readonly #choice: ModelChoice | ExpectedError | null;
  readonly #retries: RetryPolicy | undefined;
  #opened: Promise<ChatModel> | null = null;

  constructor(settings: ModelSettings | null, retries?: RetryPolicy) {
    this.#retries = retries;
    this.#name = settings?.name ?? null;
    this.#choice = settings === null ? null : choiceOf(settings);
  }

  /** Null when none is configured. Looked up each time, since a missing package may be installed while the service runs. */
  get state(): ModelState | null {
    if (this.#name === null) return null;
    return { name: this.#name, problem: this.#problem()?.message ?? null };
  }

  /** Null when none is configured. Throws an `ExpectedError` that says what to set or to install. */
  async open(): Promise<ChatModel | null> {
    if (this.#choice === null) return null;
    const problem = this.#problem();
    if (problem !== null) throw problem;
    if (this.#choice instanceof ExpectedError) throw this.#choice;
    this.#opened ??= load(this.#choice, this.#retries);
    return this.#opened;
  }

  #problem(): ExpectedError | null {
    if (this.#choice === null || this.#opened !== null) return null;
    if (this.#choice instanceof ExpectedError) return this.#choice;
    return missingPackages(this.#choice);
  }
}

async function load(choice: ModelChoice, retries: RetryPolicy | undefined): Promise<ChatModel> {
  const { openModel } = await import("./model.ts");
  return openModel(choice, retries);
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
