import type { Definition, FootnoteDefinition, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";

import { hideComments, withoutFiller } from "./hidden-comments.ts";

/** A parsed note, with what its nodes refer to by name. */
export interface ParsedNote {
  readonly root: Root;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>;
}

export function parseMarkdown(text: string): ParsedNote {
  const source = hideComments(text);
  const root = fromMarkdown(source, {
    extensions: [gfm(), math()],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });
  tidy(root, source);
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  collect(root, definitions, footnotes);
  return { root, definitions, footnotes };
}

function collect(
  node: Nodes,
  definitions: Map<string, Definition>,
  footnotes: Map<string, FootnoteDefinition>,
): void {
  // The first of one name counts, as everywhere in markdown.
  if (node.type === "definition" && !definitions.has(node.identifier)) {
    definitions.set(node.identifier, node);
  }
  if (node.type === "footnoteDefinition" && !footnotes.has(node.identifier)) {
    footnotes.set(node.identifier, node);
  }
  if ("children" in node) for (const child of node.children) collect(child, definitions, footnotes);
}

/** Takes out what was hidden, and gives back as text what is money and no formula. */
function tidy(node: Nodes, source: string): void {
  if ("value" in node) node.value = withoutFiller(node.value);
  if (!("children" in node)) return;
  for (const [index, child] of node.children.entries()) {
    const { type, position } = child;
    const written = type === "inlineMath" ? writtenAt(position, source) : "";
    const isMoney = type === "inlineMath" && !isFormula(written, source, position);
    if (isMoney) node.children.splice(index, 1, { type: "text", value: written });
    else tidy(child, source);
  }
}

function writtenAt(position: Nodes["position"], source: string): string {
  return source.slice(position?.start.offset, position?.end.offset);
}

/** As everywhere: no space within the dollars, no digit after them, so that `$5 and $10` are two prices. */
function isFormula(written: string, source: string, position: Nodes["position"]): boolean {
  if (written.startsWith("$$")) return true;
  return !/^\$\s|\s\$$/u.test(written) && !/\d/u.test(source.charAt(position?.end.offset ?? -1));
}

/** The text of a node without its marks. */
export function plainText(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map((child) => plainText(child)).join("") : "";
}

/** A heading as addresses name it: `#right-now`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s+/gu, "-");
}
