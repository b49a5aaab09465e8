import path from "node:path";

import { isUnder, type VaultPath } from "../paths.ts";
import { blobsOf } from "./change-facts.ts";
import type { Change, RemovedItem } from "./history-types.ts";

/** Texts to look for. */
export interface Needles {
  readonly texts: readonly Buffer[];
  /** What begins as one of them and is something else: `projects/older`, when `projects/old` is meant. */
  readonly but?: readonly Buffer[];
  /** Whether a kept version holds one of them in a form that its bytes do not show. */
  readonly holds?: (bytes: Buffer) => boolean;
}

/** What must not exist any more: everything that holds one of these texts, or the file or folder at a path with all that it ever was. */
export type Erasure = Needles | { readonly path: VaultPath };

/** What a history held of it. */
export interface ErasedHistory {
  /** Changes that could be shown or undone. */
  readonly changes: number;
  /** Kept versions of files. */
  readonly versions: number;
}

/** A change as it is stored. */
export interface StoredChange {
  readonly entry: string;
  readonly seq: number;
  /** Of its entry, among all. */
  readonly order: number;
  readonly change: Change;
  readonly detail: string;
}

/** A change to delete, or what is left of one. */
export interface Affected {
  readonly row: StoredChange;
  readonly left: Change | null;
}

/** The bytes that a history keeps, as far as they are needed to find a text. */
export interface KeptTexts {
  /** The hashes of those that hold one of the texts. */
  readonly holding: ReadonlySet<string>;
  /** The bytes of a hash that {@link splicedBlobs} names. */
  readonly bytesOf: (hash: string) => Buffer;
}

/** Whether bytes hold one of some texts. */
export function holdsAny({ texts, but = [] }: Needles): (bytes: Buffer) => boolean {
  return (bytes) => texts.some((text) => standsIn(bytes, text, { but }));
}

/** Whether a kept version holds one of some texts. */
export function versionHolds(needles: Needles): (bytes: Buffer) => boolean {
  const isIn = holdsAny(needles);
  return (bytes) => isIn(bytes) || needles.holds?.(bytes) === true;
}

/** Whether a text stands in bytes, before `until`, where none of `but` begins. */
export function standsIn(
  bytes: Buffer,
  text: Buffer,
  { but = [], until = bytes.length }: { but?: readonly Buffer[]; until?: number },
): boolean {
  for (let at = bytes.indexOf(text); at >= 0 && at < until; at = bytes.indexOf(text, at + 1))
    if (!but.some((other) => bytes.subarray(at, at + other.length).equals(other))) return true;
  return false;
}

/** The same as they stand in JSON, as what is inside a string. */
export function inJson({ texts, but = [] }: Needles): Needles {
  const escaped = (text: Buffer): Buffer =>
    Buffer.from(JSON.stringify(text.toString()).slice(1, -1));
  return { texts: texts.map(escaped), but: but.map(escaped) };
}

/** The changes that hold one of some texts, in their bytes or in what is said of them. */
export function affectedByText(
  rows: readonly StoredChange[],
  needles: Needles,
  { holding, bytesOf }: KeptTexts,
): Affected[] {
  const isIn = holdsAny(needles);
  // It is JSON.
  const isInDetail = holdsAny(inJson(needles));
  return rows
    .filter(
      ({ change, detail }) =>
        blobsOf(change).some((blob) => holding.has(blob)) ||
        isInDetail(Buffer.from(detail)) ||
        isIn(Buffer.from(change.path)) ||
        isIn(aroundSplice(change, bytesOf)),
    )
    .map((row) => ({ row, left: null }));
}

/** What replaced a part of a large file, and what was there: a text may begin in it and end beside it. */
export function splicedBlobs({ change }: StoredChange): string[] {
  if (change.kind !== "modify" || "wholeBefore" in change.kept) return [];
  return [change.kept.removed, change.kept.inserted];
}

/** A splice keeps what stood around it too; the text may begin there and end in what was replaced. */
function aroundSplice(change: Change, bytesOf: (hash: string) => Buffer): Buffer {
  if (change.kind !== "modify" || "wholeBefore" in change.kept) return Buffer.alloc(0);
  const { before, after, removed, inserted } = change.kept;
  const [start, end] = [Buffer.from(before, "base64"), Buffer.from(after, "base64")];
  const versions = [removed, inserted].map((hash) => Buffer.concat([start, bytesOf(hash), end]));
  return Buffer.concat([...versions, start, end]);
}

/** The changes of a file or folder, under all names that it had. */
export function affectedByPath(rows: readonly StoredChange[], erased: VaultPath): Affected[] {
  /** Names that it had, each until the change that gave it the next one. */
  const names = new Map<VaultPath, number>([[erased, Number.POSITIVE_INFINITY]]);
  for (const { change, order } of rows.toReversed()) {
    if (change.kind !== "move") continue;
    for (const name of names.keys())
      if (isUnder(name, change.to)) names.set(change.path + name.slice(change.to.length), order);
  }
  const isErased = (each: VaultPath, order: number): boolean =>
    [...names].some(([name, until]) => order <= until && isUnder(each, name));
  return rows.flatMap((row): Affected[] => {
    const { change, order } = row;
    const own = change.kind === "move" ? [change.path, change.to] : [change.path];
    if (own.some((each) => isErased(each, order))) return [{ row, left: null }];
    if (change.kind !== "remove" && change.kind !== "restore") return [];
    const kept = change.items.filter((item) => !isErased(placeOf(change.path, item), order));
    return kept.length === change.items.length ? [] : [{ row, left: { ...change, items: kept } }];
  });
}

/** Where an item of a removed folder was. */
function placeOf(removed: VaultPath, { name }: RemovedItem): VaultPath {
  return path.posix.join(path.posix.dirname(removed), name).normalize("NFC");
}
