import { isListKey, partsOf, type Property } from "../markdown/frontmatter.ts";

/** What a person means by the text of a property: a number, yes or no, a list in brackets, or the text itself. */
export function valueOf(text: string): unknown {
  const plain = text.trim();
  // `[[a link]]` is no list.
  const list = /^\[(?!\[)(.*)\]$/su.exec(plain)?.[1];
  return list === undefined ? simpleValue(plain) : listOf(list);
}

/** The same of a new property, by its key: tags and aliases are lists, also without brackets. */
export function newValue(key: string, text: string): unknown {
  const value = valueOf(text);
  return isListKey(key) && !Array.isArray(value) ? listOf(text) : value;
}

/** The values of a list that a person wrote with commas between them; one that has a comma stands in quotes. */
export function listOf(text: string): unknown[] {
  return partsOf(text).map((part) => {
    const inner = /^(["'])(.*)\1$/su.exec(part)?.[2];
    return inner === undefined ? simpleValue(part) : inner.replaceAll(/\\(["\\])/gu, "$1");
  });
}

/** A property as one line to be changed. */
export function textOf({ values, isList }: Property): string {
  return isList ? values.map(quotedIfNeeded).join(", ") : (values[0] ?? "");
}

function quotedIfNeeded(value: string): string {
  return /,|^["']|^$/u.test(value) ? `"${value.replaceAll(/["\\]/gu, "\\$&")}"` : value;
}

function simpleValue(plain: string): unknown {
  if (/^(?:true|false)$/u.test(plain)) return plain === "true";
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/u.test(plain)) return Number(plain);
  return plain;
}
