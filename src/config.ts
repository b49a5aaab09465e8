import { homedir } from "node:os";
import path from "node:path";

import { ExpectedError } from "./errors.ts";
import { uniqueName } from "./text/slug.ts";
import type { IngestSettings } from "./ingest/ingest.ts";
import type { Transcription } from "./ingest/transcribe/transcribe.ts";
import type { Language } from "./text/language.ts";

/** What the environment says. The only place that reads it. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

export function processEnvironment(): Environment {
  return process.env;
}

/** The folder that npm was called from when a script of it runs; that of this process otherwise. */
export function callersFolder(): string {
  return nonEmpty(process.env["INIT_CWD"]) ?? process.cwd();
}

/** This person's own folder, by the variables that `homedir` reads. */
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

/**
 * Where processes of this user register as the owner of a vault, whatever state folder they use: in the default place of state folders.
 * @param root the vault's real folder
 */
export function registryFile(root: string, environment: Environment): string {
  return path.join(statesFolder(environment), "owners", vaultId(root));
}

/** Whether the state folder was named, by an option or a variable of ours. */
export function isStateNamed(named: string | undefined, environment: Environment): boolean {
  return (named ?? nonEmpty(environment["COFFRE_STATE"])) !== undefined;
}

/** Whether the state folder was chosen by an option or a variable, so that a program without them must be given it. */
export function isStateChosen(named: string | undefined, environment: Environment): boolean {
  const variables = ["COFFRE_STATE", "XDG_STATE_HOME"].map((name) => nonEmpty(environment[name]));
  return [named, ...variables].some((value) => value !== undefined);
}

/** Where the state folders of all vaults are, unless one is named. */
export function statesFolder(environment: Environment): string {
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

/** A login provider, and what a service is to it. */
export interface OidcSettings {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string | null };
}

/** Who the people of a team log in with; null when the environment names nobody. */
export function oidcSettings(environment: Environment): OidcSettings | null {
  const [issuer, id, secret] = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map((name) =>
    nonEmpty(environment[`COFFRE_OIDC_${name}`]),
  );
  if (issuer === undefined && id === undefined && secret === undefined) return null;
  if (issuer !== undefined && id !== undefined)
    return { issuer, client: { id, secret: secret ?? null } };
  throw new ExpectedError(
    "invalid_argument",
    "A login provider is named by COFFRE_OIDC_ISSUER and COFFRE_OIDC_CLIENT_ID together; one of them is missing.",
  );
}

const ON = /^(?:on|yes|true|1)$/iu;
const OFF = /^(?:off|no|false|0)$/iu;

/** A server before a program, and both before the model on this machine, which knows English only. A key in the environment alone sends nobody's recordings anywhere: the address must be named. */
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
  if (command !== undefined) return { kind: "command", command };
  const moonshine = nonEmpty(environment["COFFRE_MOONSHINE"]);
  if (moonshine === undefined || OFF.test(moonshine)) return undefined;
  return { kind: "moonshine", folder: ON.test(moonshine) ? null : path.resolve(moonshine) };
}

/** The language chosen, else French when the locale says so, else English. */
export function languageOf(environment: Environment, chosen?: string): Language {
  if (chosen === "fr" || chosen === "en") return chosen;
  const locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
    .map((name) => nonEmpty(environment[name]))
    .find((value) => value !== undefined);
  return locale?.toLowerCase().startsWith("fr") === true ? "fr" : "en";
}

/** A variable that is set to nothing is not set. */
export function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
