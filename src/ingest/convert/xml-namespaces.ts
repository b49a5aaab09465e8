/*
 * XML tells formats apart by addresses, and a document may give each any prefix. Our readers ask for elements by the prefixes that most
 * programs write, so other prefixes are exchanged for those while a document is read.
 */

const MICROSOFT = "http://schemas.microsoft.com/office";
const TRANSITIONAL = "http://schemas.openxmlformats.org";
/** The same formats by the stricter edition of the standard. */
const STRICT = "http://purl.oclc.org/ooxml";
const OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:";

/** Of both editions: the path in the older one, the path in the stricter, the usual prefix. */
const OFFICE: readonly (readonly [string, string, string])[] = [
  ["spreadsheetml/2006/main", "spreadsheetml/main", ""],
  ["wordprocessingml/2006/main", "wordprocessingml/main", "w"],
  ["presentationml/2006/main", "presentationml/main", "p"],
  ["drawingml/2006/main", "drawingml/main", "a"],
  ["drawingml/2006/chart", "drawingml/chart", "c"],
  ["drawingml/2006/diagram", "drawingml/diagram", "dgm"],
  ["drawingml/2006/picture", "drawingml/picture", "pic"],
  ["drawingml/2006/spreadsheetDrawing", "drawingml/spreadsheetDrawing", "xdr"],
  ["drawingml/2006/wordprocessingDrawing", "drawingml/wordprocessingDrawing", "wp"],
  ["officeDocument/2006/math", "officeDocument/math", "m"],
  ["officeDocument/2006/relationships", "officeDocument/relationships", "r"],
];

/** The usual prefix of an address; an empty one for elements that are written without any. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ...OFFICE.flatMap(([older, strict, prefix]): [string, string][] => [
    [`${TRANSITIONAL}/${older}`, prefix],
    [`${STRICT}/${strict}`, prefix],
  ]),
  [`${TRANSITIONAL}/package/2006/relationships`, ""],
  [`${TRANSITIONAL}/package/2006/metadata/core-properties`, "cp"],
  [`${TRANSITIONAL}/markup-compatibility/2006`, "mc"],
  [`${MICROSOFT}/drawing/2010/main`, "a14"],
  [`${MICROSOFT}/drawing/2014/chartex`, "cx"],
  [`${MICROSOFT}/word/2010/wordml`, "w14"],
  [`${MICROSOFT}/word/2010/wordprocessingShape`, "wps"],
  [`${MICROSOFT}/powerpoint/2018/8/main`, "p188"],
  [`${MICROSOFT}/spreadsheetml/2018/threadedcomments`, ""],
  ["urn:schemas-microsoft-com:vml", "v"],
  ["urn:schemas-microsoft-com:office:office", "o"],
  ...["office", "text", "table", "style", "presentation", "chart"].map((name): [string, string] => [
    `${OPEN_DOCUMENT}${name}:1.0`,
    name,
  ]),
  [`${OPEN_DOCUMENT}drawing:1.0`, "draw"],
  [`${OPEN_DOCUMENT}svg-compatible:1.0`, "svg"],
  [`${OPEN_DOCUMENT}container`, ""],
  ["http://www.idpf.org/2007/opf", ""],
  ["http://openebook.org/namespaces/oeb-package/1.0/", ""],
  ["http://www.w3.org/1999/xlink", "xlink"],
  ["http://www.w3.org/1998/Math/MathML", ""],
  ["http://purl.org/dc/elements/1.1/", "dc"],
  ["http://purl.org/rss/1.0/", ""],
  ["http://purl.org/rss/1.0/modules/content/", "content"],
]);

/** The prefixes in use at a place of a document that are not the usual ones, with those that are. Empty in most documents. */
export type Prefixes = ReadonlyMap<string, string>;

export const USUAL_PREFIXES: Prefixes = new Map();

/** What an element's own declarations add to the prefixes around it. */
export function prefixesIn(
  attributes: Readonly<Record<string, string>>,
  around: Prefixes,
): Prefixes {
  let own: Map<string, string> | null = null;
  const unknown: string[] = [];
  for (const name in attributes) {
    if (!name.startsWith("xmlns")) continue;
    const prefix = declaredBy(name);
    if (prefix === null) continue;
    const usual = USUAL.get(attributes[name] ?? "");
    if (usual === undefined) unknown.push(prefix);
    const isUsual = usual === undefined || usual === prefix;
    if (isUsual && !(own ?? around).has(prefix)) continue;
    own ??= new Map(around);
    if (isUsual) own.delete(prefix);
    else own.set(prefix, usual);
  }
  if (own === null) return around;
  // A prefix that is usual for one format, given to another that nobody here reads.
  const given = new Set(own.values());
  for (const prefix of unknown) if (given.has(prefix)) own.set(prefix, `other-${prefix}`);
  return own;
}

/** The prefix that `xmlns:x` declares, an empty one for `xmlns`; null for other attributes. */
function declaredBy(name: string): string | null {
  if (name === "xmlns") return "";
  return name.startsWith("xmlns:") ? name.slice("xmlns:".length) : null;
}

/** The name of an element with the usual prefix. */
export function usualName(name: string, prefixes: Prefixes): string {
  const [prefix, local] = parted(name);
  const usual = prefixes.get(prefix);
  return usual === undefined ? name : joined(usual, local);
}

/** Attributes with the usual prefixes, the declarations too. Those without a prefix belong to their element. */
export function usualAttributes(
  attributes: Readonly<Record<string, string>>,
  prefixes: Prefixes,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const declared = declaredBy(name);
      if (declared !== null) {
        const usual = prefixes.get(declared) ?? declared;
        return [usual === "" ? "xmlns" : `xmlns:${usual}`, value];
      }
      const [prefix, local] = parted(name);
      const usual = prefix === "" ? undefined : prefixes.get(prefix);
      return [usual === undefined || usual === "" ? name : joined(usual, local), value];
    }),
  );
}

function parted(name: string): [string, string] {
  const at = name.indexOf(":");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}

function joined(prefix: string, local: string): string {
  return prefix === "" ? local : `${prefix}:${local}`;
}
