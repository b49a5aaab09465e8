import type { Stems } from "./word-forms.ts";

/** A word of the vault, and how many chunks have it. */
export interface WordCount {
  readonly word: string;
  readonly chunks: number;
}

/** What is asked of the words of a vault. */
export type WordQuestion =
  /** Those with a stem, the most common first. */
  | {
      readonly kind: "stem";
      readonly column: keyof Stems;
      readonly stem: string;
      readonly most: number;
    }
  /** Those among some. */
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** Those that begin so and are about as long. */
  | {
      readonly kind: "start";
      readonly start: string;
      readonly shortest: number;
      readonly longest: number;
    }
  /** Those that have it in them, the most common first. */
  | { readonly kind: "containing"; readonly part: string; readonly most: number }
  /** One that is not counted yet, while files are loaded. */
  | { readonly kind: "uncounted"; readonly word: string };

/** Works something out by questions: how an engine finds the answers, at once or later, is its own affair. */
export type Asking<T> = Generator<WordQuestion, T, readonly WordCount[]>;
