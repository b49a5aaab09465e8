import type { Environment } from "../../config.ts";
import type { Screen } from "../output/screen.ts";
import type { McpProfile } from "../../server/mcp/mcp-server.ts";
import type { InputStream } from "./stdin.ts";

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

/** `one` must be given, `text` may be, `list` is one or more and comes last; `any` may also be none. */
export interface PositionalSpec extends ValueSpec {
  readonly kind: "one" | "text" | "list" | "any";
}

/** `list` may be given several times, the others once. */
export type OptionSpec =
  | { readonly kind: "flag"; readonly summary: string; readonly short?: string }
  | (ValueSpec & { readonly kind: "text" | "number" | "list" });

export type PositionalSpecs = Readonly<Record<string, PositionalSpec>>;
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** 0 done, 1 refused or failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** What every command is given besides its own arguments. */
export interface CommandContext {
  /** All of them, for those that speak of the others. */
  readonly commands: () => Promise<readonly ListedCommand[]>;
  readonly environment: Environment;
  readonly now: () => Date;
  readonly stdin: () => InputStream;
  readonly screen: Screen;
  /** `--vault` and `--state`, as given. */
  readonly named: { readonly vault: string | undefined; readonly state: string | undefined };
}

interface CommandFacts {
  readonly name: string;
  /** One line, without a final period. */
  readonly summary: string;
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

export interface Command extends CommandFacts {
  readonly positionals: PositionalSpecs;
  readonly options: OptionSpecs;
  run(values: Values, context: CommandContext): Promise<ExitCode>;
}

/** A command in its group of the help. */
export interface ListedCommand extends Command {
  readonly group: string;
}

/** No name at all: what a command does not declare cannot be asked for. */
type NoSpecs = Readonly<Record<symbol, never>>;

/** A command as a value. Its `run` can only ask for arguments that it declares, by the kind it declares. */
export function defineCommand<
  const Positionals extends PositionalSpecs = NoSpecs,
  const Options extends OptionSpecs = NoSpecs,
>(
  definition: CommandFacts & {
    readonly positionals?: Positionals;
    readonly options?: Options;
    /** Done, unless it returns another exit code. */
    readonly run: (
      input: Input<Positionals & Options>,
      context: CommandContext,
    ) => Promise<ExitCode | void>;
  },
): Command {
  const { run, positionals = {}, options = {}, ...facts } = definition;
  return {
    ...facts,
    positionals,
    options,
    run: async (values, context) => (await run(new Input(values), context)) ?? 0,
  };
}

type Details = Pick<ValueSpec, "choices" | "completes">;

function valueOf<const Kind extends string>(kind: Kind) {
  return (label: string, summary: string, details: Details = {}) => ({
    kind,
    label,
    summary,
    ...details,
  });
}

/** The arguments and options of a command: by kind, how each is called and what it means. */
export const arg = {
  one: valueOf("one"),
  text: valueOf("text"),
  number: valueOf("number"),
  list: valueOf("list"),
  any: valueOf("any"),
  flag: (summary: string) => ({ kind: "flag", summary }) as const,
};

/** Understood by every command. */
export const globalOptions = {
  vault: arg.text("DIR", "The vault's folder (else $COFFRE_VAULT, else ~/coffre)", {
    completes: "folder",
  }),
  state: arg.text(
    "DIR",
    "Where its history is kept (else $COFFRE_STATE, else a folder of its own)",
    {
      completes: "folder",
    },
  ),
  json: arg.flag("Print JSON, for programs"),
  help: { kind: "flag", short: "h", summary: "Show this help" },
} as const satisfies OptionSpecs;

/** `--profile`, for the commands that give an AI client the tools. */
export const profileOption = arg.text(
  "NAME",
  "update: look and change (default); search: look and assemble; memory: hand over and ask, without files",
  { choices: ["update", "search", "memory"] },
);

export function profileOf(text: string | undefined): McpProfile {
  return text === "search" || text === "memory" ? text : "update";
}

/** What was given on the command line, by the name of the argument or option. Every value is a list: most have one item. */
export interface Values {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
}

type Specs = Readonly<Record<string, { readonly kind: string }>>;

/** The names in `S` that are declared with `Kind`. */
type Named<S extends Specs, Kind extends string> = {
  [Name in keyof S & string]: S[Name]["kind"] extends Kind ? Name : never;
}[keyof S & string];

/** The arguments of one command. Asking for one it does not declare does not compile. */
export class Input<S extends Specs> {
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  #texts(name: string): readonly string[] {
    return this.#values.texts.get(name) ?? [];
  }

  /** An argument that must be given: the parser saw to it. */
  one(name: Named<S, "one">): string {
    return this.#texts(name)[0] ?? "";
  }

  text(name: Named<S, "text">): string | undefined {
    return this.#texts(name)[0];
  }

  number(name: Named<S, "number">): number | undefined {
    const text = this.#texts(name)[0];
    return text === undefined ? undefined : Number(text);
  }

  list(name: Named<S, "list" | "any">): readonly string[] {
    return this.#texts(name);
  }

  flag(name: Named<S, "flag">): boolean {
    return this.#values.flags.has(name);
  }
}

/**
 * An id of the history, or the beginning of one. Every id begins with nothing: `coffre undo "$ID"` with a variable that was never
 * set must not undo the only change there is.
 */
export function entryId(given: string): string {
  if (given.trim() === "") throw new UsageError("ID is empty. List the changes with: coffre log.");
  return given;
}

/** The command line itself is wrong: exit 2, with how it should look. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
