import { inspect } from "node:util";

import type { Environment } from "../config.ts";
import { ExpectedError } from "../errors.ts";
import { UsageError, type Command, type CommandContext, type ExitCode } from "./table/command.ts";
import { allCommands } from "./commands/all-commands.ts";
import { serve } from "./commands/serve.ts";
import { findCommand, parseCommand, splitCommand } from "./table/parse.ts";
import { commandHelp, generalHelp, usageLine } from "./table/help.ts";
import { Screen, type OutputStream } from "./output/screen.ts";
import type { InputStream } from "./table/stdin.ts";
import { packageVersion } from "./system/process.ts";

export interface CliOptions {
  /** What was typed after `coffre`. */
  readonly argv: readonly string[];
  readonly environment: Environment;
  /** Opened only by a command that reads it. */
  readonly stdin: () => InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly now: () => Date;
}

/** Runs one command line. Never throws: errors are printed, and the exit code says which kind. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  const screen = new Screen({ ...options, json: wantsJson(options.argv) });
  let command: Command | undefined;
  try {
    const { name, rest } = splitCommand(options.argv, serve);
    if (name === "--version") {
      screen.print(packageVersion());
      return 0;
    }
    if (name === undefined) {
      screen.print(generalHelp(allCommands));
      return 0;
    }
    command = findCommand(name, allCommands);
    return await runCommand(command, rest, options, screen);
  } catch (error) {
    return report(error, command, screen);
  }
}

async function runCommand(
  command: Command,
  words: readonly string[],
  options: CliOptions,
  screen: Screen,
): Promise<ExitCode> {
  const values = parseCommand(command, words);
  if (values.flags.has("help")) {
    screen.print(commandHelp(command));
    return 0;
  }
  const { environment, now, stdin } = options;
  const named = { vault: values.texts.get("vault")?.[0], state: values.texts.get("state")?.[0] };
  const context: CommandContext = { commands: allCommands, environment, now, stdin, screen, named };
  return command.run(values, context);
}

function report(error: unknown, command: Command | undefined, screen: Screen): ExitCode {
  if (error instanceof UsageError) {
    const usage = command === undefined ? "coffre COMMAND [ARGUMENTS]" : usageLine(command);
    const more = command === undefined ? "coffre help" : `coffre ${command.name} --help`;
    screen.fail({
      code: "usage",
      message: error.message,
      hint: `Usage: ${usage}\nMore: ${more}`,
    });
    return 2;
  }
  if (error instanceof ExpectedError) screen.fail({ code: error.code, message: error.message });
  // A bug: its report needs the stack.
  else screen.warn(`Internal error; please report it:\n${inspect(error)}`);
  return 1;
}

/** Decided before parsing, so that usage errors are printed as JSON too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? argv.length : end).includes("--json");
}
