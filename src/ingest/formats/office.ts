import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { childElements, firstOf, parseXml, textOf } from "../convert/xml-tree.ts";
import type { ZipReader } from "../convert/zip-reader.ts";

/*
 * What office documents have in common: they are ZIP archives of XML parts.
 */

/** For an archive that lacks an essential part of its format: it is damaged, or encrypted. */
export function missingPart(name: string, part: string): ExpectedError {
  return new ExpectedError(
    "not_text",
    `${name} has no readable ${part}: it is damaged, or protected by a password. Save it again without one.`,
  );
}

/** The title in a document's properties; null when it has none. */
export function titleIn(zip: ZipReader, part: string): string | null {
  const text = zip.text(part);
  const title = text === null ? undefined : firstOf(parseXml(text, part), "dc:title");
  return title === undefined ? null : textOf(title).trim() || null;
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
  const text = zip.text(file);
  const list = text === null ? undefined : firstOf(parseXml(text, file), "Relationships");
  const found = new Map<string, Relation>();
  for (const { attributes } of list === undefined ? [] : childElements(list)) {
    const { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode } = attributes;
    const isOutside = mode === "External";
    const place = target.startsWith("/") ? target.slice(1) : path.posix.join(folder, target);
    found.set(id, {
      type: type.replace(/^.*\//u, ""),
      target: isOutside ? target : place,
      isOutside,
    });
  }
  return found;
}
