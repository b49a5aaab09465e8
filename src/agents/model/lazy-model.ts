import { ExpectedError } from "../../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import { chooseModel, type ModelChoice, type ModelSettings } from "./model-choice.ts";
import type { RetryPolicy } from "./retry.ts";

/** Which model is configured, and why it cannot be used if so. */
export interface ModelState {
  readonly name: string;
  readonly problem: string | null;
}

/** The configured model, loaded when it is first needed: a start loads none of what talks to it. */
export class LazyModel {
  readonly #settings: ModelSettings;
  readonly #choice: ModelChoice | ExpectedError;
  readonly #retries: RetryPolicy | undefined;
  #opened: Promise<ChatModel> | null = null;

  constructor(settings: ModelSettings, retries?: RetryPolicy) {
    this.#settings = settings;
    this.#retries = retries;
    this.#choice = choiceOf(settings);
  }

  get state(): ModelState {
    const problem = this.#choice instanceof ExpectedError ? this.#choice.message : null;
    return { name: this.#settings.name, problem };
  }

  /** Throws an `ExpectedError` that says what to set. */
  async open(): Promise<ChatModel> {
    if (this.#choice instanceof ExpectedError) throw this.#choice;
    this.#opened ??= load(this.#choice, this.#retries);
    return this.#opened;
  }
}

function choiceOf(settings: ModelSettings): ModelChoice | ExpectedError {
  try {
    return chooseModel(settings);
  } catch (error) {
    if (error instanceof ExpectedError) return error;
    throw error;
  }
}

async function load(choice: ModelChoice, retries: RetryPolicy | undefined): Promise<ChatModel> {
  const { openModel } = await import("./model.ts");
  return openModel(choice, retries);
}
