import type { Change, HistoryEntry } from "../../vault/history/history-types.ts";
import { localTime } from "../../text/local-time.ts";
import { nameKey, showPath } from "../../vault/paths.ts";

/** What a change did, in a few words. */
export function describeChange(change: Change): string {
  if (change.kind === "remove") return `deleted ${treeText(change)}`;
  if (change.kind === "restore") return `restored ${treeText(change)}`;
  const shown = showPath(change.path);
  if (change.kind === "move") return `moved ${shown} to ${showPath(change.to)}`;
  return `${change.kind === "create" ? "created" : "changed"} ${shown}`;
}

function treeText({ path, items }: Extract<Change, { kind: "remove" | "restore" }>): string {
  if (items[0]?.kind !== "folder") return showPath(path);
  const files = items.filter(({ kind }) => kind !== "folder").length;
  return `${showPath(path, "folder")} (${files} ${files === 1 ? "file" : "files"})`;
}

/** The first of several changes, and how many there are besides. */
export function describeChanges(changes: readonly Change[]): string {
  const [first] = changes;
  if (first === undefined) return "nothing";
  const others = changes.length - 1;
  return describeChange(first) + (others === 0 ? "" : ` and ${others} more`);
}

/** A change as programs get it. */
export interface ChangeJson {
  readonly kind: Change["kind"];
  readonly path: string;
  readonly to?: string;
}

export function changeJson(change: Change): ChangeJson {
  const facts = { kind: change.kind, path: showPath(change.path) };
  return change.kind === "move" ? { ...facts, to: showPath(change.to) } : facts;
}

/** An entry's own facts as programs get them. */
export interface EntryJson {
  readonly id: string;
  /** ISO, in UTC. */
  readonly at: string;
  readonly actor: string;
  readonly call: string;
  readonly batch: string | null;
  readonly undoes: string | null;
  readonly undone_by: string | null;
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
export function entryTime({ at }: HistoryEntry): string {
  return localTime(at).replace("T", " ");
}

/** Clients choose their own names: a line break in one must not make two lines of an entry. */
export function actorName({ actor }: HistoryEntry): string {
  return nameKey(actor);
}
