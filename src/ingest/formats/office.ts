import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { countWords, wordsText } from "../convert/hidden-text.ts";
import type { Placeholders } from "../convert/placeholders.ts";
import { descendants, firstOf, parseXml, textOf, type XmlElement } from "../convert/xml-tree.ts";
import type { ZipReader } from "../convert/zip-reader.ts";

/*
 * What office documents have in common: they are ZIP archives of XML parts.
 */

/** A part as XML; nothing in it when it is missing. */
export function xmlIn(zip: ZipReader, part: string): XmlElement {
  return parseXml(zip.text(part) ?? "", zip.name);
}

/** The same for an essential part of a format. */
export function essentialXml(zip: ZipReader, part: string): XmlElement {
  if (!zip.has(part)) throw missingPart(zip, part);
  return xmlIn(zip, part);
}

/** For an archive that lacks an essential part of its format: it is damaged, or encrypted. */
export function missingPart({ name }: ZipReader, part: string): ExpectedError {
  return new ExpectedError(
    "not_text",
    `${name} has no readable ${part}: it is damaged, or protected by a password. Save it again without one.`,
  );
}

/** The title in a document's properties; null when it has none. */
export function titleIn(zip: ZipReader, part: string): string | null {
  return textOf(firstOf(xmlIn(zip, part), "dc:title") ?? "").trim() || null;
}

/** The part with the properties, in the documents of Microsoft Office. */
export const CORE_PROPERTIES = "docProps/core.xml";

export interface Relation {
  readonly type: string;
  /** A part of the package, or an address outside it. */
  readonly target: string;
  readonly isOutside: boolean;
}

/** What a part of an Office document refers to, by the ids it uses for them. */
export function relationsOf(zip: ZipReader, part: string): Map<string, Relation> {
  const folder = path.posix.dirname(part);
  const file = path.posix.join(folder, "_rels", `${path.posix.basename(part)}.rels`);
  const list = descendants(xmlIn(zip, file), "Relationship").map(({ attributes }) => {
    const { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode } = attributes;
    const isOutside = mode === "External";
    const place = target.startsWith("/") ? target.slice(1) : path.posix.join(folder, target);
    const relation = { type: type.replace(/^.*\//u, ""), target: isOutside ? target : place };
    return [id, { ...relation, isOutside }] as const;
  });
  return new Map(list);
}

/** What stands above and below each page or slide is no part of the text; that it was there is said. */
export function marginNotices(
  texts: readonly string[],
  of: "pages" | "slides" = "pages",
): string[] {
  // The same text often stands in a header for the first, even and odd pages each; page numbers alone are no text.
  const words = [...new Set(texts)].filter((text) => /\p{L}/u.test(text)).join(" ");
  return words === ""
    ? []
    : [`Headers and footers of the ${of} were left out (${wordsText(countWords(words))}).`];
}

/** `**Ana**, 2024-03-02: text`, on one line. */
export function commentText(author: string, date: string, text: string): string {
  const plain = (part: string): string =>
    part
      .replaceAll(/\s+/gu, " ")
      .trim()
      .replaceAll(/[\\`*_[\]<>]/gu, String.raw`\$&`);
  const day = /^\d{4}-\d\d-\d\d/u.exec(date)?.[0];
  const who = author.trim() === "" ? "Comment" : `**${plain(author)}**`;
  return `${who}${day === undefined ? "" : `, ${day}`}: ${plain(text)}`;
}

/** Footnotes with what reviewers wrote, collected while a document is read. */
export class CommentNotes {
  readonly #placeholders: Placeholders;
  readonly #notes: string[] = [];

  constructor(placeholders: Placeholders) {
    this.#placeholders = placeholders;
  }

  /** The reference to a new footnote, to be written into the HTML. */
  add(text: string): string {
    const number = this.#notes.length + 1;
    this.#notes.push(`[^comment-${number}]: ${text}`);
    return this.#placeholders.add(`[^comment-${number}]`);
  }

  /** To be put after the text; empty when there are none. */
  get footnotes(): string {
    return this.#notes.length === 0 ? "" : `\n\n${this.#notes.join("\n")}`;
  }
}
