import type { Definition, FootnoteDefinition, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** A parsed note, with what its nodes refer to by name. */
export interface ParsedNote {
  readonly root: Root;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>;
}

export function parseMarkdown(text: string): ParsedNote {
  const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
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
