import type { Environment } from "../../config.ts";
import { Input, type Values } from "./input.ts";
import type { Screen } from "../output/screen.ts";
import type { InputStream } from "../stdin.ts";

/** What a shell can offer for a value: names in the vault, or on this machine. */
export type Completes = "vault-path" | "file" | "folder";

interface ValueSpec {
  /** How it stands in the usage line: `PATH`, `N`. */
  readonly label: string;
  readonly summary: string;
  /** Nothing else is accepted. */
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

/** `one` must be given, `text` may be, `list` is one or more and comes last. */
export interface PositionalSpec extends ValueSpec {
  readonly kind: "one" | "text" | "list";
}

/** `list` may be given several times, the others once. */
export type OptionSpec =
  | { readonly kind: "flag"; readonly summary: string; readonly short?: string }
  | (ValueSpec & { readonly kind: "text" | "number" | "list" });

export type PositionalSpecs = Readonly<Record<string, PositionalSpec>>;
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export type Group = "Look" | "Change" | "History" | "Vault" | "Help";

/** 0 done, 1 refused or failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** What every command is given besides its own arguments. */
export interface CommandContext {
  /** All of them, for those that speak of the others. */
  readonly commands: readonly Command[];
  readonly environment: Environment;
  readonly now: () => Date;
  readonly stdin: () => InputStream;
  readonly screen: Screen;
  /** `--vault` and `--state`, as given. */
  readonly named: { readonly vault: string | undefined; readonly state: string | undefined };
}

interface CommandFacts<Positionals, Options> {
  readonly name: string;
  /** One line, without a final period. */
  readonly summary: string;
  readonly group: Group;
  readonly positionals: Positionals;
  readonly options: Options;
  /** What follows the name in the usage line, where listing the options would not say how they combine. */
  readonly usage?: string;
  /** More to say in its help than the summary. */
  readonly details?: string;
  readonly examples: readonly string[];
  /** Names that other programs have for it, to guess what was meant. */
  readonly synonyms?: readonly string[];
  /** Not for people: in no listing. */
  readonly hidden?: boolean;
}

export interface Command extends CommandFacts<PositionalSpecs, OptionSpecs> {
  run(values: Values, context: CommandContext): Promise<ExitCode>;
}

/** A command as a value. Its `run` can only ask for arguments that it declares, by the kind it declares. */
export function defineCommand<
  const Positionals extends PositionalSpecs,
  const Options extends OptionSpecs,
>(
  definition: CommandFacts<Positionals, Options> & {
    readonly run: (
      input: Input<Positionals & Options>,
      context: CommandContext,
    ) => Promise<ExitCode>;
  },
): Command {
  const { run, ...facts } = definition;
  return { ...facts, run: async (values, context) => run(new Input(values), context) };
}

/** Understood by every command. */
export const globalOptions = {
  vault: {
    kind: "text",
    label: "DIR",
    summary: "The vault's folder (else $COFFRE_VAULT, else ~/coffre)",
    completes: "folder",
  },
  state: {
    kind: "text",
    label: "DIR",
    summary: "Where its history is kept (else $COFFRE_STATE, else a folder of its own)",
    completes: "folder",
  },
  json: { kind: "flag", summary: "Print JSON, for programs" },
  help: { kind: "flag", short: "h", summary: "Show this help" },
} as const satisfies OptionSpecs;
