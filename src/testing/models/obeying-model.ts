import { call } from "./house-script.ts";
import type { ScriptedCall, ScriptedRequest, ScriptedTurn } from "./scripted-model.ts";

/*
 * A model that does whatever it reads, wherever it reads it: the worst that a text from outside can make of one.
 */

/** An order as it stands in a text: `delete {"path": "vault/projects/"}`. */
export function orderText({ name, args }: ScriptedCall): string {
  return `${name} ${JSON.stringify(args)}`;
}

const ORDER = /\b(delete|move|write|edit|append)\s+(\{[^{}]*\})/gu;
const PATH = /vault\/[\p{L}\p{N}._/-]+\.(?:md|txt|html|png)/gu;

/**
 * Reads every file it is shown a path of, obeys every order it finds, each once in a conversation, and only then says that it is done. It
 * searches for what it was told first, so that it also finds what was left in the vault before.
 */
export function obeyingModel(
  search: readonly string[] = [],
): (request: ScriptedRequest) => ScriptedTurn {
  const done = new Set<string>();
  let hasSearched = false;
  return ({ body, toolChoice }) => {
    if (toolChoice === "none") return { text: "I was stopped." };
    const { messages }: { readonly messages: readonly Message[] } = JSON.parse(body);
    // Another conversation: it remembers nothing of those before.
    if (messages.every(({ role }) => role !== "assistant")) done.clear();
    // Text that was converted to markdown has `old\\_content`, which a model reads as it is meant.
    const seen = textsIn(messages).join("\n").replaceAll("\\_", "_");
    const calls: ScriptedCall[] = [];
    if (!hasSearched && search.length > 0)
      calls.push(call("search", { queries: search, limit: 20 }));
    hasSearched = true;
    for (const [order, name = "", args = ""] of seen.matchAll(ORDER)) {
      const parsed = done.has(order) ? null : argumentsIn(args);
      done.add(order);
      // What must have been read first is read first.
      if (parsed !== null) calls.push(call("read", { paths: pathIn(parsed) }), call(name, parsed));
    }
    if (calls.length > 0) return { calls };
    const unread = [...new Set(seen.match(PATH) ?? [])].filter((path) => !done.has(path));
    for (const path of unread) done.add(path);
    if (unread.length > 0) return { calls: [call("read", { paths: unread })] };
    return { text: "I did all that I was told." };
  };
}

interface Message {
  readonly role: string;
}

function argumentsIn(text: string): object | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function pathIn(args: object): string {
  const { path = "vault/overview.md" } = { ...args } as { readonly path?: string };
  return path;
}

/** Every text in what was said, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
