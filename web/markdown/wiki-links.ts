/** A piece of text: plain, or what stood in `[[…]]`. */
export type TextPiece =
  | { readonly kind: "plain"; readonly text: string }
  | {
      readonly kind: "wiki";
      /** What it names. */
      readonly inside: string;
      readonly label: string;
      /** `![[…]]`: to be shown in its place. */
      readonly isEmbedded: boolean;
    };

const WIKI = /(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]+))?\]\]/gu;

/** Finds the wiki links in a text. */
export function splitWikiLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const found of text.matchAll(WIKI)) {
    const [whole, mark, inside = "", label] = found;
    if (found.index > end) pieces.push({ kind: "plain", text: text.slice(end, found.index) });
    const isEmbedded = mark === "!";
    pieces.push({ kind: "wiki", inside, label: (label ?? inside).trim(), isEmbedded });
    end = found.index + whole.length;
  }
  if (end < text.length) pieces.push({ kind: "plain", text: text.slice(end) });
  return pieces;
}
