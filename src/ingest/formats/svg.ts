import { converted, type Converted } from "../convert/converted.ts";
import { decodeText } from "../convert/file-kind.ts";
import { plainCell } from "../convert/markdown-table.ts";
import { childElements, parseXml, textOf, type XmlElement } from "../convert/xml-tree.ts";
import type { ConversionJob } from "./formats.ts";

const NOT_SHOWN = new Set(["script", "style", "metadata", "defs"]);
const HIDDEN =
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$))/iu;
const MAX_LINES = 2000;

/** A drawing: the words in it. The picture itself is kept beside the note. */
export function convertSvg({ name, bytes, kind }: ConversionJob): Converted {
  const root = parseXml(decodeText(bytes, kind.encoding), name);
  const lines: string[] = [];
  let title: string | null = null;
  const visit = (element: XmlElement): void => {
    const tag = element.name.replace(/^\w+:/u, "");
    const { style = "", display, visibility, opacity } = element.attributes;
    if (NOT_SHOWN.has(tag) || HIDDEN.test(style)) return;
    if (display === "none" || visibility === "hidden" || opacity === "0") return;
    if (tag === "title" && title === null) title = words(element) || null;
    else if (tag === "text" || tag === "desc") lines.push(words(element));
    else for (const child of childElements(element)) visit(child);
  };
  visit(root);
  const found = [...new Set(lines.filter((line) => line !== ""))];
  const shown = found.slice(0, MAX_LINES);
  const left = found.length - shown.length;
  const notices =
    left === 0 ? [] : [`Texts of the drawing were left out: ${left} after the first ${MAX_LINES}.`];
  return converted(title, shown.map((line) => `- ${plainCell(line)}`).join("\n"), { notices });
}

function words(element: XmlElement): string {
  return textOf(element).replaceAll(/\s+/gu, " ").trim();
}
