import type { HtmlElement, HtmlNode } from "./html-types.ts";

/*
 * Formulas that pages hold twice: drawn for the eye, and as MathML for screen readers, which is hidden by design (KaTeX, MathJax, Wikipedia).
 * The MathML is taken in place of what is drawn, as long as it says nothing that is not drawn: it must not become a place for hidden text.
 */

interface TwiceHeld {
  /** Holds the MathML. */
  readonly holder: HtmlElement;
  readonly math: HtmlElement;
  /** What the page shows of it. */
  readonly drawn: readonly HtmlElement[];
}

type Test = (element: HtmlElement) => boolean;

const classed =
  (pattern: RegExp): Test =>
  (element) =>
    pattern.test(element.getAttribute("class") ?? "");
const called =
  (...names: readonly string[]): Test =>
  ({ nodeName }) =>
    names.includes(nodeName.toUpperCase());

/** What holds the MathML, and what stands beside it for the eye. */
const FORMS: readonly (readonly [Test, Test])[] = [
  [classed(/(?:^|\s)katex-mathml(?:\s|$)/u), classed(/(?:^|\s)katex-html(?:\s|$)/u)],
  [called("MJX-ASSISTIVE-MML"), called("MJX-MATH", "SVG")],
  [classed(/(?:^|\s)MJX_Assistive_MathML(?:\s|$)/u), called("NOBR")],
  [classed(/(?:^|\s)mwe-math-mathml-a11y(?:\s|$)/u), classed(/(?:^|\s)mwe-math-fallback-image/u)],
];

/** The formula that an element holds for screen readers; null when it is anything else, or nothing is drawn of it. */
export function formulaOf(holder: HtmlElement): TwiceHeld | null {
  const form = FORMS.find(([isHolder]) => isHolder(holder));
  const math = form === undefined ? null : holder.querySelector("math");
  if (form === undefined || math === null) return null;
  const [, isDrawn] = form;
  const drawn = [...(holder.parentNode?.children ?? [])].filter(isDrawn);
  return drawn.length === 0 ? null : { holder, math, drawn };
}

/** Words of a formula that may be missing in what is drawn: a name that the page abbreviates. */
const MOST_UNSEEN = 2;
/** Words that may stand in the names of glyphs alone, since a page without their style sheet draws nothing. */
const MOST_IN_GLYPHS = 8;

/** Whether what is drawn says all that the MathML does. */
export function isFormulaOnly({ math, drawn }: TwiceHeld): boolean {
  const shown = squeezed(
    drawn.map((each) => `${each.textContent ?? ""} ${each.getAttribute("alt") ?? ""}`).join(" "),
  );
  const glyphs = squeezed(drawn.map(glyphsIn).join(""));
  const unseen = wordsIn(math).filter((word) => !shown.includes(word));
  const inGlyphs = unseen.filter((word) => glyphs.includes(word));
  return inGlyphs.length <= MOST_IN_GLYPHS && unseen.length - inGlyphs.length <= MOST_UNSEEN;
}

/** Leaves the MathML alone, where it and its drawing were. */
export function showFormula({ holder, math, drawn }: TwiceHeld): void {
  for (const each of drawn) each.remove();
  holder.replaceWith(math);
}

/** Letters of formulas have forms of their own: 𝑥 is x. */
function squeezed(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, "");
}

/** What is not taken of MathML. */
const NOT_SAID = called("ANNOTATION", "ANNOTATION-XML", "MPHANTOM");

/** Words of at least three letters, each from one text of the formula. */
function wordsIn(node: HtmlNode): string[] {
  if (!isElement(node)) {
    return (
      (node.textContent ?? "")
        .normalize("NFKC")
        .toLowerCase()
        .match(/\p{L}{3,}/gu) ?? []
    );
  }
  return NOT_SAID(node) ? [] : [...node.childNodes].flatMap(wordsIn);
}

const ELEMENT = 1;

function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === ELEMENT;
}

/** MathJax draws by style sheet or by path, and names the letter: `mjx-c1D465`, `data-c="1D465"`. */
function glyphsIn(drawn: HtmlElement): string {
  return [...drawn.querySelectorAll("mjx-c, [data-c]")]
    .map((glyph) => {
      const named = /(?:^|\s)mjx-c([\dA-F]{1,5})(?:\s|$)/u.exec(glyph.getAttribute("class") ?? "");
      const code = Number.parseInt(glyph.getAttribute("data-c") ?? named?.[1] ?? "", 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .join("");
}
