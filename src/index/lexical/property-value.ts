import { fold } from "../../text/words.ts";

/** `[[people/Jean Dupont|Jean]]`: the names in it are words of the value. */
const WIKILINK = /!?\[\[([^[\]]*)\]\]/gu;
const IN_WIKILINK = /[/|#^]+/gu;
/** Between two names, `](` of a link included; not the comma of `1,5`. */
const BETWEEN = /\s+|[,;](?!\d)|\]\(/u;
/** Not the signs of `C++`, `C#` and `+33`. */
const AT_START = /^[\s"'\u2018\u2019\u201c\u201d\u00ab\u00bb()[\]{}<>,;:.!?#]+/u;
const AT_END = /[\s"'\u2018\u2019\u201c\u201d\u00ab\u00bb()[\]{}<>,;:.!?]+$/u;

/**
 * The value of a property as it is stored and compared: its words folded, without the signs around them, so that `dupont` is a word of
 * `[[Jean Dupont]]` and `anna` one of `Anna, Bob`. A tag is compared as it is.
 */
export function comparable(key: string, value: string): string {
  if (key === "tag") return fold(value);
  const words = fold(value)
    .replaceAll(WIKILINK, (_, inner: string) => ` ${inner.replaceAll(IN_WIKILINK, " ")} `)
    .split(BETWEEN)
    .map((word) => word.replace(AT_START, "").replace(AT_END, ""))
    .filter((word) => word !== "");
  return words.length === 0 ? fold(value).trim() : words.join(" ");
}
