import katex from "katex";
import { createElement, type ReactNode } from "react";

const ELEMENTS = new Set(
  "annotation math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics".split(
    " ",
  ),
);
/** No links, no styles, no handlers. */
const ATTRIBUTES = new Set(
  "accent accentunder columnalign columnlines columnspacing depth display displaystyle encoding fence height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width xmlns".split(
    " ",
  ),
);

/** TeX as MathML elements. What cannot be read stays text, in the colour of an error. */
export function mathElements(tex: string, isBlock: boolean): ReactNode {
  const mathml = katex.renderToString(tex, {
    output: "mathml",
    displayMode: isBlock,
    throwOnError: false,
    trust: false,
    strict: "ignore",
    maxSize: 50,
    maxExpand: 500,
  });
  // Styles are left out here already: the policy forbids them in that document too, and browsers complain of each.
  const plain = mathml.replaceAll(/ style="[^"]*"/gu, "");
  // Parsed in a document of its own, in which nothing runs or loads; only names that we know are taken from it.
  const parsed = new DOMParser().parseFromString(plain, "text/html");
  return [...parsed.body.childNodes].map((node, index) => elementOf(node, index));
}

function elementOf(node: ChildNode, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  const children = [...node.childNodes].map((child, index) => elementOf(child, index));
  if (name === "span") {
    const isError = node.classList.contains("katex-error");
    return createElement(
      "span",
      { key, ...(isError ? { className: "math-error" } : {}) },
      ...children,
    );
  }
  if (!ELEMENTS.has(name)) return node.textContent;
  const attributes = Object.fromEntries(
    [...node.attributes].flatMap((attribute) =>
      ATTRIBUTES.has(attribute.name) ? [[attribute.name, attribute.value]] : [],
    ),
  );
  return createElement(name, { ...attributes, key }, ...children);
}
