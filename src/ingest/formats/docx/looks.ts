import { childElements, descendants, firstOf, type XmlElement } from "../../convert/xml-tree.ts";
import type { ZipReader } from "../../convert/zip-reader.ts";
import { xmlIn } from "../office.ts";

/** What is around a run. */
export interface Around {
  /** The background is the white of the page, as far as can be known. */
  readonly isOnWhite: boolean;
  readonly paragraphStyle: string;
}

export const VISIBLE: Around = { isOnWhite: true, paragraphStyle: "" };

/** What a run, or its style, says of how its text is seen. */
interface Looks {
  readonly isVanished?: boolean | undefined;
  /** In half points. */
  readonly size?: number | undefined;
  readonly color?: string | undefined;
  /** It has a background of its own. */
  readonly isMarked: boolean;
}

function looksIn(properties: XmlElement | undefined): Looks {
  const own = properties === undefined ? [] : childElements(properties);
  const value = (name: string): string | undefined => {
    const found = own.find((child) => child.name === name);
    return found === undefined ? undefined : (found.attributes["w:val"] ?? "");
  };
  const [vanish, size] = [value("w:vanish"), value("w:sz")];
  return {
    isVanished: vanish === undefined ? undefined : !isOff(vanish),
    size: size === undefined ? undefined : Number(size),
    color: value("w:color"),
    isMarked: own.some(({ name }) => name === "w:shd" || name === "w:highlight"),
  };
}

/** In half points. */
const MOST_HIDDEN_SIZE = 3;

function isOff(value: string): boolean {
  return value === "0" || value === "false" || value === "off";
}

/** So close to white that nobody reads it on paper. */
function isWhite(color: string): boolean {
  return /^[Ff][3-9A-Fa-f][Ff][3-9A-Fa-f][Ff][3-9A-Fa-f]$/u.test(color);
}

export function isShaded(element: XmlElement, properties: string): boolean {
  const found = childElements(element).find(({ name }) => name === properties);
  const shade = found === undefined ? undefined : firstOf(found, "w:shd");
  const { "w:fill": fill = "auto", "w:themeFill": theme } = shade?.attributes ?? {};
  return theme !== undefined || !(fill === "auto" || isWhite(fill));
}

/** Longer chains of styles are none that a program writes. */
const MOST_STYLES = 20;

/** How the styles of a document let text be seen, with what they take from those that they are based on. */
export class Styles {
  /** Of paragraphs that name none. */
  readonly usual: string;
  readonly #defaults: Looks;
  readonly #byId: ReadonlyMap<string, XmlElement>;
  readonly #looks = new Map<string, Looks>();

  constructor(zip: ZipReader) {
    const sheet = xmlIn(zip, "word/styles.xml");
    const styles = descendants(sheet, "w:style");
    this.#byId = new Map(styles.map((style) => [style.attributes["w:styleId"] ?? "", style]));
    const usual = styles.find(
      ({ attributes }) =>
        attributes["w:type"] === "paragraph" && !isOff(attributes["w:default"] ?? "0"),
    );
    this.usual = usual?.attributes["w:styleId"] ?? "";
    const defaults = firstOf(sheet, "w:rPrDefault");
    this.#defaults = looksIn(defaults === undefined ? undefined : firstOf(defaults, "w:rPr"));
  }

  /** Whether a run is not seen: by what it says itself, else by its style, else by that of its paragraph. */
  isHidden(properties: XmlElement | undefined, { isOnWhite, paragraphStyle }: Around): boolean {
    const own = looksIn(properties);
    const style = properties === undefined ? undefined : firstOf(properties, "w:rStyle");
    const named = [style?.attributes["w:val"] ?? "", paragraphStyle || this.usual];
    const looks = [own, ...named.map((each) => this.#looksOf(each)), this.#defaults];
    const first = <Key extends keyof Looks>(key: Key): Looks[Key] | undefined =>
      looks.find((each) => each[key] !== undefined)?.[key];
    if (first("isVanished") === true) return true;
    if ((first("size") ?? Infinity) <= MOST_HIDDEN_SIZE) return true;
    const isMarked = looks.some((each) => each.isMarked);
    return isWhite(first("color") ?? "") && isOnWhite && !isMarked;
  }

  #looksOf(id: string): Looks {
    const known = this.#looks.get(id);
    if (known !== undefined) return known;
    const all = this.#chain(id).map((style) =>
      looksIn(childElements(style).find(({ name }) => name === "w:rPr")),
    );
    const found: Looks = {
      isVanished: all.find(({ isVanished }) => isVanished !== undefined)?.isVanished,
      size: all.find(({ size }) => size !== undefined)?.size,
      color: all.find(({ color }) => color !== undefined)?.color,
      isMarked: all.some(({ isMarked }) => isMarked),
    };
    this.#looks.set(id, found);
    return found;
  }

  /** Whether paragraphs of a style have a background. */
  isShaded(id: string): boolean {
    return this.#chain(id).some((style) => isShaded(style, "w:pPr"));
  }

  /** A style, what it is based on, and so on. */
  #chain(id: string): XmlElement[] {
    const chain: XmlElement[] = [];
    for (
      let style = this.#byId.get(id);
      style !== undefined && chain.length < MOST_STYLES;
      style = this.#byId.get(firstOf(style, "w:basedOn")?.attributes["w:val"] ?? "")
    )
      chain.push(style);
    return chain;
  }
}
