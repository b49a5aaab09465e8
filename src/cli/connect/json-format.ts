import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";

import { CannotMerge, lineEnding, type ConfigFormat } from "./merge.ts";
import { isSettings } from "./settings.ts";

/** JSON, with the comments and the last commas that clients allow in it. */
export const jsonFormat: ConfigFormat = {
  render: ({ servers, name, entry }) =>
    `${JSON.stringify({ [servers]: { [name]: entry } }, null, 2)}\n`,
  parse: (text) => {
    const settings = valueOf(treeOf(text));
    if (isSettings(settings)) return settings;
    throw new CannotMerge("it holds something else than a JSON object");
  },
  place: (text, { servers, name, entry }) => {
    const root = treeOf(text);
    const listed = propertyOf(root, servers)?.children?.[1];
    if (listed === undefined) return insertProperty(text, root, servers, { [name]: entry });
    const previous = propertyOf(listed, name);
    return previous === undefined
      ? insertProperty(text, listed, name, entry)
      : replaceValue(text, previous, entry);
  },
};

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (root !== undefined && first === undefined) return root;
  const before = text.slice(0, first?.offset ?? 0);
  const line = before.split(/\r\n|\r|\n/u).length;
  throw new CannotMerge(`line ${line} is not valid JSON (${wordsOf(first)})`);
}

/** `CommaExpected`: comma expected */
function wordsOf(error: ParseError | undefined): string {
  if (error === undefined) return "value expected";
  return printParseErrorCode(error.error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, " ")
    .toLowerCase();
}

/** What stands under a key. Clients go by the last where it is written twice. */
function propertyOf({ children = [] }: Node, key: string): Node | undefined {
  return children.findLast(({ children: [name] = [] }) => name?.value === key);
}

/** Like the parser's own, but with a key `__proto__` like any other. */
function valueOf({ type, value, children = [] }: Node): unknown {
  if (type === "array") return children.map(valueOf);
  if (type !== "object") return value;
  const pairs = children.map(({ children: [key, held] = [] }): [string, unknown] => [
    String(key?.value),
    held === undefined ? undefined : valueOf(held),
  ]);
  return Object.fromEntries(pairs);
}

/**
 * Adds a property to an object as its last, laid out like those before it. No other character of the text changes, which the `modify` of
 * jsonc-parser does not promise: it puts a property before the comment that ends the line of the one before it.
 */
function insertProperty(text: string, object: Node, key: string, value: unknown): string {
  const indent = indentWithin(text, object);
  const name = JSON.stringify(key);
  const content = written(text, object, value, indent);
  // On one line with what is there, or on a line of its own.
  const property =
    indent === null ? `${name}:${content}` : `${lineEnding(text)}${indent}${name}: ${content}`;
  const placeAfter = (offset: number): number =>
    indent === null ? offset : endOfLine(text, offset);
  const last = object.children?.at(-1);
  if (last === undefined) {
    const at = placeAfter(object.offset + 1);
    return spliced(text, at, property + closingLine(text, at, object, indent));
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end, object.offset + object.length - 1);
  if (comma !== null) return spliced(text, placeAfter(comma + 1), `${property},`);
  const added = spliced(text, placeAfter(end), property);
  return spliced(added, end, ",");
}

/** A new line for the closing brace of an object that was empty, unless it has one. */
function closingLine(text: string, at: number, { parent }: Node, indent: string | null): string {
  if (indent === null || /^[\r\n]/u.test(text.slice(at))) return "";
  return lineEnding(text) + (parent === undefined ? "" : (indentBefore(text, parent.offset) ?? ""));
}

/** Replaces the value of a property. */
function replaceValue(text: string, property: Node, value: unknown): string {
  const held = property.children?.[1];
  if (held === undefined) return text;
  const content = written(text, property, value, indentBefore(text, property.offset));
  return text.slice(0, held.offset) + content + text.slice(held.offset + held.length);
}

function spliced(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** A value in the style of the text: on one line, where `indent` is null, or with the lines after the first indented. */
function written(text: string, near: Node, value: unknown, indent: string | null): string {
  if (indent === null) return JSON.stringify(value);
  const lines = JSON.stringify(value, null, indentUnit(text, near));
  return lines.replaceAll("\n", lineEnding(text) + indent);
}

/** The indentation of an object's properties; null where they stand on one line. */
function indentWithin(text: string, object: Node): string | null {
  const last = object.children?.at(-1);
  if (last !== undefined) return indentBefore(text, last.offset);
  if (object.parent === undefined) return indentUnit(text, object);
  const outer = indentBefore(text, object.parent.offset);
  return outer === null ? null : outer + indentUnit(text, object);
}

/** What one level is indented by: as much as the outermost properties are. */
function indentUnit(text: string, node: Node): string {
  const root = rootOf(node);
  const [first] = root.children ?? [];
  return (first === undefined ? null : indentBefore(text, first.offset)) ?? "  ";
}

function rootOf(node: Node): Node {
  return node.parent === undefined ? node : rootOf(node.parent);
}

/** The indentation of the line that starts at `offset`; null if other text is before it on the line. */
function indentBefore(text: string, offset: number): string | null {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return line.trim() === "" ? line : null;
}

/** After the comments that end a line, because they belong to what is before them; `offset` itself if the line goes on. */
function endOfLine(text: string, offset: number): number {
  const rest = text.slice(offset);
  const comments = /^[ \t]*(?:\/\*[^\r\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=[\r\n])/u.exec(rest);
  return offset + (comments?.[0].length ?? 0);
}

/** Where the comma after the last property stands; null if it has none. */
function commaAfter(text: string, from: number, to: number): number | null {
  const comments = /\/\/[^\r\n]*|\/\*[^]*?\*\//gu;
  const bare = text.slice(from, to).replaceAll(comments, (comment) => " ".repeat(comment.length));
  const at = bare.indexOf(",");
  return at < 0 ? null : from + at;
}
