import { styleText } from "node:util";

import type { Environment } from "../../config.ts";
import type { Translator } from "../../texts/translator.ts";
import { forPeople } from "./for-people.ts";

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

export type Style = "bold" | "dim" | "red" | "green" | "cyan";
export type Paint = (style: Style, text: string) => string;
/** Colours a whole text for a terminal. */
export type Colouring = (text: string, paint: Paint) => string;

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** What to type next. */
  readonly hint?: string | undefined;
}

/** Where a command prints: results to stdout, what went wrong to stderr; colours only where a person looks. */
export class Screen {
  /** Programs asked: print JSON. */
  readonly json: boolean;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  readonly #coloured: boolean;
  readonly #language: Translator | null;

  constructor(options: {
    stdout: OutputStream;
    stderr: OutputStream;
    environment: Environment;
    json: boolean;
    /** That of the person, when it is not English. Programs read English, whatever their user speaks. */
    language?: Translator | null;
  }) {
    this.json = options.json;
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    const { environment } = options;
    this.#language = options.json ? null : (options.language ?? null);
    const refused = (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
    this.#coloured = options.stdout.isTTY === true && !refused;
  }

  /** Prints text as lines: one final newline, whatever the text ends with. */
  print(text: string, colouring?: Colouring): void {
    const safe = this.#stdout.isTTY === true ? withoutControls(text) : text;
    const shown = this.#coloured && colouring !== undefined ? colouring(safe, paint) : safe;
    this.#stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  /** Our own words in the person's language; what is not ours in them stays. */
  readonly translate = (text: string): string => this.#language?.text(text) ?? text;

  /** Prints a result: as JSON for programs, as text for people. What has colours holds somebody's notes, and is in the right language already. */
  show(value: unknown, text: () => string, colouring?: Colouring): void {
    if (this.json) this.printJson(value);
    else if (colouring === undefined) this.print(this.translate(text()));
    else this.print(text(), colouring);
  }

  /** The same for what went wrong. */
  showFailed(value: unknown, text: () => string): void {
    if (this.json) this.#stderr.write(`${JSON.stringify(value, null, 2)}\n`);
    else this.warn(text());
  }

  printJson(value: unknown): void {
    this.#stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** Prints an error: people get the message and the hint, programs the code too. */
  fail(failure: Failure): void {
    const { hint } = failure;
    this.showFailed({ error: failure }, () => {
      const english = forPeople(failure.message);
      const message = this.#language?.error(failure.code, english) ?? english;
      return hint ? `${message}\n${hint}` : message;
    });
  }

  /** Shows how far something is, on one line of the terminal that the next one takes over; null takes it away. */
  progress(text: string | null): void {
    if (this.#stderr.isTTY === true) this.#stderr.write(`\r\u001b[2K${this.translate(text ?? "")}`);
  }

  /** Asks at a terminal; the answer is typed on the same line. */
  ask(question: string): void {
    this.#stderr.write(`${this.translate(question)} `);
  }

  /** For what is not the result itself: people read it, and a pipe gets the result alone. */
  warn(text: string): void {
    const said = this.translate(text);
    const safe = this.#stderr.isTTY === true ? withoutControls(said) : said;
    this.#stderr.write(safe.endsWith("\n") ? safe : `${safe}\n`);
  }
}

function paint(style: Style, text: string): string {
  // Whether to colour was decided above, for the stream we were given and not the process's own.
  return styleText(style, text, { validateStream: false });
}

// oxlint-disable-next-line no-control-regex -- naming control characters is the purpose here
const CONTROLS = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;

/** A note must not be able to move the cursor, rename the window or hide lines: control characters become visible. */
function withoutControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\uFFFD";
  });
}
