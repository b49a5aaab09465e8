import path from "node:path";

import { childElements, firstOf, parseXml } from "../convert/xml-tree.ts";
import type { ZipReader } from "../convert/zip-reader.ts";

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
