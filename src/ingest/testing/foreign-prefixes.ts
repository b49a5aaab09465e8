import { rewrittenZip } from "./rewritten-zip.ts";

/** The same document with other prefixes in all its parts; those that a part does not declare stay. */
export function withForeignPrefixes(file: Buffer): Buffer {
  return rewrittenZip(file, PARTS, foreignXml);
}

/** The same document by the stricter edition of the standard. */
export function asStrict(file: Buffer): Buffer {
  return rewrittenZip(file, PARTS, (xml) =>
    xml.replaceAll(
      /http:\/\/schemas\.openxmlformats\.org\/(wordprocessingml|spreadsheetml|presentationml|drawingml|officeDocument)\/2006\//gu,
      "http://purl.oclc.org/ooxml/$1/",
    ),
  );
}

const PARTS = /(?<!\[Content_Types\])\.(?:xml|rels|opf)$/u;

const TAG = /<(\/?)([\w.:-]+)((?:\s+[\w.:-]+="[^"]*")*)/gu;
const ATTRIBUTE = /(\s+)([\w.:-]+)(="[^"]*")/gu;

/** XML with other prefixes, and a prefix where there was none. */
export function foreignXml(xml: string): string {
  const declared = [...xml.matchAll(/\sxmlns(?::([\w-]+))?="/gu)].map(([, prefix = ""]) => prefix);
  const foreign = new Map(declared.map((prefix) => [prefix, `ns-${prefix || "none"}`]));
  const named = (name: string): string => {
    const [prefix, local] = name.includes(":") ? name.split(":", 2) : ["", name];
    const other = foreign.get(prefix ?? "");
    return other === undefined ? name : `${other}:${local}`;
  };
  return xml.replaceAll(TAG, (_, end: string, name: string, attributes: string) => {
    const changed = attributes.replaceAll(
      ATTRIBUTE,
      (whole, space: string, attribute: string, value: string) => {
        if (attribute === "xmlns") return `${space}xmlns:${foreign.get("")}${value}`;
        if (attribute.startsWith("xmlns:"))
          return `${space}xmlns:${foreign.get(attribute.slice(6))}${value}`;
        return attribute.includes(":") ? `${space}${named(attribute)}${value}` : whole;
      },
    );
    return `<${end}${named(name)}${changed}`;
  });
}
