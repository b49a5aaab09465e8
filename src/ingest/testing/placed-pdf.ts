import { assembled, escaped } from "./pdf-file.ts";

/** A text on a page, from its top left corner. */
export interface PlacedText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly font?: "plain" | "bold" | "mono" | "hebrew";
}

export interface PlacedPage {
  readonly texts: readonly PlacedText[];
  /** Straight lines: left, top, right, bottom. */
  readonly lines?: readonly (readonly [number, number, number, number])[];
  /** Objects of annotations, as PDF. */
  readonly annotations?: readonly string[];
}

const HEIGHT = 842;
/** The letters of the font `hebrew` are written as `a` and on. */
const FIRST_HEBREW = 0x5d0;

/** A PDF with texts where they are put, as a program for layout makes it. */
export function placedPdf(pages: readonly PlacedPage[]): Buffer {
  const objects: string[] = [];
  const add = (text: string): number => objects.push(text);
  const catalog = add("");
  const tree = add("");
  const fonts = Object.entries({
    plain: "Helvetica",
    bold: "Helvetica-Bold",
    mono: "Courier",
  }).map(([name, base]) => {
    const font = add(`<</Type/Font/Subtype/Type1/BaseFont/${base}/Encoding/WinAnsiEncoding>>`);
    return `/${name} ${font} 0 R`;
  });
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <7b> <${FIRST_HEBREW.toString(16).padStart(4, "0")}> endbfrange endcmap end end`;
  const toUnicode = add(`<</Length ${map.length}>>stream\n${map}\nendstream`);
  const hebrew = add(
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode ${toUnicode} 0 R>>`,
  );
  fonts.push(`/hebrew ${hebrew} 0 R`);
  const kids = pages.map(({ texts, lines = [], annotations = [] }) => {
    const shown = texts.map(
      ({ x, y, text, size = 10, font = "plain" }) =>
        `BT /${font} ${size} Tf ${x} ${HEIGHT - y} Td (${escaped(text)}) Tj ET`,
    );
    const drawn = lines.map(
      ([left, top, right, bottom]) => `${left} ${HEIGHT - top} m ${right} ${HEIGHT - bottom} l S`,
    );
    const content = [...shown, ...drawn].join("\n");
    const stream = add(`<</Length ${content.length}>>stream\n${content}\nendstream`);
    const notes = annotations.map((annotation) => `${add(annotation)} 0 R`).join(" ");
    return add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 595 ${HEIGHT}]/Contents ${stream} 0 R/Annots[${notes}]/Resources<</Font<<${fonts.join("")}>>>>>>`,
    );
  });
  objects[catalog - 1] = `<</Type/Catalog/Pages ${tree} 0 R>>`;
  objects[tree - 1] =
    `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(" ")}]/Count ${kids.length}>>`;
  return assembled(objects, `/Root ${catalog} 0 R`);
}

/** Hebrew letters in the order of reading as the font `hebrew` writes them, which is the order of the paper. */
export function inHebrewFont(text: string): string {
  return text
    .split("")
    .toReversed()
    .map((letter) =>
      letter === " " ? " " : String.fromCharCode(letter.charCodeAt(0) - FIRST_HEBREW + 97),
    )
    .join("");
}

/** Lines of text under each other. */
export function paragraph(
  lines: readonly string[],
  x: number,
  y: number,
  more: Partial<PlacedText> = {},
): PlacedText[] {
  return lines.map((text, at) => ({ x, y: y + at * 12, text, ...more }));
}
