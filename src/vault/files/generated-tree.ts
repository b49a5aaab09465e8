import { readable, type Disk, type Located } from "../disk.ts";
import type { VaultPath } from "../paths.ts";

/** Where our listing of the vault lies, when it is written. */
export const TREE_FILE: VaultPath = "tree.md";

/** As large as a listing can be, in characters: it is kept under 2,000 tokens. */
const MOST_CHARACTERS = 20_000;

const FIRST_ROW = /^vault\/ +\[[^\]·]+ · (?:—|\d{4}-\d\d-\d\d \d\d:\d\d)\]$/u;
const ROW = /^(?:│ {3}| {4})*(?:├── |└── ).+$/u;

/** Our keys above a listing: an earlier version wrote them when it met the file half written by another program. */
const STAMP = /^---\ncreated: [^\n]*\nupdated: [^\n]*\ntokens: \d+\n---\n\n?(?=```\n)/u;

/** Whether a text is a listing that we generated: nothing before, between or after its rows. */
export function isTreeText(given: string): boolean {
  const text = given.replace(STAMP, "");
  if (text.length > MOST_CHARACTERS || !text.startsWith("```\n") || !text.endsWith("\n```\n"))
    return false;
  const [first = "", ...rows] = text.slice("```\n".length, -"\n```\n".length).split("\n");
  return FIRST_ROW.test(first) && rows.every((row) => ROW.test(row));
}

/** Whether a file with this text is the listing that we generate. */
export function isListing(path: VaultPath, text: string): boolean {
  return path === TREE_FILE && isTreeText(text);
}

/** The file that may be our listing: `missing`, or `other` for a folder or a link, wherever it leads. */
export function findTree(disk: Disk): Located | "missing" | "other" {
  const found = readable(() => disk.find(TREE_FILE));
  if (found?.kind === "missing") return "missing";
  return found?.kind === "file" && found.path === TREE_FILE ? found : "other";
}
