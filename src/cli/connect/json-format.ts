import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";

import { insertProperty, replaceValue } from "./json-layout.ts";
import { CannotMerge, isSettings, type ConfigFormat } from "./merge.ts";

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
