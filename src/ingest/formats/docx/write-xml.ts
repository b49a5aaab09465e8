import { isElement, type XmlElement, type XmlNode } from "../../convert/xml-tree.ts";

/*
 * The XML of a Word document as mammoth reads it: elements that are put in, and the way back to text.
 */

export function textNode(text: string): XmlElement {
  return { name: "w:t", attributes: { "xml:space": "preserve" }, children: [text] };
}

export function textRun(text: string): XmlElement {
  return runOf(textNode(text));
}

export function runOf(...children: readonly XmlNode[]): XmlElement {
  return { name: "w:r", attributes: {}, children };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (sign) => ESCAPES[sign] ?? sign);
}

export function serialized(node: XmlNode): string {
  if (!isElement(node)) return escapeXml(node);
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
  const inner = node.children.map(serialized).join("");
  return inner === ""
    ? `<${node.name}${attributes}/>`
    : `<${node.name}${attributes}>${inner}</${node.name}>`;
}
