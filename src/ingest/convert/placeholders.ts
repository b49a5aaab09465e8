/**
 * Markdown that must reach the end as it is (formulas, references to footnotes) while the text around it goes through HTML. It is stood in
 * for by characters that no document has a meaning for.
 */
export class Placeholders {
  readonly #texts: string[] = [];

  /** What to write into the HTML. */
  add(markdown: string): string {
    this.#texts.push(markdown);
    return `\ue000${this.#texts.length - 1}\ue001`;
  }

  /** The markdown with every text in its place. */
  fill(markdown: string): string {
    return markdown.replaceAll(
      /\ue000(\d{1,7})\ue001/gu,
      (_, number: string) => this.#texts[Number(number)] ?? "",
    );
  }

  /** A formula in LaTeX. */
  formula(latex: string, isBlock: boolean): string {
    if (latex === "") return "";
    return this.add(isBlock ? `$$${latex}$$` : `$${latex}$`);
  }
}
