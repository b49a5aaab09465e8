import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import { uniqueName } from "./text/slug.ts";
import type { IngestSettings } from "./ingest/settings.ts";
import type { Transcription } from "./ingest/transcribe/transcribe.ts";
import { errnoOf, ExpectedError, explainErrno } from "./errors.ts";
import type { Lang } from "./vault/templates/template.ts";

/** What the environment says. The only place that reads it. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

export function processEnvironment(): Environment {
  return process.env;
}

/** This person's own folder, by the variables that `homedir` goes by. */
export function homeFolder(environment: Environment): string {
  const name = process.platform === "win32" ? "USERPROFILE" : "HOME";
  return nonEmpty(environment[name]) ?? homedir();
}

/** The vault to use: the one named, else `COFFRE_VAULT`, else `coffre` in the home folder. */
export function vaultFolder(named: string | undefined, environment: Environment): string {
  const chosen = named ?? nonEmpty(environment["COFFRE_VAULT"]);
  return chosen === undefined ? path.join(homedir(), "coffre") : path.resolve(chosen);
}

/**
 * Where history, index and queue of a vault are kept: the folder named, else `COFFRE_STATE`, else one of its own in the place the
 * platform has for such things.
 * @param root the vault's real folder
 */
export function stateFolder(
  root: string,
  named: string | undefined,
  environment: Environment,
): string {
  const chosen = named ?? nonEmpty(environment["COFFRE_STATE"]);
  return chosen === undefined
    ? path.join(statesFolder(environment), vaultId(root))
    : path.resolve(chosen);
}

/** Whether the state folder of a vault lies where only whoever has these variables, or is told, finds it. */
export function isStateChosen(named: string | undefined, environment: Environment): boolean {
  const variables = ["COFFRE_STATE", "XDG_STATE_HOME"].map((name) => nonEmpty(environment[name]));
  return [named, ...variables].some((value) => value !== undefined);
}

function statesFolder(environment: Environment): string {
  const xdg = nonEmpty(environment["XDG_STATE_HOME"]);
  if (xdg !== undefined) return path.join(xdg, "coffre");
  if (process.platform === "darwin")
    return path.join(homedir(), "Library", "Application Support", "coffre");
  const local = nonEmpty(environment["LOCALAPPDATA"]);
  if (process.platform === "win32" && local !== undefined) return path.join(local, "coffre");
  return path.join(homedir(), ".local", "state", "coffre");
}

/** Readable, and different for every folder: `notes-3fa94b1c`. */
export function vaultId(root: string): string {
  return uniqueName(path.basename(root), root);
}

/** The token that callers over TCP must show: the one named, else `COFFRE_TOKEN`; undefined when neither is given. */
export function explicitToken(
  named: string | undefined,
  environment: Environment,
): string | undefined {
  return named ?? nonEmpty(environment["COFFRE_TOKEN"]);
}

/** The variables that providers of models name for their keys. */
const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  ollama: ["OLLAMA_API_KEY"],
  "openai-compatible": ["COFFRE_API_KEY"],
};

/** Which model the agents use, and how it is reached. */
export interface ModelSettings {
  readonly name: string;
  readonly baseUrl: string | null;
  /** By the name of the provider. */
  readonly keys: Readonly<Record<string, string>>;
}

interface ModelFile {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

/**
 * The model: `COFFRE_MODEL`, `COFFRE_BASE_URL` and the provider's own key variable, else `coffre.json` in the vault's state folder. Null when
 * neither names one. Throws for a file that cannot be read, without showing what is in it.
 */
export function modelSettings(state: string, environment: Environment): ModelSettings | null {
  const file = readModelFile(path.join(state, "coffre.json"));
  const name = nonEmpty(environment["COFFRE_MODEL"]) ?? file.model;
  if (name === undefined) return null;
  const keys: Record<string, string> = {};
  for (const [provider, variables] of Object.entries(KEY_VARIABLES)) {
    const [found] = variables.flatMap((variable) => nonEmpty(environment[variable]) ?? []);
    const key = found ?? file.apiKey;
    if (key !== undefined) keys[provider] = key;
  }
  return { name, baseUrl: nonEmpty(environment["COFFRE_BASE_URL"]) ?? file.baseUrl ?? null, keys };
}

function readModelFile(file: string): ModelFile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return {};
    throw explainErrno(error, file);
  }
  const settings = parsed(text);
  const fields = new Map(Object.entries(settings ?? {}));
  const found: Record<string, string> = {};
  for (const name of ["model", "baseUrl", "apiKey"]) {
    const value: unknown = fields.get(name);
    if (typeof value === "string" && value !== "") found[name] = value;
    else if (settings === null || value !== undefined) throw notAsItShould(file);
  }
  return found;
}

function notAsItShould(file: string): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `${file} is not of the form {"model": "provider/model", "baseUrl": "…", "apiKey": "…"}, where the last two may be left out.`,
  );
}

/** The object that a JSON text is; null when it is none. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Who recognises speech and letters for ingest, as far as the environment says. */
export function ingestSettings(environment: Environment): IngestSettings {
  const folder =
    nonEmpty(environment["COFFRE_TESSDATA"]) ?? nonEmpty(environment["TESSDATA_PREFIX"]);
  const languages = nonEmpty(environment["COFFRE_OCR_LANGUAGES"])?.split(/[+,\s]+/u);
  return {
    ocr: {
      ...(folder === undefined ? {} : { folder: path.resolve(folder) }),
      ...(languages === undefined ? {} : { languages }),
    },
    transcription: transcriptionOf(environment),
  };
}

/** A server before a program. A key in the environment alone sends nobody's recordings anywhere: the address must be named. */
function transcriptionOf(environment: Environment): Transcription | undefined {
  const url = nonEmpty(environment["COFFRE_TRANSCRIBE_URL"]);
  if (url !== undefined) {
    const isOpenAi = /^https:\/\/api\.openai\.com(?:\/|$)/u.test(url);
    const own = nonEmpty(environment["COFFRE_TRANSCRIBE_KEY"]);
    const key = own ?? (isOpenAi ? nonEmpty(environment["OPENAI_API_KEY"]) : undefined);
    const model = nonEmpty(environment["COFFRE_TRANSCRIBE_MODEL"]) ?? "whisper-1";
    return { kind: "endpoint", url, key, model };
  }
  const command = nonEmpty(environment["COFFRE_WHISPER_COMMAND"]);
  return command === undefined ? undefined : { kind: "command", command };
}

/** French when the locale says so, else English. */
export function languageOf(environment: Environment): Lang {
  const locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
    .map((name) => nonEmpty(environment[name]))
    .find((value) => value !== undefined);
  return locale?.toLowerCase().startsWith("fr") === true ? "fr" : "en";
}

/** A variable that is set to nothing is not set. */
export function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
