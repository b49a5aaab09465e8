import { UsageError } from "./usage-error.ts";

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

  list(name: Named<S, "list">): readonly string[] {
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
