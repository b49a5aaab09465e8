import { template } from "../system/template.ts";
import {
  globalOptions,
  type Command,
  type Completes,
  type OptionSpec,
  type OptionSpecs,
} from "../table/command.ts";

/** What can stand at a place of the command line. */
type Place = { readonly choices?: readonly string[]; readonly completes?: Completes };

/** The completion script of a shell: bash, zsh or fish. */
export function completionScript(shell: string, commands: readonly Command[]): string {
  if (shell === "zsh") return template("completion/coffre.zsh", zshParts(commands));
  if (shell === "fish") return template("completion/coffre.fish", fishParts(commands));
  return template("completion/coffre.bash", bashParts(commands));
}

type Parts = Readonly<Record<string, string>>;

/** How a shell offers what can stand at a place. */
type Offer = (place: Place) => string;

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
  kinds: Readonly<Record<Completes | "anything", string>>,
  wordsOf: (words: string) => string,
): Offer {
  return ({ choices, completes }) =>
    choices === undefined ? kinds[completes ?? "anything"] : wordsOf(choices.join(" "));
}

/** What is offered as the arguments of a command; where they differ, its first says. */
function argumentOf({ name, positionals }: Command, commands: readonly Command[]): Place {
  if (name === "help") return { choices: commands.map((each) => each.name) };
  return Object.values(positionals)[0] ?? {};
}

/** From bash 3.2 on. */
function bashParts(commands: readonly Command[]): Parts {
  const names = (options: OptionSpecs): string =>
    Object.keys(options)
      .map((name) => `--${name}`)
      .join(" ");
  return {
    ...casesOf(commands, bashOffer, "return 0"),
    commands: commands.map(({ name }) => name).join(" "),
    everywhere: names(globalOptions),
    options: commands
      .map(({ name, options }) => `      ${name}) options="${names(options)}" ;;`)
      .join("\n"),
  };
}

/** To be sourced after `compinit`, or put in a folder of `$fpath` as `_coffre`. */
function zshParts(commands: readonly Command[]): Parts {
  const described = (name: string, { summary }: { readonly summary: string }): string =>
    `'${name}:${summary.replaceAll("'", String.raw`'\''`)}'`;
  const optionWords = (options: OptionSpecs): string =>
    Object.entries(options)
      .map(([name, spec]) => described(`--${name}`, spec))
      .join(" ");
  return {
    ...casesOf(commands, zshOffer, "return"),
    commands: commands.map((each) => `    ${described(each.name, each)}`).join("\n"),
    everywhere: optionWords(globalOptions),
    options: commands
      .filter(({ options }) => Object.keys(options).length > 0)
      .map(({ name, options }) => `      ${name}) options+=(${optionWords(options)}) ;;`)
      .join("\n"),
  };
}

/** The cases of a shell's `case` for the values of options, and for arguments. */
function casesOf(commands: readonly Command[], offer: Offer, leave: string): Parts {
  const valueCases = (command: string, options: OptionSpecs): string[] =>
    Object.entries(options).flatMap(([name, spec]) =>
      spec.kind === "flag" ? [] : [`    ${command}:--${name}) ${offer(spec)}; ${leave} ;;`],
    );
  const values = [
    ...valueCases("*", globalOptions),
    ...commands.flatMap(({ name, options }) => valueCases(name, options)),
  ];
  const places = commands.map(
    (each) => `    ${each.name}) ${offer(argumentOf(each, commands))} ;;`,
  );
  return { values: values.join("\n"), arguments: places.join("\n") };
}

function fishParts(commands: readonly Command[]): Parts {
  const quoted = (text: string): string =>
    `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
  const after = (command: string): string => quoted(`__fish_seen_subcommand_from ${command}`);
  const optionLine = (condition: string, name: string, spec: OptionSpec): string => {
    const isFlag = spec.kind === "flag";
    const short = isFlag && spec.short !== undefined ? ` -s ${spec.short}` : "";
    const value = isFlag ? "" : ` -r ${fishOffer(spec) || "-f"}`;
    return `complete -c coffre${condition}${short} -l ${name}${value} -d ${quoted(spec.summary)}`;
  };
  const optionLines = (condition: string, options: OptionSpecs): string[] =>
    Object.entries(options).map(([name, spec]) => optionLine(condition, name, spec));
  const commandLines = (command: Command): string[] => {
    const { name, summary, options } = command;
    const offered = fishOffer(argumentOf(command, commands));
    return [
      `complete -c coffre -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...optionLines(` -n ${after(name)}`, options),
      ...(offered === "" ? [] : [`complete -c coffre -n ${after(name)} ${offered}`]),
    ];
  };
  return {
    everywhere: optionLines("", globalOptions).join("\n"),
    commands: commands.flatMap(commandLines).join("\n"),
  };
}
