import { globalOptions, type Command, type OptionSpec } from "../table/command.ts";

/** What can stand at a place of the command line, for a shell to offer. */
export type Candidates =
  | { readonly kind: "vault-path" | "file" | "folder" | "anything" }
  | { readonly kind: "words"; readonly words: readonly string[] };

export interface OptionCandidates {
  readonly name: string;
  readonly summary: string;
  readonly short: string | null;
  /** Null for a flag. */
  readonly value: Candidates | null;
}

export interface CommandCandidates {
  readonly name: string;
  readonly summary: string;
  /** Its own, without those understood everywhere. */
  readonly options: readonly OptionCandidates[];
  /** Its arguments; where they differ, the first says what is offered. */
  readonly argument: Candidates;
}

/** The command table as the completion scripts need it. */
export function candidatesOf(commands: readonly Command[]): CommandCandidates[] {
  const names = commands.map(({ name }) => name);
  return commands.map(({ name, summary, options, positionals }) => {
    const [first] = Object.values(positionals);
    const argument = name === "help" ? words(names) : valueOf(first ?? {});
    return { name, summary, options: optionsOf(options), argument };
  });
}

export const everywhere: readonly OptionCandidates[] = optionsOf(globalOptions);

function optionsOf(options: Readonly<Record<string, OptionSpec>>): OptionCandidates[] {
  return Object.entries(options).map(([name, spec]) => ({
    name: `--${name}`,
    summary: spec.summary,
    short: spec.kind === "flag" ? (spec.short ?? null) : null,
    value: spec.kind === "flag" ? null : valueOf(spec),
  }));
}

function valueOf(spec: {
  readonly choices?: readonly string[];
  readonly completes?: "vault-path" | "file" | "folder";
}): Candidates {
  if (spec.choices !== undefined) return words(spec.choices);
  return { kind: spec.completes ?? "anything" };
}

function words(list: readonly string[]): Candidates {
  return { kind: "words", words: list };
}
