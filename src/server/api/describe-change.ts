import type { Change, HistoryEntry } from "../../vault/history/history-types.ts";
import { localTime } from "../../text/local-time.ts";
import { nameKey, showPath } from "../../vault/paths.ts";
import type { ChangeJson, EntryJson } from "./contract.ts";

const VERBS = { remove: "deleted", restore: "restored", create: "created", modify: "changed" };

/** What a change did, in a few words. */
export function describeChange({ kind, path, to, files }: ChangeJson): string {
  if (kind === "move") return `moved ${path} to ${to}`;
  const count = files === undefined ? "" : `/ (${files} ${files === 1 ? "file" : "files"})`;
  return `${VERBS[kind]} ${path}${count}`;
}

/** The first of several changes, and how many there are besides. */
export function describeChanges(changes: readonly ChangeJson[]): string {
  const [first] = changes;
  if (first === undefined) return "nothing";
  const others = changes.length - 1;
  return describeChange(first) + (others === 0 ? "" : ` and ${others} more`);
}

export function changeJson(change: Change): ChangeJson {
  const facts = { kind: change.kind, path: showPath(change.path) };
  if (change.kind === "move") return { ...facts, to: showPath(change.to) };
  const items = "items" in change ? change.items : [];
  if (items[0]?.kind !== "folder") return facts;
  return { ...facts, files: items.filter(({ kind }) => kind !== "folder").length };
}

export function entryJson(entry: HistoryEntry): EntryJson {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: entry.actor,
    call: entry.call,
    batch: entry.batch,
    undoes: entry.undoes,
    undone_by: entry.undoneBy,
  };
}

/** `2026-03-01 10:02:33` */
export function entryTime({ at }: EntryJson): string {
  return localTime(new Date(at)).replace("T", " ");
}

/** Clients choose their own names: a line break in one must not make two lines of an entry. */
export function actorName({ actor }: EntryJson): string {
  return nameKey(actor);
}
