import { globalOptions, type Command, type ListedCommand, type OptionSpec } from "./command.ts";

/** `coffre tree [PATH] [--depth N]` */
export function usageLine(command: Command): string {
  const { name, positionals, options, usage } = command;
  if (usage !== undefined) return `coffre ${name} ${usage}`;
  const words = Object.values(positionals).map(({ kind, label }) => {
    if (kind === "text") return `[${label}]`;
    if (kind === "any") return `[${label}]…`;
    return kind === "list" ? `${label}…` : label;
  });
  const optional = Object.entries(options).map(
    ([option, spec]) => `[${optionText(option, spec)}]${spec.kind === "list" ? "…" : ""}`,
  );
  return ["coffre", name, ...words, ...optional].join(" ");
}

function optionText(name: string, spec: OptionSpec): string {
  return spec.kind === "flag" ? `--${name}` : `--${name} ${spec.label}`;
}

type Translate = (english: string) => string;

/** Everything about one command. */
export function commandHelp(command: Command, translate: Translate): string {
  const { summary, details, examples } = command;
  const positionals = Object.values(command.positionals).map((spec): Row => [
    spec.label,
    spec.summary,
  ]);
  const sections = [
    translate(summary) + (details === undefined ? "" : `.\n${translate(details)}`),
    translate(`Usage: ${usageLine(command)}`),
    table("Arguments", positionals, translate),
    table("Options", optionRows(command.options, translate), translate),
    table("Everywhere", optionRows(globalOptions, translate), translate),
    [translate("Examples:"), ...examples.map((example) => `  ${example}`)].join("\n"),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

/** All commands, by what one wants to do. */
export function generalHelp(commands: readonly ListedCommand[], translate: Translate): string {
  const shown = commands.filter(({ hidden }) => hidden !== true);
  const groups = [...Map.groupBy(shown, ({ group }) => group)].map(([group, listed]) =>
    table(
      group,
      listed.map(({ name, summary }): Row => [name, summary]),
      translate,
      10,
    ),
  );
  const everywhere: Row[] = [
    ...optionRows(globalOptions, translate),
    ["--version", "Show the version (before any command)"],
  ];
  return [
    translate("coffre: a vault of plain markdown that people and AI agents share safely"),
    translate(
      "Usage: coffre COMMAND [ARGUMENTS] [OPTIONS]\nWithout a command: coffre status, or this help while there is no vault",
    ),
    ...groups,
    table("Everywhere", everywhere, translate),
    translate("More about a command: coffre COMMAND --help"),
  ].join("\n\n");
}

type Row = readonly [name: string, summary: string];

function optionRows(options: Readonly<Record<string, OptionSpec>>, translate: Translate): Row[] {
  return Object.entries(options).map(([name, spec]) => {
    const short = spec.kind === "flag" && spec.short !== undefined ? `-${spec.short}, ` : "";
    const choices =
      spec.kind !== "flag" && spec.choices !== undefined
        ? `${translate(":")} ${spec.choices.join(` ${translate("or")} `)}`
        : "";
    return [short + optionText(name, spec), translate(spec.summary) + choices];
  });
}

function table(name: string, rows: readonly Row[], translate: Translate, least = 0): string {
  if (rows.length === 0) return "";
  const width = Math.max(least, ...rows.map(([label]) => label.length));
  const lines = rows.map(([label, summary]) => `  ${label.padEnd(width)}  ${translate(summary)}`);
  return [translate(`${name}:`), ...lines].join("\n");
}
