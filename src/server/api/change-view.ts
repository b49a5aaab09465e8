import type {
  Change,
  HistoryEntry,
  KeptSplice,
  KeptWhole,
  RemovedItem,
} from "../../vault/history/history-types.ts";
import { joinPath, nameKey, parentOf, showPath, type VaultPath } from "../../vault/paths.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { formatBytes } from "../../text/tokens.ts";
import { localTime } from "../../text/local-time.ts";
import type { Vault } from "../../vault/vault.ts";
import type { ChangeJson, ChangeView, EntryJson, HistoryDetail, Hunk } from "./contract.ts";

type HunkLine = Hunk["lines"][number];

const NOTHING = Buffer.alloc(0);
/** A diff that takes longer would be too long to read. */
const TIMEOUT_MS = 3000;
const CONTEXT_LINES = 3;
/** Changes of one entry that are shown with their content: an adoption has thousands. */
const MOST_VIEWED = 200;

/** What was done to the vault, with the content of each change. */
export async function viewEntry(
  entry: HistoryEntry,
  vault: Pick<Vault, "kept">,
): Promise<HistoryDetail> {
  const viewed = entry.changes.slice(0, MOST_VIEWED).map(async (each) => viewChange(each, vault));
  const others = entry.changes
    .slice(MOST_VIEWED)
    .map((each) => ({ ...changeJson(each), diff: null, note: "one of too many to show" }));
  return { ...entryJson(entry), changes: [...(await Promise.all(viewed)), ...others] };
}

/** Looks up what a change did to the content. */
export async function viewChange(change: Change, vault: Pick<Vault, "kept">): Promise<ChangeView> {
  const facts = changeJson(change);
  if (change.kind === "move") return facts;
  if (change.kind === "modify") {
    return { ...facts, ...(await viewModified(change.path, change.kept, vault)) };
  }
  if (change.kind === "create") {
    if (change.after === null) return { ...facts, diff: null, note: "too large to show" };
    return {
      ...facts,
      ...(await compare(change.path, NOTHING, await vault.kept(change.after), true)),
    };
  }
  return { ...facts, items: change.items.map((item) => viewItem(change.path, item)) };
}

type Comparison = Pick<ChangeView, "diff" | "hunks" | "note" | "removed" | "inserted">;

async function viewModified(
  path: VaultPath,
  kept: KeptWhole | KeptSplice,
  vault: Pick<Vault, "kept">,
): Promise<Comparison> {
  if ("wholeBefore" in kept) {
    return compare(path, await vault.kept(kept.wholeBefore), await vault.kept(kept.wholeAfter));
  }
  // Cut at bytes, maybe inside a character: that one shows as a replacement mark.
  const text = async (hash: string): Promise<string> => (await vault.kept(hash)).toString("utf8");
  const [removed, inserted] = [await text(kept.removed), await text(kept.inserted)];
  const lines = [...hunkLines("removed", removed), ...hunkLines("added", inserted)];
  const hunks = lines.length === 0 ? [] : [{ oldStart: null, newStart: null, lines }];
  return { removed, inserted, hunks };
}

function hunkLines(kind: HunkLine["kind"], text: string): HunkLine[] {
  if (text === "") return [];
  return text
    .replace(/\n$/u, "")
    .split("\n")
    .map((line) => ({ kind, text: line }));
}

const KINDS: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  [" ", "same"],
  ["-", "removed"],
  ["+", "added"],
]);

/** @param line of a unified diff; none of the file's own for `\ No newline at end of file` */
function hunkLine(line: string): HunkLine[] {
  const kind = KINDS.get(line.charAt(0));
  return kind === undefined ? [] : [{ kind, text: line.slice(1) }];
}

/** The difference between two texts of a file. */
export async function compare(
  path: VaultPath,
  before: Buffer,
  after: Buffer,
  isNew = false,
): Promise<Comparison> {
  const sizes = isNew
    ? formatBytes(after.length)
    : `${formatBytes(before.length)} before, ${formatBytes(after.length)} after`;
  if (!isTextBytes(before) || !isTextBytes(after)) {
    return { diff: null, note: `not text: ${sizes}` };
  }
  const { structuredPatch, formatPatch, OMIT_HEADERS } = await import("diff");
  const names = [isNew ? "/dev/null" : showPath(path), showPath(path)] as const;
  const patch = structuredPatch(
    ...names,
    before.toString("utf8"),
    after.toString("utf8"),
    undefined,
    undefined,
    { context: CONTEXT_LINES, timeout: TIMEOUT_MS },
  );
  if (patch === undefined) return { diff: null, note: `too different to compare: ${sizes}` };
  const hunks = patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart,
    newStart,
    lines: lines.flatMap(hunkLine),
  }));
  // Our own headers: theirs would spell an accent in a name as octal numbers.
  return { hunks, diff: `--- ${names[0]}\n+++ ${names[1]}\n${formatPatch(patch, OMIT_HEADERS)}` };
}

function viewItem(path: VaultPath, item: RemovedItem): NonNullable<ChangeView["items"]>[number] {
  const place = joinPath(parentOf(path), item.name.split("/").map(nameKey).join("/"));
  return {
    path: showPath(place, item.kind === "folder" ? "folder" : "file"),
    kind: item.kind,
    bytes: item.kind === "file" ? item.size : null,
  };
}

/** The same for people. */
export function viewText(view: ChangeView): string {
  const title = describeChange(view);
  if (view.note !== undefined) return `${title}: ${view.note}`;
  if (typeof view.diff === "string") return `${title}\n${view.diff.replace(/\n$/u, "")}`;
  if (view.hunks !== undefined) {
    const changed = view.hunks.flatMap(({ lines }) => lines);
    const lines = changed.map(({ kind, text }) => (kind === "removed" ? "-" : "+") + text);
    return [`${title}, a large file: this part of it`, ...lines].join("\n");
  }
  const items = view.items?.filter(({ kind }) => kind !== "folder") ?? [];
  const rows = items.map(
    ({ path, bytes }) => `  ${path}  ${bytes === null ? "link" : formatBytes(bytes)}`,
  );
  return [title, ...rows].join("\n");
}

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
