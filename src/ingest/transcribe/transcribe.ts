import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { extensionOf } from "../../vault/paths.ts";
import { baseOf, type SourceFile } from "../convert/converted.ts";

/** A server that speaks OpenAI's `/audio/transcriptions`. */
interface TranscriptionEndpoint {
  readonly kind: "endpoint";
  /** The base (`http://localhost:8080/v1`) or the whole address. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly model: string;
}

/** A program of this machine that prints what a sound file says: whisper.cpp's `whisper-cli`, for instance. */
interface TranscriptionCommand {
  readonly kind: "command";
  /** Words, quoted as in a shell; `{file}` stands for the sound file, which else comes last. */
  readonly command: string;
}

/** Moonshine tiny, English, in a process of ours. */
interface LocalTranscription {
  readonly kind: "moonshine";
  /** Where its package or its weights lie; null when the package is installed beside coffre. */
  readonly folder: string | null;
}

export type Transcription = RemoteTranscription | LocalTranscription;
type RemoteTranscription = TranscriptionEndpoint | TranscriptionCommand;

interface Recording extends SourceFile {
  readonly mimeType: string;
}

interface TranscribeOptions {
  readonly signal: AbortSignal;
  /** A folder for a file that is needed while a program runs. */
  readonly scratch: string;
}

/** The text of a recording. Throws an `ExpectedError` that says what to check when the server or the program fails. */
export async function transcribe(
  file: Recording,
  by: RemoteTranscription,
  options: TranscribeOptions,
): Promise<string> {
  const text = await (by.kind === "endpoint"
    ? byEndpoint(file, by, options)
    : byCommand(file, by, options));
  return text.trim();
}

export const TRANSCRIPTION_ADVICE =
  "Set COFFRE_TRANSCRIBE_URL to a server that speaks OpenAI's /audio/transcriptions, COFFRE_WHISPER_COMMAND to a program such as whisper.cpp's whisper-cli, or COFFRE_MOONSHINE to on for English on this machine.";

const Answer = z.object({ text: z.string() });
const PATH = "/audio/transcriptions";

/** Sends a recording to a server and gives the text it answers with. */
async function byEndpoint(
  file: Recording,
  { url, key, model }: TranscriptionEndpoint,
  { signal }: TranscribeOptions,
): Promise<string> {
  const form = new FormData();
  // Servers go by the extension.
  form.set(
    "file",
    new File([new Uint8Array(file.bytes)], baseOf(file.name), { type: file.mimeType }),
  );
  form.set("model", model);
  form.set("response_format", "json");
  const address = url.endsWith(PATH) ? url : url.replace(/\/+$/u, "") + PATH;
  let response: Response;
  try {
    const headers = new Headers(key === undefined ? {} : { authorization: `Bearer ${key}` });
    response = await fetch(address, { method: "POST", body: form, signal, headers });
  } catch (error) {
    signal.throwIfAborted();
    // Node's `fetch` throws a short error with the system's as its cause.
    const { cause = error } = error instanceof Error ? error : {};
    const reason = cause instanceof Error ? cause.message : "no reason given";
    throw serverFailed(address, `did not answer (${reason})`, error);
  }
  const body = await response.text();
  if (!response.ok) {
    const advice = response.status === 401 ? "; check COFFRE_TRANSCRIBE_KEY" : "";
    throw serverFailed(
      address,
      `answered ${response.status}${advice}: ${body.slice(0, 300).trim() || response.statusText}`,
    );
  }
  const answer = Answer.safeParse(jsonOf(body));
  if (!answer.success)
    throw serverFailed(address, "answered with something that is not a transcription");
  return answer.data.text;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function serverFailed(address: string, why: string, cause?: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `The transcription server ${address} ${why}. Check that COFFRE_TRANSCRIBE_URL is right and the server is running.`,
    { cause },
  );
}

/** Bytes. */
const MAX_OUTPUT = 20_000_000;

/** Runs a program on a recording and gives what it prints. No shell is involved: nothing in a file's name can be a command. */
async function byCommand(
  { name, bytes }: SourceFile,
  { command }: TranscriptionCommand,
  { signal, scratch }: TranscribeOptions,
): Promise<string> {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const file = path.join(scratch, `${randomUUID()}${extensionOf(name)}`);
  writeFileSync(file, bytes, { mode: 0o600 });
  try {
    const words = wordsOfCommand(command);
    const isNamed = words.some((word) => word.includes("{file}"));
    const [program = "", ...args] = isNamed
      ? words.map((word) => word.replaceAll("{file}", file))
      : [...words, file];
    return await outputOf(program, args, signal);
  } finally {
    rmSync(file, { force: true });
  }
}

/** A command line as words: spaces separate, quotes hold together. */
export function wordsOfCommand(command: string): string[] {
  const words = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/gu) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/gu,
      (_, double?: string, single?: string) => double ?? single ?? "",
    ),
  );
}

async function outputOf(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { signal, maxBuffer: MAX_OUTPUT };
    const child = execFile(program, args, options, (error, out, complaint) => {
      if (error === null) return resolve(out);
      if (signal.aborted) return reject(signal.reason);
      const why =
        child.pid === undefined
          ? `cannot be started (${error.message})`
          : `ended with ${error.code ?? "a signal"}: ${complaint.slice(-500).trim()}`;
      reject(programFailed(program, why, error));
    });
    child.stdin?.end();
  });
}

function programFailed(program: string, why: string, cause?: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `The transcription program ${program} ${why}. Check COFFRE_WHISPER_COMMAND.`,
    { cause },
  );
}
