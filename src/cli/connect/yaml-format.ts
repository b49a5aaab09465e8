import { isMap, isScalar, parseDocument, stringify, type Document, type Pair } from "yaml";

import { CannotMerge, lineEnding, type ConfigFormat, type Placement } from "./merge.ts";
import { isSettings } from "./settings.ts";

/** YAML. A server is a key of the map of servers, with a map of its own below it. */
export const yamlFormat: ConfigFormat = {
  render: ({ servers, name, entry }) => stringify({ [servers]: { [name]: entry } }, OPTIONS),
  parse: (text) => {
    const settings: unknown = documentOf(text).toJS() ?? {};
    if (isSettings(settings)) return settings;
    throw new CannotMerge("it holds something else than a map of settings");
  },
  place: (text, placement) => {
    const listed = pairOf(documentOf(text).contents, placement.servers);
    const end = lineEnding(text);
    if (listed === undefined) {
      const block = yamlFormat.render(placement).replaceAll("\n", end);
      return text.endsWith("\n") ? text + block : text + end + block.trimEnd();
    }
    const servers = listed.value;
    if (!isMap(servers) || servers.flow === true) return inPlaceOf(text, listed, placement);
    const [first] = servers.items;
    const indent = indentOf(text, startOf(first));
    const block = indented(stringify({ [placement.name]: placement.entry }, OPTIONS), indent, end);
    const previous = pairOf(servers, placement.name);
    if (previous === undefined) return inserted(text, endOf(servers), indent + block);
    return replaced(text, startOf(previous), endOf(previous.value), block);
  },
};

const OPTIONS = { lineWidth: 0 } as const;

function documentOf(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [first] = document.errors;
  if (first === undefined) return document;
  const line = text.slice(0, first.pos[0]).split(/\r\n|\r|\n/u).length;
  const [reason = ""] = first.message.split(/ at line |\n/u, 1);
  throw new CannotMerge(`line ${line} is not valid YAML (${reason})`);
}

function pairOf(node: unknown, key: string): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

type Ranged = { readonly range?: readonly [number, number, number] | null };

function rangeOf(node: unknown): readonly [number, number, number] {
  const range = typeof node === "object" && node !== null ? rangeIn(node) : undefined;
  if (range === undefined || range === null) throw notPlain();
  return range;
}

function rangeIn(node: Ranged): Ranged["range"] {
  return node.range;
}

function startOf(pair: Pair | undefined): number {
  return rangeOf(pair?.key)[0];
}

/** Where a value ends, without the comments and empty lines after it. */
function endOf(node: unknown): number {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1);
    if (last !== undefined) return endOf(last.value ?? last.key);
  }
  return rangeOf(node)[1];
}

/** Where the map of servers is empty. */
function inPlaceOf(text: string, { key, value }: Pair, placement: Placement): string {
  if (!isMap(value) || value.items.length > 0) throw notPlain();
  const end = lineEnding(text);
  const block = stringify({ [placement.name]: placement.entry }, OPTIONS);
  const colon = text.indexOf(":", rangeOf(key)[1]) + 1;
  return replaced(text, colon, rangeOf(value)[1], `${end}  ${indented(block, "  ", end)}`);
}

function notPlain(): CannotMerge {
  return new CannotMerge("its servers are written in a way that coffre cannot add to");
}

/** The lines of a block after its first, indented. */
function indented(block: string, indent: string, end: string): string {
  return block.trimEnd().replaceAll("\n", end + indent);
}

function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  if (line.trim() !== "") throw notPlain();
  return line;
}

/** On a line of its own after the one that holds `offset`: a comment there belongs to what is before it. */
function inserted(text: string, offset: number, block: string): string {
  const end = lineEnding(text);
  // A block of text ends with the line break of its last line.
  if (text[offset - 1] === "\n") return text.slice(0, offset) + block + end + text.slice(offset);
  const rest = /^[^\r\n]*/u.exec(text.slice(offset))?.[0] ?? "";
  const at = offset + rest.length;
  return text.slice(0, at) + end + block + text.slice(at);
}

function replaced(text: string, start: number, end: number, by: string): string {
  const tail = text[end - 1] === "\n" && !by.endsWith("\n") ? lineEnding(text) : "";
  return text.slice(0, start) + by + tail + text.slice(end);
}
