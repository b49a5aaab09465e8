import { countWords } from "../convert/hidden-text.ts";
import { Placeholders } from "../convert/placeholders.ts";
import {
  childElements,
  descendants,
  firstOf,
  isElement,
  textOf,
  type XmlElement,
  type XmlNode,
} from "../convert/xml-tree.ts";
import type { ZipReader } from "../convert/zip-reader.ts";
import { drawnHtml } from "./drawing.ts";
import { CommentNotes, commentText, relationsOf, xmlIn, type Relation } from "./office.ts";
import { ommlToLatex } from "./omml.ts";

/*
 * What mammoth does not read of a Word document: formulas, charts, diagrams, text boxes, comments, and that a text is hidden. They are put
 * into the document as runs that mammoth does read.
 */

export interface DocxBody {
  /** The parts that were changed, by their names: the document, its footnotes and endnotes. */
  readonly parts: ReadonlyMap<string, string>;
  /** How many words were left out because nobody sees them. */
  readonly hidden: number;
  /** Put into the HTML that is made of the document. */
  readonly withBlocks: (html: string) => string;
  /** Put into the markdown that is made of that. */
  readonly placeholders: Placeholders;
  /** Footnotes with what reviewers wrote. */
  readonly comments: string;
}

const REWRITTEN =
  /<m:oMath|<w:vanish|w:val="(?:[Ff]{6}|[EeFf][\dA-Fa-f]{5})"|<cx?:chart|<dgm:relIds|<w:commentReference|txbxContent|<w:sz w:val="[0-3]"|w:(?:p|r)Style/u;

/** Null when mammoth reads all of it. */
export function prepareDocxBody(zip: ZipReader, main: string): DocxBody | null {
  const rewriter = new Rewriter(zip, main);
  const notes = [...relationsOf(zip, main).values()].filter(({ type }) =>
    /^(?:foot|end)notes$/u.test(type),
  );
  const parts = new Map<string, string>();
  for (const part of [main, ...notes.map(({ target }) => target)]) {
    const source = zip.text(part);
    if (source === null || /<!DOCTYPE/u.test(source)) continue;
    if (!REWRITTEN.test(source) && !rewriter.hidesUsualText) continue;
    const nodes = rewriter.part(part);
    if (nodes !== null) parts.set(part, nodes.map(serialized).join(""));
  }
  if (parts.size === 0) return null;
  return {
    parts,
    hidden: rewriter.hidden,
    withBlocks: (html) =>
      html.replaceAll(
        /\ue002(\d{1,7})\ue003/gu,
        (_, at: string) => rewriter.blocks[Number(at)] ?? "",
      ),
    placeholders: rewriter.placeholders,
    comments: rewriter.comments.footnotes,
  };
}

/** What is around a run. */
interface Around {
  /** The background is the white of the page, as far as can be known. */
  readonly isOnWhite: boolean;
  readonly paragraphStyle: string;
}

const VISIBLE: Around = { isOnWhite: true, paragraphStyle: "" };

/** What a run, or its style, says of how its text is seen. */
interface Looks {
  readonly isVanished?: boolean | undefined;
  /** In half points. */
  readonly size?: number | undefined;
  readonly color?: string | undefined;
  /** It has a background of its own. */
  readonly isMarked: boolean;
}

class Rewriter {
  readonly placeholders = new Placeholders();
  readonly blocks: string[] = [];
  readonly comments = new CommentNotes(this.placeholders);
  hidden = 0;
  isChanged = false;
  readonly #zip: ZipReader;
  /** Of the part that is being read. */
  #relations: ReadonlyMap<string, Relation>;
  readonly #styles: Styles;
  readonly #commentTexts: ReadonlyMap<string, string>;
  /** Text boxes of the paragraph that is being read: they follow it. */
  #boxes: XmlNode[] = [];

  constructor(zip: ZipReader, part: string) {
    this.#zip = zip;
    this.#relations = relationsOf(zip, part);
    this.#styles = new Styles(zip);
    this.#commentTexts = commentsOf(zip, this.#relations);
  }

  /** Text without a style of its own is hidden. */
  get hidesUsualText(): boolean {
    return this.#isHidden(undefined, VISIBLE);
  }

  /** A part of the document, rewritten; null when it stays as it is. */
  part(name: string): XmlNode[] | null {
    this.#relations = relationsOf(this.#zip, name);
    this.isChanged = false;
    const nodes = this.all(xmlIn(this.#zip, name).children, VISIBLE);
    return this.isChanged ? nodes : null;
  }

  all(nodes: readonly XmlNode[], around: Around): XmlNode[] {
    return nodes.flatMap((node) => (isElement(node) ? this.#one(node, around) : [node]));
  }

  #one(element: XmlElement, around: Around): XmlNode[] {
    switch (element.name) {
      case "w:p":
        return this.#paragraph(element, around);
      case "w:r":
        return this.#run(element, around);
      case "w:tbl": {
        const style = firstOf(element, "w:tblStyle")?.attributes["w:val"] ?? "";
        const isPlain = style === "" || /^(?:TableGrid|TableNormal)$/u.test(style);
        return this.#within(element, isPlain ? around : { ...around, isOnWhite: false });
      }
      case "w:tc":
        return this.#within(element, {
          ...around,
          isOnWhite: around.isOnWhite && !isShaded(element, "w:tcPr"),
        });
      case "m:oMathPara":
      case "m:oMath": {
        this.isChanged = true;
        const isBlock = element.name === "m:oMathPara";
        const formulas = isBlock ? descendants(element, "m:oMath") : [element];
        return [
          textRun(
            formulas.map((each) => this.placeholders.formula(ommlToLatex(each), isBlock)).join(" "),
          ),
        ];
      }
      default:
        return this.#within(element, around);
    }
  }

  #within(element: XmlElement, around: Around): XmlElement[] {
    return [{ ...element, children: this.all(element.children, around) }];
  }

  #paragraph(element: XmlElement, around: Around): XmlNode[] {
    const outer = this.#boxes;
    this.#boxes = [];
    const properties = childElements(element).find(({ name }) => name === "w:pPr");
    const paragraphStyle =
      (properties === undefined
        ? undefined
        : firstOf(properties, "w:pStyle")?.attributes["w:val"]) ?? "";
    const isOnWhite =
      around.isOnWhite &&
      !isShaded(element, "w:pPr") &&
      !this.#styles.isShaded(paragraphStyle || this.#styles.usual);
    const rewritten = this.#within(element, { isOnWhite, paragraphStyle });
    const boxes = this.#boxes;
    this.#boxes = outer;
    return [...rewritten, ...boxes];
  }

  #run(run: XmlElement, around: Around): XmlNode[] {
    const properties = childElements(run).find(({ name }) => name === "w:rPr");
    if (this.#isHidden(properties, around)) {
      const words = countWords(descendants(run, "w:t").map(textOf).join(""));
      if (words > 0 || firstOf(run, "w:t") !== undefined) {
        this.hidden += words;
        this.isChanged = true;
        return [];
      }
    }
    const children = run.children.flatMap((child): XmlNode[] => {
      if (!isElement(child)) return [child];
      return this.#inRun(child, around);
    });
    return [{ ...run, children }];
  }

  #inRun(child: XmlElement, around: Around): XmlNode[] {
    if (child.name === "w:commentReference") return this.#comment(child);
    if (child.name !== "w:drawing" && child.name !== "mc:AlternateContent") return [child];
    const drawn = drawnHtml(child, this.#zip, this.#relations);
    if (drawn !== null) {
      this.isChanged = true;
      this.blocks.push(drawn);
      return [textNode(`\ue002${this.blocks.length - 1}\ue003`)];
    }
    const choice = child.name === "w:drawing" ? child : firstOf(child, "mc:Choice");
    const boxes = choice === undefined ? [] : descendants(choice, "w:txbxContent");
    if (boxes.length === 0) return [child];
    this.isChanged = true;
    for (const box of boxes)
      this.#boxes.push(...this.all(box.children, { ...around, isOnWhite: false }));
    // A picture beside the boxes stays.
    return choice !== undefined && firstOf(choice, "pic:pic") !== undefined ? [child] : [];
  }

  #comment(reference: XmlElement): XmlNode[] {
    const text = this.#commentTexts.get(reference.attributes["w:id"] ?? "");
    if (text === undefined) return [];
    this.isChanged = true;
    return [textNode(this.comments.add(text))];
  }

  /** By what the run says itself, else by its style, else by that of its paragraph. */
  #isHidden(properties: XmlElement | undefined, { isOnWhite, paragraphStyle }: Around): boolean {
    const own = looksIn(properties);
    const style = properties === undefined ? undefined : firstOf(properties, "w:rStyle");
    const named = [style?.attributes["w:val"] ?? "", paragraphStyle || this.#styles.usual];
    const looks = [own, ...named.map((each) => this.#styles.looksOf(each)), this.#styles.defaults];
    const first = <Key extends keyof Looks>(key: Key): Looks[Key] | undefined =>
      looks.find((each) => each[key] !== undefined)?.[key];
    if (first("isVanished") === true) return true;
    if ((first("size") ?? Infinity) <= MOST_HIDDEN_SIZE) return true;
    const isMarked = looks.some((each) => each.isMarked);
    return isWhite(first("color") ?? "") && isOnWhite && !isMarked;
  }
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

function isShaded(element: XmlElement, properties: string): boolean {
  const found = childElements(element).find(({ name }) => name === properties);
  const shade = found === undefined ? undefined : firstOf(found, "w:shd");
  const { "w:fill": fill = "auto", "w:themeFill": theme } = shade?.attributes ?? {};
  return theme !== undefined || !(fill === "auto" || isWhite(fill));
}

/** Longer chains of styles are none that a program writes. */
const MOST_STYLES = 20;

/** How the styles of a document let text be seen, with what they take from those that they are based on. */
class Styles {
  /** Of paragraphs that name none. */
  readonly usual: string;
  readonly defaults: Looks;
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
    this.defaults = looksIn(defaults === undefined ? undefined : firstOf(defaults, "w:rPr"));
  }

  looksOf(id: string): Looks {
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

/** What reviewers wrote, with who and when, by id. */
function commentsOf(zip: ZipReader, relations: ReadonlyMap<string, Relation>): Map<string, string> {
  const part = [...relations.values()].find(({ type }) => type === "comments")?.target ?? "";
  return new Map(
    descendants(xmlIn(zip, part), "w:comment").map((comment) => {
      const { "w:id": id = "", "w:author": author = "", "w:date": date = "" } = comment.attributes;
      const paragraphs = descendants(comment, "w:p").map((each) =>
        descendants(each, "w:t").map(textOf).join(""),
      );
      return [id, commentText(author, date, paragraphs.join(" "))];
    }),
  );
}

function textNode(text: string): XmlElement {
  return { name: "w:t", attributes: { "xml:space": "preserve" }, children: [text] };
}

function textRun(text: string): XmlElement {
  return { name: "w:r", attributes: {}, children: [textNode(text)] };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (sign) => ESCAPES[sign] ?? sign);
}

function serialized(node: XmlNode): string {
  if (!isElement(node)) return escapeXml(node);
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
  const inner = node.children.map(serialized).join("");
  return inner === ""
    ? `<${node.name}${attributes}/>`
    : `<${node.name}${attributes}>${inner}</${node.name}>`;
}
