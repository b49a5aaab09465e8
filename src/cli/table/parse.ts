import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

import { nearest } from "../../text/likeness.ts";
import {
  globalOptions,
  UsageError,
  type Command,
  type OptionSpecs,
  type PositionalSpec,
  type Values,
} from "./command.ts";

/**
 * The command's name and the words around it: options for every command may precede it. `--version` is a name too. An option of the `usual` command
 * alone names it; without one there is no name.
 */
export async function splitCommand(
  argv: readonly string[],
  usual: () => Promise<Command>,
): Promise<{
  name: string | undefined;
  rest: readonly string[];
}> {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (!isOption(word) || word === "--version") return { name: word, rest: argv.toSpliced(at, 1) };
    const option = word.replace(/^-+/u, "").split("=", 1)[0] ?? "";
    if (option !== "h" && !Object.hasOwn(globalOptions, option)) {
      const { name, options } = await usual();
      if (Object.hasOwn(options, option)) return { name, rest: argv };
      throw new UsageError(`There is no option ${word} here; a command's own come after its name.`);
    }
    if (takesNext(word, argv[at + 1], globalOptions)) at += 1;
  }
  return { name: undefined, rest: argv };
}

/** Reads the words after a command's name. Throws {@link UsageError} for what does not fit its table. */
export function parseCommand(command: Command, words: readonly string[]): Values {
  const options: OptionSpecs = { ...command.options, ...globalOptions };
  const parsed = parseWords(words, options);
  const texts = new Map<string, readonly string[]>();
  const flags = new Set<string>();
  for (const [name, value] of Object.entries(parsed.values)) {
    const spec = options[name];
    if (value === true) flags.add(name);
    if (!Array.isArray(value) || spec === undefined || spec.kind === "flag") continue;
    const given = value.map(String);
    for (const text of given) checkValue(`--${name}`, text, spec);
    if (spec.kind !== "list" && given.length > 1) {
      throw new UsageError(`--${name} is given ${given.length} times; give it once.`);
    }
    texts.set(name, given);
  }
  // Whoever asks for help need not get the rest right.
  if (!flags.has("help")) placePositionals(command, parsed.positionals, texts);
  return { texts, flags };
}

function parseWords(
  words: readonly string[],
  options: OptionSpecs,
): { values: Record<string, unknown>; positionals: readonly string[] } {
  const config: ParseArgsOptionsConfig = {};
  for (const [name, spec] of Object.entries(options)) {
    if (spec.kind !== "flag") config[name] = { type: "string", multiple: true };
    else if (spec.short === undefined) config[name] = { type: "boolean" };
    else config[name] = { type: "boolean", short: spec.short };
  }
  try {
    const args = unambiguous(words, options);
    return parseArgs({ args, options: config, strict: true, allowPositionals: true });
  } catch (error) {
    throw explain(error, Object.keys(options));
  }
}

/**
 * The same words in a form that `parseArgs` cannot misread. It takes every word that begins with a dash for an option, but notes are
 * full of them: `--old "- [ ] call"`, `append tasks.md "- call"`.
 */
function unambiguous(words: readonly string[], options: OptionSpecs): string[] {
  const given: string[] = [];
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const next = words[at + 1];
    if (word === "--") {
      positionals.push(...words.slice(at + 1));
      break;
    }
    if (!isOption(word)) positionals.push(word);
    else if (takesNext(word, next, options)) {
      given.push(`${word}=${next}`);
      at += 1;
    } else given.push(word);
  }
  return [...given, "--", ...positionals];
}

/** `-h`, `--name`, `--name=anything`; not `-`, `- item`, `---` with lines after it, `-5`. */
function isOption(word: string): boolean {
  return /^(?:-[A-Za-z]+$|--[^\s=-][^\s=]*(?:=|$))/u.test(word);
}

/** True when `word` is an option whose value is the word after it, unless that is plainly another option. */
function takesNext(word: string, next: string | undefined, options: OptionSpecs): boolean {
  const spec = word.startsWith("--") ? options[word.slice(2)] : undefined;
  if (spec === undefined || spec.kind === "flag" || next === undefined) return false;
  const nextName = next.startsWith("--") ? next.slice(2).split("=", 1)[0] : undefined;
  return nextName === undefined || !Object.hasOwn(options, nextName);
}

/** What `parseArgs` refused, in our words; anything else is a bug and stays as it is. */
function explain(error: unknown, known: readonly string[]): unknown {
  if (!(error instanceof TypeError)) return error;
  const name = /'(--?[^\s'=]+)/u.exec(error.message)?.[1] ?? "An option";
  if (!error.message.startsWith("Unknown option")) {
    const takesNone = error.message.includes("does not take");
    return new UsageError(`${name} ${takesNone ? "takes no value" : "needs a value"}.`);
  }
  const near = nearest(name.replace(/^-+/u, ""), known);
  const hint =
    near === undefined
      ? "For text that begins with a dash, put -- before it."
      : `Did you mean --${near}?`;
  return new UsageError(`There is no option ${name}. ${hint}`);
}

function checkValue(
  name: string,
  text: string,
  { kind, choices }: { kind: string; choices?: readonly string[] },
): void {
  if (kind === "number" && !/^-?\d{1,15}$/u.test(text)) {
    throw new UsageError(`${name} takes a whole number, not ${JSON.stringify(text)}.`);
  }
  if (choices !== undefined && !choices.includes(text)) {
    throw new UsageError(`${name} takes ${choices.join(" or ")}, not ${JSON.stringify(text)}.`);
  }
}

function placePositionals(
  command: Command,
  words: readonly string[],
  texts: Map<string, readonly string[]>,
): void {
  let at = 0;
  for (const [name, spec] of Object.entries(command.positionals)) {
    const isLast = spec.kind === "list" || spec.kind === "any";
    const taken = isLast ? words.slice(at) : words.slice(at, at + 1);
    if (taken.length === 0 && spec.kind !== "text" && spec.kind !== "any") throw missing(spec);
    for (const text of taken) checkValue(spec.label, text, spec);
    if (taken.length > 0) texts.set(name, taken);
    at += taken.length;
  }
  const extra = words[at];
  if (extra !== undefined) {
    throw new UsageError(
      `${JSON.stringify(extra)} is one argument too many; put quotes around text with spaces.`,
    );
  }
}

function missing({ label, summary }: PositionalSpec): UsageError {
  const what = summary.charAt(0).toLowerCase() + summary.slice(1);
  return new UsageError(`${label} is missing: ${what}.`);
}

/** The command of that name. Throws a {@link UsageError} with the name that was probably meant. */
export function findCommand(name: string, commands: readonly Command[]): Command {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const listed = commands.filter(({ hidden }) => hidden !== true);
  const near =
    listed.find(({ synonyms = [] }) => synonyms.includes(name))?.name ??
    nearest(
      name,
      listed.map((command) => command.name),
    );
  const guess = near === undefined ? "" : ` Did you mean coffre ${near}?`;
  throw new UsageError(`There is no command ${JSON.stringify(name)}.${guess}`);
}
