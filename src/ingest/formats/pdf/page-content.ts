import type { getDocumentProxy } from "unpdf";

import { drawnRules } from "./drawn-rules.ts";
import { withAddresses, type LinkBox } from "./links.ts";
import { multiplied } from "./matrix.ts";
import type { Box, Piece, Rule } from "./piece.ts";

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;
type Content = Awaited<ReturnType<PdfPage["getTextContent"]>>;

/** A part of the tree that tagged documents have: paragraphs, headings, lists, tables. */
export interface TagNode {
  readonly role: string;
  readonly children: readonly (TagNode | { readonly mark: string })[];
}

/** A remark that a reader left on a page. */
export interface Remark {
  readonly author: string;
  readonly text: string;
}

/** A file that is attached to a place of a page. */
export interface PinnedFile {
  /** By which the document gives it. */
  readonly id: string;
  readonly name: string;
}

/** What stands on a page, and where. */
export interface PageContent {
  readonly width: number;
  readonly pieces: readonly Piece[];
  /** Text that is turned, for each direction, as if the page were turned for reading it. */
  readonly turned: readonly (readonly Piece[])[];
  readonly rules: readonly Rule[];
  readonly tags: TagNode | null;
  readonly remarks: readonly Remark[];
  readonly pinned: readonly PinnedFile[];
  /** The page itself could not be read. */
  readonly isDamaged: boolean;
}

const NOTHING: PageContent = {
  width: 0,
  pieces: [],
  turned: [],
  rules: [],
  tags: null,
  remarks: [],
  pinned: [],
  isDamaged: true,
};

export async function readPage(document: PdfDocument, number: number): Promise<PageContent> {
  try {
    const page = await document.getPage(number);
    const view = page.getViewport({ scale: 1 });
    const toPage = view.transform.map(Number);
    const content = await page.getTextContent({ includeMarkedContent: true });
    const operators = await page.getOperatorList().catch(() => null);
    const rules = operators === null ? [] : await drawnRules(operators, toPage).catch(() => []);
    const fonts = fontsOf(page, content);
    const notes = await annotationsOf(page, toPage);
    const sorted = piecesOf(content, toPage, fonts);
    const upright = withAddresses([...(sorted.get(0) ?? []), ...notes.pieces], notes.links);
    sorted.delete(0);
    const tags = tagsOf(await page.getStructTree().catch(() => null));
    page.cleanup();
    return {
      width: view.width,
      pieces: upright,
      turned: [...sorted.values()],
      rules,
      tags,
      remarks: notes.remarks,
      pinned: notes.pinned,
      isDamaged: false,
    };
  } catch {
    return NOTHING;
  }
}

interface Font {
  readonly isBold: boolean;
  readonly isMono: boolean;
}

/** The names of fonts say what they are; they are known once the page was interpreted. */
function fontsOf(page: PdfPage, { styles }: Content): Map<string, Font> {
  return new Map(
    Object.entries(styles).map(([key, { fontFamily }]) => {
      const found: unknown = page.commonObjs.has(key) ? page.commonObjs.get(key) : null;
      const name =
        typeof found === "object" && found !== null && "name" in found ? String(found.name) : "";
      const isBold = /bold|black|heavy|demi|-bd|,b|cmbx|sfbx|\.b\b/iu.test(name);
      const isMono =
        fontFamily === "monospace" ||
        /mono|courier|consol|typewriter|cmtt|sftt|menlo|\bcode\b|inconsolata/iu.test(name);
      return [key, { isBold, isMono }];
    }),
  );
}

/** By the direction in which they run, in quarter turns. */
function piecesOf(
  { items }: Content,
  toPage: readonly number[],
  fonts: ReadonlyMap<string, Font>,
): Map<number, Piece[]> {
  const found = new Map<number, Piece[]>();
  const marks: string[] = [];
  for (const item of items) {
    if (!("str" in item)) {
      if (item.type === "endMarkedContent") marks.pop();
      else marks.push(markOf(item) ?? marks.at(-1) ?? "");
      continue;
    }
    if (item.str.trim() === "") continue;
    const [a, b, c, d, e, f] = multiplied(toPage, item.transform.map(Number));
    const turns = ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4;
    const size = Math.hypot(c, d) || Math.hypot(a, b);
    // Turned back, so that text always runs to the right.
    const [x, y] = turnedBack(e, f, turns);
    const font = fonts.get(item.fontName);
    const mark = marks.at(-1) ?? "";
    const width = Math.max(item.width, 0.1);
    const piece: Piece = {
      text: item.str,
      left: x,
      right: x + width,
      top: y - size * 0.8,
      bottom: y + size * 0.2,
      baseline: y,
      size,
      isBold: font?.isBold ?? false,
      isMono: font?.isMono ?? false,
      isRightToLeft: item.dir === "rtl",
      ...(mark === "" ? {} : { mark }),
    };
    const same = found.get(turns);
    if (same === undefined) found.set(turns, [piece]);
    else same.push(piece);
  }
  return found;
}

function markOf(item: object): string | undefined {
  if ("tag" in item && item.tag === "Artifact") return "artifact";
  return "id" in item && typeof item.id === "string" ? item.id : undefined;
}

function turnedBack(x: number, y: number, turns: number): [number, number] {
  if (turns === 1) return [y, -x];
  if (turns === 2) return [-x, -y];
  return turns === 3 ? [-y, x] : [x, y];
}

interface Annotations {
  readonly pieces: readonly Piece[];
  readonly links: readonly LinkBox[];
  readonly remarks: readonly Remark[];
  readonly pinned: readonly PinnedFile[];
}

/** Links, what was filled into a form, and what readers remarked. */
async function annotationsOf(page: PdfPage, toPage: readonly number[]): Promise<Annotations> {
  const found: unknown[] = await page.getAnnotations().catch(() => []);
  const pieces: Piece[] = [];
  const links: LinkBox[] = [];
  const remarks: Remark[] = [];
  const pinned: PinnedFile[] = [];
  for (const each of found) {
    if (typeof each !== "object" || each === null) continue;
    const annotation = new Map<string, unknown>(Object.entries(each));
    const box = boxOf(annotation.get("rect"), toPage);
    const address = annotation.get("url");
    const under = annotation.get("overlaidText");
    const value = filledIn(annotation);
    const text = innerText(annotation.get("contentsObj"));
    const subtype = annotation.get("subtype");
    pinned.push(...pinnedIn(annotation));
    if (box === null) continue;
    if (typeof address === "string" && /^(?:https?|mailto):/iu.test(address))
      links.push({ ...box, address, text: typeof under === "string" ? under : "" });
    else if (value !== "") pieces.push(...asPieces(value, box));
    else if (subtype === "FreeText" && text !== "") pieces.push(...asPieces(text, box));
    else if (text !== "" && REMARKS.has(String(subtype)))
      remarks.push({ author: innerText(annotation.get("titleObj")), text });
  }
  return { pieces, links, remarks, pinned };
}

function pinnedIn(annotation: ReadonlyMap<string, unknown>): PinnedFile[] {
  const [id, file] = [annotation.get("fileId"), annotation.get("file")];
  if (annotation.get("subtype") !== "FileAttachment" || typeof id !== "string") return [];
  const isNamed = typeof file === "object" && file !== null && "filename" in file;
  return [{ id, name: isNamed ? String(file.filename) : "" }];
}

/** All that readers put on a page, and that can carry a remark. */
const REMARKS = new Set([
  "Text",
  "Highlight",
  "Underline",
  "StrikeOut",
  "Squiggly",
  "Caret",
  "Square",
  "Circle",
  "Line",
  "Polygon",
  "PolyLine",
  "Ink",
  "Stamp",
  "FileAttachment",
]);

function filledIn(annotation: ReadonlyMap<string, unknown>): string {
  if (annotation.get("subtype") !== "Widget" || annotation.get("hidden") === true) return "";
  const value = annotation.get("fieldValue");
  if (annotation.get("checkBox") === true)
    return value === annotation.get("exportValue") ? "[x]" : "[ ]";
  const isText = annotation.get("fieldType") === "Tx" || annotation.get("fieldType") === "Ch";
  if (!isText) return "";
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string").join(", ");
  return typeof value === "string" ? value.trim() : "";
}

function innerText(value: unknown): string {
  return typeof value === "object" && value !== null && "str" in value
    ? String(value.str).trim()
    : "";
}

function boxOf(rect: unknown, toPage: readonly number[]): Box | null {
  if (!Array.isArray(rect) || rect.length < 4) return null;
  const [x1, y1, x2, y2] = rect.map(Number);
  const [, , , , e1, f1] = multiplied(toPage, [1, 0, 0, 1, x1 ?? 0, y1 ?? 0]);
  const [, , , , e2, f2] = multiplied(toPage, [1, 0, 0, 1, x2 ?? 0, y2 ?? 0]);
  return {
    left: Math.min(e1, e2),
    right: Math.max(e1, e2),
    top: Math.min(f1, f2),
    bottom: Math.max(f1, f2),
  };
}

const USUAL_SIZE = 10;

function asPieces(text: string, { left, right, top, bottom }: Box): Piece[] {
  const lines = text.split(/\r\n?|\n/u);
  const size = Math.min(USUAL_SIZE, (bottom - top) / lines.length);
  return lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    const from = lines.length === 1 ? (top + bottom - size) / 2 : top + at * size * 1.2;
    return [
      {
        text: line,
        left,
        right: Math.min(right, left + line.length * size * 0.5),
        top: from,
        bottom: from + size,
        baseline: from + size * 0.8,
        size,
        isBold: false,
        isMono: false,
        isRightToLeft: false,
      },
    ];
  });
}

const DEEPEST_TAG = 60;

function tagsOf(node: unknown, depth = 0): TagNode | null {
  if (typeof node !== "object" || node === null || !("role" in node) || depth > DEEPEST_TAG)
    return null;
  const children: unknown[] =
    "children" in node && Array.isArray(node.children) ? node.children : [];
  return {
    role: String(node.role),
    children: children.flatMap((child): (TagNode | { mark: string })[] => {
      if (typeof child !== "object" || child === null) return [];
      if ("type" in child && child.type === "content" && "id" in child)
        return [{ mark: String(child.id) }];
      const inner = tagsOf(child, depth + 1);
      return inner === null ? [] : [inner];
    }),
  };
}
