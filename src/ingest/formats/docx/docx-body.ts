import { countWords } from "../../convert/hidden-text.ts";
import { Placeholders } from "../../convert/placeholders.ts";
import {
  childElements,
  descendants,
  firstOf,
  isElement,
  textOf,
  type XmlElement,
  type XmlNode,
} from "../../convert/xml-tree.ts";
import type { ZipReader } from "../../convert/zip-reader.ts";
import { drawnHtml } from "../drawing.ts";
import { CommentNotes, commentText, relationsOf, xmlIn, type Relation } from "../office.ts";
import { ommlToLatex } from "../omml.ts";
import type { Chunks } from "./chunks.ts";
import { isShaded, Styles, VISIBLE, type Around } from "./looks.ts";
import { runOf, serialized, textNode, textRun } from "./write-xml.ts";

/*
 * What mammoth does not read of a Word document: formulas, charts, diagrams, text boxes, comments, simple fields, readings above a text,
 * runs with a direction, inserted texts, and that a text is hidden. They are put into the document in forms that mammoth does read.
 */

export interface DocxBody {
  /** The parts that were changed, by their names: the document, its footnotes and endnotes. */
  readonly parts: ReadonlyMap<string, string>;
  /** How many words were left out because nobody sees them. */
  readonly hidden: number;
  /** How many inserted texts are missing from the file. */
  readonly lostChunks: number;
  /** Put into the HTML that is made of the document. */
  readonly withBlocks: (html: string) => string;
  /** Put into the markdown that is made of that. */
  readonly placeholders: Placeholders;
  /** Footnotes with what reviewers wrote. */
  readonly comments: string;
  /** How many words are in elements of these names. */
  readonly wordsIn: (isNamed: (name: string) => boolean) => number;
}

export function prepareDocxBody(zip: ZipReader, main: string, chunks: Chunks): DocxBody {
  const rewriter = new Rewriter(zip, main, chunks);
  const notes = [...relationsOf(zip, main).values()].filter(({ type }) =>
    /^(?:foot|end)notes$/u.test(type),
  );
  const parts = new Map<string, string>();
  const trees: XmlNode[] = [];
  for (const part of [main, ...notes.map(({ target }) => target)]) {
    const source = zip.text(part);
    if (source === null || /<!DOCTYPE/u.test(source)) continue;
    const nodes = rewriter.part(part);
    trees.push(...nodes);
    if (rewriter.isChanged) parts.set(part, nodes.map(serialized).join(""));
  }
  return {
    parts,
    hidden: rewriter.hidden,
    lostChunks: rewriter.lostChunks,
    withBlocks: (html) =>
      html.replaceAll(
        /\ue002(\d{1,7})\ue003/gu,
        (_, at: string) => rewriter.blocks[Number(at)] ?? "",
      ),
    placeholders: rewriter.placeholders,
    comments: rewriter.comments.footnotes,
    wordsIn: (isNamed) => wordsIn(trees, isNamed),
  };
}

function wordsIn(nodes: readonly XmlNode[], isNamed: (name: string) => boolean): number {
  return nodes.filter(isElement).reduce((sum, element) => {
    if (!isNamed(element.name)) return sum + wordsIn(element.children, isNamed);
    return sum + countWords(descendants(element, "w:t").map(textOf).join(" "));
  }, 0);
}

/** What older programs show in the place of a choice. */
function fallbackOf(choice: XmlElement): XmlElement | undefined {
  return childElements(choice).find(({ name }) => name === "mc:Fallback");
}

/** Shapes of older documents that may hold a text as those do that mammoth knows. */
const OTHER_SHAPES = new Set(["v:oval", "v:line", "v:polyline", "v:arc", "v:curve", "v:image"]);

class Rewriter {
  readonly placeholders = new Placeholders();
  readonly blocks: string[] = [];
  readonly comments = new CommentNotes(this.placeholders);
  hidden = 0;
  lostChunks = 0;
  /** The part that was read last is not as it was. */
  isChanged = false;
  readonly #zip: ZipReader;
  readonly #chunks: Chunks;
  /** Of the part that is being read. */
  #relations: ReadonlyMap<string, Relation>;
  readonly #styles: Styles;
  readonly #commentTexts: ReadonlyMap<string, string>;
  /** Text boxes of the paragraph that is being read: they follow it. */
  #boxes: XmlNode[] = [];

  constructor(zip: ZipReader, part: string, chunks: Chunks) {
    this.#zip = zip;
    this.#chunks = chunks;
    this.#relations = relationsOf(zip, part);
    this.#styles = new Styles(zip);
    this.#commentTexts = commentsOf(zip, this.#relations);
  }

  /** A part of the document, rewritten. */
  part(name: string): XmlNode[] {
    this.#relations = relationsOf(this.#zip, name);
    this.isChanged = false;
    return this.all(xmlIn(this.#zip, name).children, VISIBLE);
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
      case "w:fldSimple":
        return this.#field(element, around);
      case "w:dir":
      case "w:bdo":
        this.isChanged = true;
        return this.all(element.children, around);
      case "w:altChunk":
        return this.#chunk(element);
      case "mc:AlternateContent": {
        const choice = firstOf(element, "mc:Choice");
        if (choice === undefined || fallbackOf(element) !== undefined)
          return this.#within(element, around);
        this.isChanged = true;
        return this.all(choice.children, around);
      }
      default:
        if (!OTHER_SHAPES.has(element.name)) return this.#within(element, around);
        this.isChanged = true;
        return this.#within({ ...element, name: "v:rect" }, around);
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

  /** A field that is one element, in its other form: mammoth reads that, with its link. */
  #field(field: XmlElement, around: Around): XmlNode[] {
    this.isChanged = true;
    const sign = (type: string): XmlElement =>
      runOf({ name: "w:fldChar", attributes: { "w:fldCharType": type }, children: [] });
    const instruction = field.attributes["w:instr"] ?? "";
    return [
      sign("begin"),
      runOf({ name: "w:instrText", attributes: {}, children: [instruction] }),
      sign("separate"),
      ...this.all(field.children, around),
      sign("end"),
    ];
  }

  /** A text of another format; nothing when it is a file by itself, or missing. */
  #chunk({ attributes }: XmlElement): XmlNode[] {
    this.isChanged = true;
    const target = this.#relations.get(attributes["r:id"] ?? "")?.target ?? "";
    const chunk = this.#chunks.shown.get(target);
    if (chunk === undefined) {
      if (!this.#zip.has(target)) this.lostChunks += 1;
      return [];
    }
    this.hidden += chunk.hidden;
    return [{ name: "w:p", attributes: {}, children: [runOf(this.#block(chunk.html))] }];
  }

  /** Stands for HTML in the text. */
  #block(html: string): XmlElement {
    this.isChanged = true;
    this.blocks.push(html);
    return textNode(`\ue002${this.blocks.length - 1}\ue003`);
  }

  #run(run: XmlElement, around: Around): XmlNode[] {
    const properties = childElements(run).find(({ name }) => name === "w:rPr");
    if (this.#styles.isHidden(properties, around)) {
      const words = countWords(descendants(run, "w:t").map(textOf).join(""));
      if (words > 0 || firstOf(run, "w:t") !== undefined) {
        this.hidden += words;
        this.isChanged = true;
        return [];
      }
    }
    const runs: XmlNode[] = [];
    let children: XmlNode[] = [];
    for (const child of run.children) {
      if (!isElement(child)) children.push(child);
      else if (child.name === "w:ruby") {
        runs.push({ ...run, children }, ...this.#ruby(child, around));
        children = properties === undefined ? [] : [properties];
      } else children.push(...this.#inRun(child, around));
    }
    return [...runs, { ...run, children }];
  }

  /** A text with its reading above it: the reading follows in brackets. */
  #ruby(ruby: XmlElement, around: Around): XmlNode[] {
    this.isChanged = true;
    const [base = [], above = []] = ["w:rubyBase", "w:rt"].map((of) =>
      this.all(childElements(ruby).find(({ name }) => name === of)?.children ?? [], around),
    );
    const reading = above
      .flatMap((each) => (isElement(each) ? descendants(each, "w:t") : []))
      .map(textOf)
      .join("");
    return reading.trim() === "" ? base : [...base, textRun(`(${reading})`)];
  }

  #inRun(child: XmlElement, around: Around): XmlNode[] {
    switch (child.name) {
      case "w:commentReference":
        return this.#comment(child);
      case "w:cr":
      case "w:ptab":
        this.isChanged = true;
        return [{ ...child, name: child.name === "w:cr" ? "w:br" : "w:tab", attributes: {} }];
      case "w:pict":
      case "w:object":
        return this.#within(child, { ...around, isOnWhite: false });
      case "w:drawing":
      case "mc:AlternateContent":
        return this.#drawing(child, around);
      default:
        return [child];
    }
  }

  #drawing(child: XmlElement, around: Around): XmlNode[] {
    const drawn = drawnHtml(child, this.#zip, this.#relations);
    if (drawn !== null) return [this.#block(drawn)];
    const choice = child.name === "w:drawing" ? child : firstOf(child, "mc:Choice");
    const boxes = choice === undefined ? [] : descendants(choice, "w:txbxContent");
    if (boxes.length === 0) return this.#instead(child, choice, around);
    this.isChanged = true;
    for (const box of boxes)
      this.#boxes.push(...this.all(box.children, { ...around, isOnWhite: false }));
    // A picture beside the boxes stays.
    return choice !== undefined && firstOf(choice, "pic:pic") !== undefined ? [child] : [];
  }

  /** Mammoth reads only what stands in the place of a choice for older programs: where nothing does, the choice itself. */
  #instead(child: XmlElement, choice: XmlElement | undefined, around: Around): XmlNode[] {
    if (child.name === "w:drawing") return [child];
    const fallback = fallbackOf(child);
    const shown = ((fallback ?? choice)?.children ?? []).flatMap((each) =>
      isElement(each) ? this.#inRun(each, around) : [],
    );
    if (fallback === undefined) {
      this.isChanged = true;
      return shown;
    }
    return [{ ...child, children: [{ ...fallback, children: shown }] }];
  }

  #comment(reference: XmlElement): XmlNode[] {
    const text = this.#commentTexts.get(reference.attributes["w:id"] ?? "");
    if (text === undefined) return [];
    this.isChanged = true;
    return [textNode(this.comments.add(text))];
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
