import type { PhrasingContent, RootContent } from "mdast";

import { htmlTokens, isVoid, type TagAttributes } from "./html-tags.ts";

interface Kind<T> {
  readonly element: (name: string, attributes: TagAttributes, children: T[]) => T;
  readonly text: (value: string) => T;
  /** Whether spaces between two tags are text. */
  readonly hasSpaces: boolean;
}

const INLINE: Kind<PhrasingContent> = {
  hasSpaces: true,
  element: (name, attributes, children) => ({ type: "inlineElement", name, attributes, children }),
  text: (value) => ({ type: "text", value }),
};

const BLOCKS: Kind<RootContent> = {
  hasSpaces: false,
  element: (name, attributes, children) => ({ type: "blockElement", name, attributes, children }),
  text: (value) => ({ type: "text", value }),
};

/** Joins the tags of a paragraph with what stands between them. HTML that is not harmless stays `html`, and is shown as text. */
export function withInlineElements(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  return nodes.some(({ type }) => type === "html") ? paired(nodes, INLINE) : nodes;
}

/** The same for blocks: `<details>`, some paragraphs, `</details>`. */
export function withBlockElements(nodes: readonly RootContent[]): readonly RootContent[] {
  return nodes.some(({ type }) => type === "html") ? paired(nodes, BLOCKS) : nodes;
}

interface Open<T> {
  readonly name: string;
  readonly attributes: TagAttributes;
  readonly children: T[];
}

/** An element that is not closed ends with its siblings; an end without a beginning is left out. */
function paired<T extends { readonly type: string }>(nodes: readonly T[], kind: Kind<T>): T[] {
  const top: T[] = [];
  const open: Open<T>[] = [];
  const add = (node: T): void => void (open.at(-1)?.children ?? top).push(node);
  const close = (): void => {
    const last = open.pop();
    if (last !== undefined) add(kind.element(last.name, last.attributes, last.children));
  };
  for (const node of nodes) {
    if (node.type !== "html" || !("value" in node) || typeof node.value !== "string") {
      add(node);
      continue;
    }
    const tokens = htmlTokens(node.value);
    // With something in it that must not act, all of it is shown as it is written.
    if (tokens === null) {
      add(node);
      continue;
    }
    for (const token of tokens) {
      if (token.kind === "text") {
        if (token.text.trim() !== "" || kind.hasSpaces) add(kind.text(token.text));
      } else if (token.kind === "close") {
        if (!open.some(({ name }) => name === token.name)) continue;
        while (open.at(-1)?.name !== token.name) close();
        close();
      } else if (isVoid(token.name)) add(kind.element(token.name, token.attributes, []));
      else open.push({ name: token.name, attributes: token.attributes, children: [] });
    }
  }
  while (open.length > 0) close();
  return top;
}
