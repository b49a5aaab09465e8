import { readFileSync } from "node:fs";

import { nonEmpty } from "../../config.ts";
import { ExpectedError, explainErrno } from "../../errors.ts";
import { arg, UsageError, type CommandContext } from "../table/command.ts";
import { Prompt } from "../table/prompt.ts";

const SHORTEST = 8;

export const passphraseOption = arg.text(
  "FILE",
  "Its first line is the passphrase (else $COFFRE_PASSPHRASE, else it is asked for)",
  { completes: "file" },
);

/**
 * The passphrase of a backup: from a file, the environment, or the person at the terminal.
 * @param isNew asked twice, and refused when it is short: nobody can open the backup without it
 */
export async function passphraseOf(
  file: string | undefined,
  { environment, stdin, screen }: Pick<CommandContext, "environment" | "stdin" | "screen">,
  isNew: boolean,
): Promise<string> {
  const given = file === undefined ? nonEmpty(environment["COFFRE_PASSPHRASE"]) : firstLineOf(file);
  if (given !== undefined) return isNew ? longEnough(given) : given;
  const input = stdin();
  if (input.isTTY !== true) {
    throw new UsageError(
      "There is no passphrase. Give it as $COFFRE_PASSPHRASE or with --passphrase-file, or type it at a terminal.",
    );
  }
  const prompt = new Prompt(input, screen);
  try {
    const typed = await prompt.askHidden("Passphrase:");
    if (!isNew) return typed;
    longEnough(typed);
    if ((await prompt.askHidden("Once more:")) === typed) return typed;
  } finally {
    await prompt.close();
  }
  throw new ExpectedError("invalid_argument", "The two passphrases differ; nothing was written.");
}

function firstLineOf(file: string): string {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/u, 1)[0] ?? "";
  } catch (error) {
    throw explainErrno(error, file);
  }
}

function longEnough(passphrase: string): string {
  if (passphrase.length >= SHORTEST) return passphrase;
  throw new ExpectedError(
    "invalid_argument",
    `The passphrase has fewer than ${SHORTEST} characters; take a longer one. Several words are easy to remember.`,
  );
}
