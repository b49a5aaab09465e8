import type { Command } from "../table/command.ts";
import {
  candidatesOf,
  everywhere,
  type Candidates,
  type CommandCandidates,
  type OptionCandidates,
} from "./candidates.ts";

/** The script for fish. */
export function fishCompletion(commands: readonly Command[]): string {
  const table = candidatesOf(commands);
  return `# Completion of coffre in fish: coffre completion fish > ~/.config/fish/completions/coffre.fish

function __coffre_paths
    set -l words (commandline -opc)
    set -l place
    for at in (seq (count $words))
        switch $words[$at]
            case --vault
                set place --vault $words[(math $at + 1)]
            case '--vault=*'
                set place $words[$at]
        end
    end
    # Of --name=value only the value is a path.
    set -l typed (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    command $words[1] __complete-paths $place -- $typed 2>/dev/null </dev/null
end

complete -c coffre -f
complete -c coffre -n __fish_use_subcommand -l version -d ${quoted("Show the version")}
${everywhere.map((option) => optionLine(null, option)).join("\n")}
${table.map(commandLines).join("\n")}`;
}

function commandLines({ name, summary, options, argument }: CommandCandidates): string {
  const lines = [
    `complete -c coffre -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...options.map((option) => optionLine(name, option)),
  ];
  const offered = offer(argument);
  if (offered !== null) lines.push(`complete -c coffre -n ${quoted(after(name))} ${offered}`);
  return lines.join("\n");
}

function optionLine(command: string | null, option: OptionCandidates): string {
  const condition = command === null ? "" : ` -n ${quoted(after(command))}`;
  const short = option.short === null ? "" : ` -s ${option.short}`;
  const value = option.value === null ? "" : ` -r ${offer(option.value) ?? "-f"}`;
  const name = option.name.replace(/^--/u, "");
  return `complete -c coffre${condition}${short} -l ${name}${value} -d ${quoted(option.summary)}`;
}

function after(command: string): string {
  return `__fish_seen_subcommand_from ${command}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}

const OFFERS = {
  "vault-path": "-f -a '(__coffre_paths)'",
  file: "-F",
  folder: "-f -a '(__fish_complete_directories)'",
  anything: null,
};

function offer(candidates: Candidates): string | null {
  if (candidates.kind !== "words") return OFFERS[candidates.kind];
  return `-f -a '${candidates.words.join(" ")}'`;
}
