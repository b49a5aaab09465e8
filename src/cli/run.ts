import { existsSync } from "node:fs";
import { inspect } from "node:util";

import { languageOf, vaultFolder, type Environment } from "../config.ts";
import { ExpectedError } from "../errors.ts";
import { UsageError, type Command, type CommandContext, type ExitCode } from "./table/command.ts";
import { allCommands, commandCalled } from "./commands/all-commands.ts";
import { parseCommand, splitCommand } from "./table/parse.ts";
import { commandHelp, generalHelp, usageLine } from "./table/help.ts";
import type { Translator } from "../texts/translator.ts";
import { Screen, type OutputStream } from "./output/screen.ts";
import type { InputStream } from "./table/stdin.ts";
import { pathsInside } from "./vault/inside-vault.ts";
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
  const language = await languageFor(options.environment);
  const screen = new Screen({ ...options, json: wantsJson(options.argv), language });
  let command: Command | undefined;
  try {
    const { name, rest } = await splitCommand(options.argv, async () => commandCalled("serve"));
    if (name === "--version") {
      screen.print(packageVersion());
      return 0;
    }
    command = await (name === undefined ? commandWithoutName(rest, options) : commandCalled(name));
    if (command === undefined) {
      screen.print(generalHelp(await allCommands(), screen.translate));
      return 0;
    }
    return await runCommand(command, rest, options, screen);
  } catch (error) {
    return report(error, command, screen);
  }
}

/** Loaded only for those who need it. */
async function languageFor(environment: Environment): Promise<Translator | null> {
  if (languageOf(environment) === "en") return null;
  return (await import("../texts/french.ts")).french;
}

/** Nothing was asked for: the status of the vault, and help while there is none. It makes nothing. */
async function commandWithoutName(
  words: readonly string[],
  { environment }: CliOptions,
): Promise<Command | undefined> {
  const status = await commandCalled("status");
  const { flags, texts } = parseCommand(status, words);
  const folder = vaultFolder(texts.get("vault")?.[0], environment);
  const isHelp = flags.has("help") || (!texts.has("vault") && !existsSync(folder));
  return isHelp ? undefined : status;
}

async function runCommand(
  command: Command,
  words: readonly string[],
  options: CliOptions,
  screen: Screen,
): Promise<ExitCode> {
  const values = pathsInside(parseCommand(command, words), command, options.environment);
  if (values.flags.has("help")) {
    screen.print(commandHelp(command, screen.translate));
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
