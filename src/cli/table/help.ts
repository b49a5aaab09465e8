import { globalOptions, type Command, type ListedCommand, type OptionSpec } from "./command.ts";

/** `coffre tree [PATH] [--depth N]` */
export function usageLine(command: Command): string {
  const { name, positionals, options, usage } = command;
  if (usage !== undefined) return `coffre ${name} ${usage}`;
  const words = Object.values(positionals).map(({ kind, label }) => {
    if (kind === "text") return `[${label}]`;
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

/** Everything about one command. */
export function commandHelp(command: Command): string {
  const positionals = Object.values(command.positionals).map(({ label, summary }): Row => [
    label,
    summary,
  ]);
  const sections = [
    command.summary + (command.details === undefined ? "" : `.\n${command.details}`),
    `Usage: ${usageLine(command)}`,
    table("Arguments", positionals),
    table("Options", optionRows(command.options)),
    table("Everywhere", optionRows(globalOptions)),
    ["Examples:", ...command.examples.map((example) => `  ${example}`)].join("\n"),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

/** All commands, by what one wants to do. */
export function generalHelp(commands: readonly ListedCommand[]): string {
  const shown = commands.filter(({ hidden }) => hidden !== true);
  const groups = [...Map.groupBy(shown, ({ group }) => group)].map(([group, listed]) =>
    table(
      group,
      listed.map(({ name, summary }): Row => [name, summary]),
      10,
    ),
  );
  return [
    "coffre: a vault of plain markdown that people and AI agents share safely",
    "Usage: coffre COMMAND [ARGUMENTS] [OPTIONS]\nWithout a command: coffre serve",
    ...groups,
    table("Everywhere", [
      ...optionRows(globalOptions),
      ["--version", "Show the version (before any command)"],
    ]),
    "More about a command: coffre COMMAND --help",
  ].join("\n\n");
}

type Row = readonly [name: string, summary: string];

function optionRows(options: Readonly<Record<string, OptionSpec>>): Row[] {
  return Object.entries(options).map(([name, spec]) => {
    const short = spec.kind === "flag" && spec.short !== undefined ? `-${spec.short}, ` : "";
    const choices =
      spec.kind !== "flag" && spec.choices !== undefined ? `: ${spec.choices.join(" or ")}` : "";
    return [short + optionText(name, spec), spec.summary + choices];
  });
}

function table(title: string, rows: readonly Row[], least = 0): string {
  if (rows.length === 0) return "";
  const width = Math.max(least, ...rows.map(([name]) => name.length));
  const lines = rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return [`${title}:`, ...lines].join("\n");
}
