import { cascaded, parseDeclarations, sheetDeclarations, type Declarations } from "./css.ts";
import { looksSame, parseColor, shareOf, type Color } from "./css-colors.ts";
import { formulaOf, isFormulaOnly, showFormula } from "./hidden-formulas.ts";
import type { HtmlDocument, HtmlElement, HtmlNode } from "./html-types.ts";

/*
 * Text that a document holds and nobody sees. It is where orders to a model are hidden, so it is not taken in.
 */

/** The notice for the person; none when nothing was hidden. */
export function hiddenNotices(words: number): string[] {
  if (words === 0) return [];
  return [`Text that the document holds but does not show was left out (${wordsText(words)}).`];
}

/** `1 word`, `1,200 words` */
export function wordsText(words: number): string {
  return words === 1 ? "1 word" : `${words.toLocaleString("en")} words`;
}

export function countWords(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}

/**
 * Removes text that cannot be seen from a page: `display: none` and the like, no size, no opacity, the colour of its background, outside the
 * screen. Returns how many words that were.
 */
export function removeHiddenText(document: HtmlDocument): number {
  const fromSheets = sheetDeclarations(document);
  const isStyledElsewhere = document.querySelector('link[rel~="stylesheet"]') !== null;
  const remover = new Remover(fromSheets, isStyledElsewhere);
  remover.visit(document.body, START);
  remover.decideFormulas();
  return remover.words;
}

/** What an element inherits. */
interface Inherited {
  readonly isInvisible: boolean;
  readonly isWithoutSize: boolean;
  readonly color: Color | "transparent" | null;
  /** Null when it is a picture, or not known. */
  readonly background: Color | null;
  readonly depth: number;
}

const START: Inherited = {
  isInvisible: false,
  isWithoutSize: false,
  color: [0, 0, 0],
  background: [255, 255, 255],
  depth: 0,
};

/** Deeper elements are no page. */
const DEEPEST = 1000;
const TEXT = 3;
const ELEMENT = 1;
/** Their text is not shown as text, and is removed elsewhere. */
const NOT_TEXT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "TITLE"]);

class Remover {
  words = 0;
  readonly #fromSheets: ReadonlyMap<HtmlElement, Declarations>;
  readonly #isStyledElsewhere: boolean;
  /** What holds the formula that a page draws in another way beside it. */
  readonly #formulas: { readonly element: HtmlElement; readonly inherited: Inherited }[] = [];

  constructor(fromSheets: ReadonlyMap<HtmlElement, Declarations>, isStyledElsewhere: boolean) {
    this.#fromSheets = fromSheets;
    this.#isStyledElsewhere = isStyledElsewhere;
  }

  visit(element: HtmlElement, inherited: Inherited): void {
    if (NOT_TEXT.has(element.nodeName)) return;
    if (inherited.depth <= DEEPEST && !isTextHidden(inherited) && formulaOf(element) !== null) {
      this.#formulas.push({ element, inherited });
      return;
    }
    this.#visit(element, inherited);
  }

  /**
   * Formulas for screen readers are hidden by design, beside what is drawn of them. They are taken when that is seen, and says the same.
   */
  decideFormulas(): void {
    for (const { element, inherited } of this.#formulas) {
      const formula = formulaOf(element);
      if (formula === null || !isFormulaOnly(formula)) this.#visit(element, inherited);
      else {
        const [all, taken] = [element, formula.math].map((each) =>
          countWords(each.textContent ?? ""),
        );
        this.words += Math.max(0, (all ?? 0) - (taken ?? 0));
        showFormula(formula);
      }
    }
  }

  #visit(element: HtmlElement, inherited: Inherited): void {
    const style = this.#styleOf(element);
    if (
      inherited.depth > DEEPEST ||
      element.getAttribute("hidden") !== null ||
      isClosed(element, style) ||
      isRemovedWhole(style)
    ) {
      this.words += countWords(element.textContent ?? "");
      element.remove();
      return;
    }
    const own = this.#inheritedBy(element, style, inherited);
    const hidesText = isTextHidden(own);
    for (const child of element.childNodes) {
      if (isElement(child)) this.visit(child, own);
      else if (hidesText && child.nodeType === TEXT) {
        this.words += countWords(child.textContent ?? "");
        child.textContent = " ";
      }
    }
  }

  #styleOf(element: HtmlElement): Declarations {
    const attribute = element.getAttribute("style");
    const sheet = this.#fromSheets.get(element);
    if (attribute === null) return sheet ?? NOTHING;
    return cascaded(sheet ?? NOTHING, parseDeclarations(attribute));
  }

  #inheritedBy(element: HtmlElement, style: Declarations, before: Inherited): Inherited {
    const visibility = valueIn(style, "visibility");
    const size =
      valueIn(style, "font-size") ??
      /(?:^|\s)(0(?:px|pt|em|rem|%)?)(?:\/|\s)/u.exec(valueIn(style, "font") ?? "")?.[1];
    const named =
      valueIn(style, "-webkit-text-fill-color") ??
      valueIn(style, "color") ??
      element.getAttribute("color");
    return {
      isInvisible:
        visibility === undefined || visibility === "inherit"
          ? before.isInvisible
          : visibility === "hidden" || visibility === "collapse",
      isWithoutSize: size === undefined ? before.isWithoutSize : isTiny(size, before.isWithoutSize),
      color: named === null || named === "inherit" ? before.color : parseColor(named),
      background: this.#background(element, style, before.background),
      depth: before.depth + 1,
    };
  }

  #background(element: HtmlElement, style: Declarations, before: Color | null): Color | null {
    const image = `${valueIn(style, "background-image") ?? ""} ${valueIn(style, "background") ?? ""}`;
    if (/url\(|gradient\(/u.test(image) || element.getAttribute("background") !== null) return null;
    const named =
      valueIn(style, "background-color") ??
      valueIn(style, "background") ??
      element.getAttribute("bgcolor");
    if (named !== null && named !== undefined) {
      const color = parseColor(named) ?? firstColor(named);
      return color === "transparent" || named === "none" || named === "inherit" ? before : color;
    }
    // A style sheet that is not here may colour whatever it can name.
    const isNameable =
      element.getAttribute("class") !== null || element.getAttribute("id") !== null;
    return this.#isStyledElsewhere && isNameable ? null : before;
  }
}

const NOTHING: Declarations = new Map();

function valueIn(style: Declarations, property: string): string | undefined {
  return style.get(property)?.value;
}

/** A dialog that nothing has opened, as browsers show it when no rule says otherwise. */
function isClosed(element: HtmlElement, style: Declarations): boolean {
  const isShut = element.nodeName === "DIALOG" && element.getAttribute("open") === null;
  return isShut && (valueIn(style, "display") ?? "none") === "none";
}

function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === ELEMENT;
}

function isTextHidden({ isInvisible, isWithoutSize, color, background }: Inherited): boolean {
  if (isInvisible || isWithoutSize || color === "transparent") return true;
  return color !== null && background !== null && looksSame(color, background);
}

/** `#fff url(x) no-repeat`: the colour among other values. */
function firstColor(value: string): Color | null {
  for (const part of value.split(/\s+(?![^(]*\))/u)) {
    const color = parseColor(part);
    if (color !== null && color !== "transparent") return color;
  }
  return null;
}

/** Hides an element with all that is in it, whatever the inner ones say. */
function isRemovedWhole(style: Declarations): boolean {
  if (style.size === 0) return false;
  const get = (property: string): string => valueIn(style, property) ?? "";
  if (get("display") === "none" || get("content-visibility") === "hidden") return true;
  const opacity = get("opacity");
  if (opacity !== "" && shareOf(opacity) < 0.05) return true;
  if (/opacity\(\s*0(?:\.0\d*)?%?\s*\)/u.test(get("filter"))) return true;
  if (/scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]/u.test(get("transform"))) return true;
  if (/^0(?:\.0+)?(?:\s|$)/u.test(get("scale"))) return true;
  if (isMovedAway(get("transform"), get("translate"))) return true;
  if (
    /^rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)$/u.test(
      get("clip"),
    )
  )
    return true;
  if (/inset\(\s*(?:50|100)%|circle\(\s*0/u.test(get("clip-path"))) return true;
  if (isFarAway(get("text-indent")) || isFarAhead(get("text-indent"))) return true;
  const isPlaced = /absolute|fixed/u.test(get("position"));
  if (isPlaced && ["left", "top", "right", "bottom"].some((side) => isFarAway(get(side))))
    return true;
  // Far below is where long pages go on; far to the right, or above, nobody looks.
  if (isPlaced && ["left", "right", "bottom"].some((side) => isFarAhead(get(side)))) return true;
  if (isFarAway(get("margin-left")) || isFarAway(get("margin-top"))) return true;
  if (isFarAhead(get("margin-left"))) return true;
  const isCut = /hidden|clip/u.test(get("overflow"));
  return (
    isCut && ["width", "height", "max-height", "max-width"].some((side) => isNothing(get(side)))
  );
}

/** `translateX(-9999px)`, `translate(…)`, `matrix(1, 0, 0, 1, x, y)`, and the property of that name. */
function isMovedAway(transform: string, translate: string): boolean {
  if (transform === "" && translate === "") return false;
  const moves = [...transform.matchAll(/(translate(?:x|y|3d)?|matrix)\(([^)]*)\)/gu)].map(
    ([, name = "", inner = ""]) => {
      const parts = inner.split(/[\s,]+/u).filter(Boolean);
      if (name === "matrix") return [`${parts[4] ?? ""}px`, `${parts[5] ?? ""}px`];
      return name === "translatey" ? ["", parts[0] ?? ""] : parts;
    },
  );
  // A share of its own width, as sliders and menus are moved by, is not far.
  const isShare = (length: string): boolean => length.endsWith("%");
  return [...moves, translate.split(/\s+/u)].some(
    ([x = "", y = ""]) =>
      [x, y].some((length) => !isShare(length) && isFarAway(length)) ||
      (!isShare(x) && isFarAhead(x)),
  );
}

/** Further to the right than screens are wide. */
function isFarAhead(length: string): boolean {
  const number = Number.parseFloat(length);
  if (/v[wh]$/u.test(length)) return number >= 100;
  if (length.endsWith("%")) return number >= 500;
  return number >= (/(?:em|rem|ch)$/u.test(length) ? 200 : 4000);
}

/** Far outside any screen: to the left of it or above, or by more than the height or width of the window. */
function isFarAway(length: string): boolean {
  const number = Number.parseFloat(length);
  if (/v[wh]$/u.test(length)) return number <= -100 || number >= 100;
  if (Number.isNaN(number) || number >= 0) return false;
  const isInLetters = /(?:em|rem|ch)$/u.test(length);
  return length.endsWith("%") ? number <= -100 : number <= (isInLetters ? -60 : -900);
}

/** At most one pixel. */
function isNothing(length: string): boolean {
  return /^(?:0(?:\.\d+)?(?:[a-z]+|%)?|1px)$/u.test(length);
}

/** A letter of less than one point cannot be read. Relative sizes keep what is around them. */
function isTiny(size: string, before: boolean): boolean {
  const number = Number.parseFloat(size);
  if (Number.isNaN(number)) return size === "inherit" ? before : false;
  if (/(?:em|%)$/u.test(size) && !size.endsWith("rem")) return number === 0 || before;
  return number < (size.endsWith("rem") ? 0.07 : 1.01);
}
