import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { extensionOf } from "../../vault/paths.ts";
import type { SourceFile } from "../convert/converted.ts";
import type { TranscribeOptions, TranscriptionCommand } from "./transcribe.ts";

const MOST_OUTPUT = 20_000_000;

/** Runs a program on a recording and gives what it prints. No shell is involved: nothing in a file's name can be a command. */
export async function transcribeByCommand(
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
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], signal });
  let out = "";
  let complaint = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (out.length < MOST_OUTPUT) out += text;
  });
  child.stderr
    .setEncoding("utf8")
    .on("data", (text: string) => (complaint = (complaint + text).slice(-500)));
  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      const why = signal.aborted
        ? signal.reason
        : failed(program, `cannot be started (${error.message})`, error);
      reject(why);
    });
    child.on("close", (code) => {
      if (code === 0) resolve(out);
      else reject(failed(program, `ended with ${code ?? "a signal"}: ${complaint.trim()}`));
    });
  });
}

function failed(program: string, why: string, cause?: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `The transcription program ${program} ${why}. Look at COFFRE_WHISPER_COMMAND.`,
    { cause },
  );
}
