import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { decodeText } from "../convert/file-kind.ts";
import { hiddenNotices, removeHiddenText } from "../convert/hidden-text.ts";
import { documentMarkdown, parseFragment } from "../convert/html.ts";
import { plainCell } from "../convert/markdown-table.ts";
import {
  childElements,
  descendants,
  firstOf,
  isElement,
  parseXml,
  textOf,
  type XmlElement,
} from "../convert/xml-tree.ts";
import type { ConversionJob } from "./formats.ts";

const MAX_ENTRIES = 2000;

/** A feed (RSS, Atom): each entry with its title, date, address and text. */
export function convertFeed({ name, bytes, kind }: ConversionJob): Converted {
  const root = withoutPrefix(parseXml(decodeText(bytes, kind.encoding), name));
  const channel = firstOf(root, "channel") ?? firstOf(root, "feed") ?? root;
  const entries = [...descendants(root, "item"), ...descendants(root, "entry")];
  const images = new ImageCollector();
  let hidden = 0;
  const parts = entries.slice(0, MAX_ENTRIES).map((entry) => {
    const page = parseFragment(
      partOf(entry, "content:encoded", "content", "description", "summary"),
    );
    hidden += removeHiddenText(page);
    const title = plainCell(oneLine(partOf(entry, "title"))) || "Entry";
    const facts = [
      partOf(entry, "pubDate", "published", "updated", "dc:date"),
      authorOf(entry),
      addressOf(entry),
    ].map(oneLine);
    const lines = facts.filter((fact) => fact !== "").map((fact) => `- ${plainLink(fact)}`);
    return [`## ${title}`, lines.join("\n"), documentMarkdown(page, images)]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  const left = entries.length - parts.length;
  const notices = [
    ...hiddenNotices(hidden),
    ...(left > 0 ? [`${left} entries were left out: a feed of ${MAX_ENTRIES} is taken in.`] : []),
  ];
  const title = oneLine(partOf(channel, "title")) || null;
  return converted(title, parts.join("\n\n"), { images, notices });
}

/** An Atom feed whose elements have a prefix, without it. In RSS, where Atom is a guest, it stays. */
function withoutPrefix(root: XmlElement): XmlElement {
  const feed = childElements(root).find(({ name }) => name.endsWith(":feed"));
  if (feed === undefined) return root;
  const prefix = feed.name.slice(0, -"feed".length);
  const renamed = (element: XmlElement): XmlElement => ({
    ...element,
    name: element.name.startsWith(prefix) ? element.name.slice(prefix.length) : element.name,
    children: element.children.map((child) => (isElement(child) ? renamed(child) : child)),
  });
  return renamed(root);
}

/** The text of the first of these parts that is there; markup inside counts as text. */
function partOf(element: XmlElement, ...names: readonly string[]): string {
  for (const name of names) {
    const found = childElements(element).find((child) => child.name === name);
    const text = found === undefined ? "" : textOf(found).trim();
    if (text !== "") return text;
  }
  return "";
}

function authorOf(entry: XmlElement): string {
  const author = childElements(entry).find(({ name }) => name === "author");
  const name = author === undefined ? "" : partOf(author, "name");
  return name || partOf(entry, "dc:creator", "author");
}

function addressOf(entry: XmlElement): string {
  const links = childElements(entry).filter(({ name }) => name === "link");
  const main = links.find(({ attributes }) => (attributes["rel"] ?? "alternate") === "alternate");
  return main?.attributes["href"] ?? partOf(entry, "link", "guid");
}

function plainLink(text: string): string {
  return /^https?:\/\/[^\s<>]+$/u.test(text) ? `<${text}>` : plainCell(text);
}

function oneLine(text: string): string {
  return text
    .replaceAll(/<[^>]*>/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
}
