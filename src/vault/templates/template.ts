/** The languages `init` can write in. */
export type Lang = "en" | "fr";

/** A file that `init` may write, as the person would have typed it. */
export interface TemplateFile {
  /** Relative to the vault's root, with `/` on every platform. */
  readonly path: string;
  /** Text carries no frontmatter: the vault adds and owns it. */
  readonly content: string | Uint8Array;
}

/** The local date `ago` days before today as `YYYY-MM-DD`; a negative `ago` is in the future. */
export type Day = (ago: number) => string;
