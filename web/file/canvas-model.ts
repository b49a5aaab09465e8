/** A card of a canvas (jsoncanvas.org), in its own pixels. */
export interface CanvasCard {
  readonly id: string;
  readonly kind: "text" | "file" | "link" | "group";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** What is on it, or the path, address or label. */
  readonly text: string;
  readonly colour: string;
}

export interface CanvasEdge {
  readonly id: string;
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly label: string;
  /** Which of its ends are arrows. */
  readonly arrows: { readonly from: boolean; readonly to: boolean };
  readonly colour: string;
}

export interface CanvasPicture {
  readonly cards: readonly CanvasCard[];
  readonly edges: readonly CanvasEdge[];
  /** Left, top, width, height. */
  readonly box: readonly [number, number, number, number];
}

const MOST = 2000;
const LARGEST = 1_000_000;
const MARGIN = 40;
const KINDS = { text: "text", file: "file", link: "url", group: "label" } as const;

type Fields = ReadonlyMap<string, unknown>;

/** Reads a canvas; null when the text is none. Whatever is missing or wrong in it is left out. */
export function readCanvas(text: string): CanvasPicture | null {
  let parsed: unknown;
  try {
    parsed = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const whole = fieldsOf(parsed);
  const cards = listOf(whole, "nodes").flatMap(cardOf);
  const byId = new Map(cards.map((card) => [card.id, card]));
  const edges = listOf(whole, "edges").flatMap((fields) => edgeOf(fields, byId));
  return { cards: cards.toSorted(groupsFirst), edges, box: boxOf(cards) };
}

function fieldsOf(value: unknown): Fields {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function listOf(whole: Fields, name: string): Fields[] {
  const list: unknown = whole.get(name);
  return Array.isArray(list) ? list.slice(0, MOST).map(fieldsOf) : [];
}

function textIn(fields: Fields, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}

function numberIn(fields: Fields, name: string): number {
  const value = fields.get(name);
  const isUsable = typeof value === "number" && Number.isFinite(value);
  return isUsable ? Math.max(-LARGEST, Math.min(LARGEST, value)) : 0;
}

function cardOf(fields: Fields): CanvasCard[] {
  const kind = textIn(fields, "type");
  if (kind !== "text" && kind !== "file" && kind !== "link" && kind !== "group") return [];
  const [width, height] = [numberIn(fields, "width"), numberIn(fields, "height")];
  if (width <= 0 || height <= 0) return [];
  const text = textIn(fields, KINDS[kind]) + (kind === "file" ? textIn(fields, "subpath") : "");
  const [x, y] = [numberIn(fields, "x"), numberIn(fields, "y")];
  const colour = textIn(fields, "color");
  return [{ id: textIn(fields, "id"), kind, x, y, width, height, text, colour }];
}

const SIDES: Readonly<Record<string, readonly [number, number]>> = {
  top: [0.5, 0],
  right: [1, 0.5],
  bottom: [0.5, 1],
  left: [0, 0.5],
};

function edgeOf(fields: Fields, byId: ReadonlyMap<string, CanvasCard>): CanvasEdge[] {
  const end = (node: string, side: string): CanvasEdge["from"] | null => {
    const card = byId.get(textIn(fields, node));
    if (card === undefined) return null;
    const [across, down] = SIDES[textIn(fields, side)] ?? [0.5, 0.5];
    return { x: card.x + card.width * across, y: card.y + card.height * down };
  };
  const [from, to] = [end("fromNode", "fromSide"), end("toNode", "toSide")];
  if (from === null || to === null) return [];
  // As jsoncanvas.org has it: an arrow at the end, and none at the start.
  const arrows = {
    from: textIn(fields, "fromEnd") === "arrow",
    to: textIn(fields, "toEnd") !== "none",
  };
  const colour = textIn(fields, "color");
  return [{ id: textIn(fields, "id"), from, to, label: textIn(fields, "label"), arrows, colour }];
}

function groupsFirst(a: CanvasCard, b: CanvasCard): number {
  return Number(b.kind === "group") - Number(a.kind === "group");
}

function boxOf(cards: readonly CanvasCard[]): CanvasPicture["box"] {
  if (cards.length === 0) return [0, 0, 100, 100];
  const left = Math.min(...cards.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...cards.map(({ y }) => y)) - MARGIN;
  const right = Math.max(...cards.map(({ x, width }) => x + width)) + MARGIN;
  const bottom = Math.max(...cards.map(({ y, height }) => y + height)) + MARGIN;
  return [left, top, right - left, bottom - top];
}
