import type { SourceFile } from "../convert/converted.ts";
import { transcribeByCommand } from "./transcribe-command.ts";
import { transcribeByEndpoint } from "./transcribe-endpoint.ts";

/** A server that speaks OpenAI's `/audio/transcriptions`. */
export interface TranscriptionEndpoint {
  readonly kind: "endpoint";
  /** The base (`http://localhost:8080/v1`) or the whole address. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly model: string;
}

/** A program of this machine that prints what a sound file says: whisper.cpp's `whisper-cli`, for instance. */
export interface TranscriptionCommand {
  readonly kind: "command";
  /** Words, quoted as in a shell; `{file}` stands for the sound file, which else comes last. */
  readonly command: string;
}

export type Transcription = TranscriptionEndpoint | TranscriptionCommand;

export interface TranscribeOptions {
  readonly signal: AbortSignal;
  /** A folder for a file that is needed while a program runs. */
  readonly scratch: string;
}

/** The text of a recording. Throws an expected error that says what to look at when the server or the program fails. */
export async function transcribe(
  file: SourceFile & { readonly mimeType: string },
  by: Transcription,
  options: TranscribeOptions,
): Promise<string> {
  const text = await (by.kind === "endpoint"
    ? transcribeByEndpoint(file, by, options)
    : transcribeByCommand(file, by, options));
  return text.trim();
}

export const TRANSCRIPTION_ADVICE =
  "Set COFFRE_TRANSCRIBE_URL to a server that speaks OpenAI's /audio/transcriptions, or COFFRE_WHISPER_COMMAND to a program such as whisper.cpp's whisper-cli.";
