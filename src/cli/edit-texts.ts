import { readFileSync } from "node:fs";

import { explainErrno } from "../errors.ts";
import { decodeText, readStdin, type InputStream } from "./stdin.ts";
import { UsageError } from "./table/usage-error.ts";

/** A text given on the command line, or the file it is in. */
interface Source {
  readonly text: string | undefined;
  readonly file: string | undefined;
}

/** The two texts of an edit, from wherever each is given. */
export async function chooseTexts(
  oldSource: Source,
  newSource: Source,
  stdin: () => InputStream,
): Promise<{ old: string; new: string }> {
  checkSource("old", oldSource);
  checkSource("new", newSource);
  if (oldSource.file === "-" && newSource.file === "-") {
    throw new UsageError("Only one of --old-file and --new-file can be standard input.");
  }
  const given = { old: await read(oldSource, stdin), new: await read(newSource, stdin) };
  return {
    old: oldSource.file === undefined ? given.old : withoutLoneEnding(given.old, given.new),
    new: newSource.file === undefined ? given.new : withoutLoneEnding(given.new, given.old),
  };
}

function checkSource(name: string, { text, file }: Source): void {
  if (text === undefined && file === undefined) {
    throw new UsageError(`--${name} is missing; give it, or --${name}-file.`);
  }
  if (text !== undefined && file !== undefined) {
    throw new UsageError(`--${name} and --${name}-file exclude each other: give one.`);
  }
}

async function read({ text, file }: Source, stdin: () => InputStream): Promise<string> {
  if (text !== undefined || file === undefined) return text ?? "";
  if (file === "-") return readStdin(stdin(), "on standard input, or name a file");
  try {
    return decodeText(readFileSync(file), file);
  } catch (error) {
    throw explainErrno(error, file);
  }
}

/**
 * Every file ends with a line ending, most arguments do not. Taken to the letter, replacing a word by the one in a file would break
 * the line after it.
 */
function withoutLoneEnding(text: string, other: string): string {
  const isLone = other !== "" && !other.endsWith("\n");
  return isLone ? text.replace(/\r?\n$/u, "") : text;
}
