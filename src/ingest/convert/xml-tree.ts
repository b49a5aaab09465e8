import { Parser } from "htmlparser2";

import { ExpectedError } from "../../errors.ts";
import {
  prefixesIn,
  USUAL_PREFIXES,
  usualAttributes,
  usualName,
  type Prefixes,
} from "./xml-namespaces.ts";

/** An XML element. Names have the prefixes that are usual for their format, whichever the document uses. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/** Deeper documents are refused: they are attacks. */
const DEEPEST = 500;

/**
 * Parses XML. Entities that the document defines are not expanded, and nothing is fetched.
 * @param what how to name the document in errors
 */
export function parseXml(text: string, what: string): XmlElement {
  const root: { name: string; attributes: Record<string, string>; children: XmlNode[] } = {
    name: "",
    attributes: {},
    children: [],
  };
  const open = [root];
  const prefixes: Prefixes[] = [USUAL_PREFIXES];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (open.length > DEEPEST) {
          throw new ExpectedError(
            "not_text",
            `${what} nests more than ${DEEPEST} levels deep; no program writes such a document.`,
          );
        }
        const own = prefixesIn(attributes, prefixes.at(-1) ?? USUAL_PREFIXES);
        prefixes.push(own);
        const element =
          own.size === 0
            ? { name, attributes, children: [] }
            : {
                name: usualName(name, own),
                attributes: usualAttributes(attributes, own),
                children: [],
              };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      onclosetag: () => {
        if (open.length > 1) {
          open.pop();
          prefixes.pop();
        }
      },
      ontext: (data) => void open.at(-1)?.children.push(data),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return root;
}

export function isElement(node: XmlNode): node is XmlElement {
  return typeof node !== "string";
}

/** The elements directly inside. */
export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter(isElement);
}

/** The elements of a name anywhere inside, in the order of the text; not those inside another of the same name. */
export function descendants(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).flatMap((child) =>
    child.name === name ? [child] : descendants(child, name),
  );
}

/** The first element of a name anywhere inside. */
export function firstOf(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of childElements(element)) {
    const found = child.name === name ? child : firstOf(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All the text inside. */
export function textOf(node: XmlNode): string {
  return isElement(node) ? node.children.map(textOf).join("") : node;
}
