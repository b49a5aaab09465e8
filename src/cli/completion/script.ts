import type { Command } from "../table/command.ts";
import { template } from "../system/template.ts";
import {
  candidatesOf,
  everywhere,
  type Candidates,
  type CommandCandidates,
  type OptionCandidates,
} from "./candidates.ts";

/** The completion script of a shell: bash, zsh or fish. */
export function completionScript(shell: string, commands: readonly Command[]): string {
  const table = candidatesOf(commands);
  if (shell === "zsh") return template("completion/coffre.zsh", zshParts(table));
  if (shell === "fish") return template("completion/coffre.fish", fishParts(table));
  return template("completion/coffre.bash", bashParts(table));
}

type Parts = Readonly<Record<string, string>>;

/** How a shell offers what can stand at a place. */
type Offer = (candidates: Candidates) => string;

const bashOffer = offerOf(
  {
    "vault-path": "_coffre_paths",
    file: "_coffre_files -f",
    folder: "_coffre_files -d",
    anything: ":",
  },
  (words) => `_coffre_offer -W "${words}"`,
);

const zshOffer = offerOf(
  { "vault-path": "_coffre_paths", file: "_files", folder: "_files -/", anything: ":" },
  (words) => `compadd -- ${words}`,
);

const fishOffer = offerOf(
  {
    "vault-path": "-f -a '(__coffre_paths)'",
    file: "-F",
    folder: "-f -a '(__fish_complete_directories)'",
    anything: "",
  },
  (words) => `-f -a '${words}'`,
);

function offerOf(
  kinds: Readonly<Record<Exclude<Candidates["kind"], "words">, string>>,
  wordsOf: (words: string) => string,
): Offer {
  return (candidates) =>
    candidates.kind === "words" ? wordsOf(candidates.words.join(" ")) : kinds[candidates.kind];
}

/** From bash 3.2 on. */
function bashParts(table: readonly CommandCandidates[]): Parts {
  const names = (options: readonly { readonly name: string }[]): string =>
    options.map(({ name }) => name).join(" ");
  return {
    ...casesOf(table, bashOffer, "return 0"),
    commands: names(table),
    everywhere: names(everywhere),
    options: table
      .map((each) => `      ${each.name}) options="${names(each.options)}" ;;`)
      .join("\n"),
  };
}

/** To be sourced after `compinit`, or put in a folder of `$fpath` as `_coffre`. */
function zshParts(table: readonly CommandCandidates[]): Parts {
  const described = ({ name, summary }: { name: string; summary: string }): string =>
    `'${name}:${summary.replaceAll("'", String.raw`'\''`)}'`;
  const optionWords = (options: readonly OptionCandidates[]): string =>
    options.map(described).join(" ");
  return {
    ...casesOf(table, zshOffer, "return"),
    commands: table.map((each) => `    ${described(each)}`).join("\n"),
    everywhere: optionWords(everywhere),
    options: table
      .filter(({ options }) => options.length > 0)
      .map(({ name, options }) => `      ${name}) options+=(${optionWords(options)}) ;;`)
      .join("\n"),
  };
}

/** The cases of a shell's `case` for the values of options, and for arguments. */
function casesOf(table: readonly CommandCandidates[], offer: Offer, leave: string): Parts {
  const valueCases = (command: string, options: readonly OptionCandidates[]): string[] =>
    options.flatMap(({ name, value }) =>
      value === null ? [] : [`    ${command}:${name}) ${offer(value)}; ${leave} ;;`],
    );
  const values = [
    ...valueCases("*", everywhere),
    ...table.flatMap(({ name, options }) => valueCases(name, options)),
  ];
  const places = table.map(({ name, argument }) => `    ${name}) ${offer(argument)} ;;`);
  return { values: values.join("\n"), arguments: places.join("\n") };
}

function fishParts(table: readonly CommandCandidates[]): Parts {
  const quoted = (text: string): string =>
    `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
  const after = (command: string): string => quoted(`__fish_seen_subcommand_from ${command}`);
  const optionLine = (command: string | null, option: OptionCandidates): string => {
    const condition = command === null ? "" : ` -n ${after(command)}`;
    const short = option.short === null ? "" : ` -s ${option.short}`;
    const value = option.value === null ? "" : ` -r ${fishOffer(option.value) || "-f"}`;
    const name = option.name.replace(/^--/u, "");
    return `complete -c coffre${condition}${short} -l ${name}${value} -d ${quoted(option.summary)}`;
  };
  const commandLines = ({ name, summary, options, argument }: CommandCandidates): string[] => {
    const offered = fishOffer(argument);
    return [
      `complete -c coffre -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...options.map((option) => optionLine(name, option)),
      ...(offered === "" ? [] : [`complete -c coffre -n ${after(name)} ${offered}`]),
    ];
  };
  return {
    everywhere: everywhere.map((option) => optionLine(null, option)).join("\n"),
    commands: table.flatMap(commandLines).join("\n"),
  };
}
