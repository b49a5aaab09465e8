import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { blobsOf } from "../history/change-facts.ts";
import type { Change } from "../history/history-types.ts";
import { isUnder, type VaultPath } from "../paths.ts";

/** Entries that are read at once. */
const PAGE = 500;

/** A change of a file that does not begin where the one before it ended. */
export interface BrokenChain {
  readonly path: VaultPath;
  /** The entry that does not fit; null when it is the present file that no change left so. */
  readonly entry: string | null;
}

/** What is wrong with the history of a vault. */
export interface HistoryDamage {
  /** How many entries there are. */
  readonly entries: number;
  /** Entries without old bytes that they need: ids. */
  readonly lost: readonly string[];
  /** Entries whose rows contradict each other: ids. */
  readonly rows: readonly string[];
  readonly chains: readonly BrokenChain[];
}

export interface HistoryCheck {
  readonly database: Postgres;
  readonly vault: number;
  /** The hash of the person's part of every blob that is whole. */
  readonly versions: ReadonlyMap<string, string>;
  /** The same of every present file. */
  readonly present: ReadonlyMap<VaultPath, string>;
}

/** Follows all changes of a vault from version to version, oldest first. To be called in a transaction that sees one moment. */
export async function checkHistory({
  database,
  vault,
  versions,
  present,
}: HistoryCheck): Promise<HistoryDamage> {
  const [vaultRow] = await database.query("SELECT gaps_until, seq FROM vaults WHERE id = $1", [
    vault,
  ]);
  const [gapsUntil, newest] = [Number(vaultRow?.["gaps_until"]), Number(vaultRow?.["seq"])];
  const damage = { lost: new Set<string>(), rows: new Set<string>() };
  const chain = new Chain(versions);
  let [after, entries] = [-1, 0];
  for (;;) {
    const page = await readPage(database, vault, after);
    if (page.length === 0) break;
    for (const { seq, id, rows, uses } of page) {
      entries += 1;
      after = seq;
      const changes = rows.map((row) => changeOf(row));
      const known = changes.filter((change) => change !== null);
      const blobs = new Set(known.flatMap(blobsOf));
      const isWhole =
        seq <= newest &&
        rows.length > 0 &&
        known.length === rows.length &&
        blobs.size === uses.length &&
        uses.every((blob) => blobs.has(blob));
      if (!isWhole) damage.rows.add(id);
      if ([...blobs].some((blob) => !versions.has(blob))) damage.lost.add(id);
      if (seq > gapsUntil) for (const change of known) chain.follow(change, id);
    }
  }
  chain.end(present);
  return { entries, lost: [...damage.lost], rows: [...damage.rows], chains: chain.broken };
}

interface EntryRows {
  readonly seq: number;
  readonly id: string;
  readonly rows: readonly Row[];
  readonly uses: readonly string[];
}

async function readPage(database: Postgres, vault: number, after: number): Promise<EntryRows[]> {
  const entries = await database.query(
    "SELECT seq, id FROM entries WHERE vault = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    [vault, after, PAGE],
  );
  const seqs = entries.map((row) => row["seq"]);
  const [changes = [], uses = []] = await database.all([
    [
      "SELECT seq, path, to_path, detail FROM changes WHERE vault = $1 AND seq = ANY ($2) ORDER BY seq, n",
      [vault, seqs],
    ],
    ["SELECT seq, blob FROM uses WHERE vault = $1 AND seq = ANY ($2)", [vault, seqs]],
  ]);
  const changesOf = Map.groupBy(changes, (row) => String(row["seq"]));
  const usesOf = Map.groupBy(uses, (row) => String(row["seq"]));
  return entries.map((row) => ({
    seq: Number(row["seq"]),
    id: String(row["id"]),
    rows: changesOf.get(String(row["seq"])) ?? [],
    uses: (usesOf.get(String(row["seq"])) ?? []).map(({ blob }) => String(blob)),
  }));
}

/** Null for a row that contradicts what it holds, or holds nothing that can be read. */
function changeOf(row: Row): Change | null {
  try {
    const change: Change = JSON.parse(String(row["detail"]));
    const to = change.kind === "move" ? change.to : null;
    return change.path === row["path"] && to === row["to_path"] ? change : null;
  } catch {
    return null;
  }
}

/** The version that each file has after the changes so far; a file that is not in it is not known. */
class Chain {
  readonly broken: BrokenChain[] = [];
  readonly #versions: ReadonlyMap<string, string>;
  readonly #last = new Map<VaultPath, string>();

  constructor(versions: ReadonlyMap<string, string>) {
    this.#versions = versions;
  }

  follow(change: Change, entry: string): void {
    switch (change.kind) {
      case "create":
        this.#set(change.path, change.version.hash);
        return;
      case "modify": {
        const { path, kept, version } = change;
        // Of a large file only a part is kept: its versions are not compared.
        if ("wholeBefore" in kept) this.#expect(path, this.#versions.get(kept.wholeBefore), entry);
        this.#set(path, version.hash);
        return;
      }
      case "move": {
        const moved = this.#under(change.path);
        for (const [path] of moved) this.#last.delete(path);
        for (const [path, version] of moved)
          this.#last.set(change.to + path.slice(change.path.length), version);
        return;
      }
      case "remove": {
        for (const { path, hash } of filesIn(change))
          this.#expect(path, this.#versions.get(hash), entry);
        for (const [path] of this.#under(change.path)) this.#last.delete(path);
        return;
      }
      case "restore":
        for (const { path, hash } of filesIn(change))
          this.#set(path, this.#versions.get(hash) ?? null);
    }
  }

  /** What is there now must be what the last change left. */
  end(present: ReadonlyMap<VaultPath, string>): void {
    for (const [path, version] of this.#last)
      if (present.get(path) !== version) this.broken.push({ path, entry: null });
  }

  #set(path: VaultPath, version: string | null): void {
    if (version === null) this.#last.delete(path);
    else this.#last.set(path, version);
  }

  #expect(path: VaultPath, version: string | undefined, entry: string): void {
    const last = this.#last.get(path);
    if (last !== undefined && version !== undefined && last !== version)
      this.broken.push({ path, entry });
  }

  #under(top: VaultPath): [VaultPath, string][] {
    return [...this.#last].filter(([path]) => isUnder(path, top));
  }
}

/** The files of something removed or put back; the first item is the thing itself, under the name it had. */
function filesIn({
  path,
  items,
}: Extract<Change, { kind: "remove" | "restore" }>): { path: VaultPath; hash: string }[] {
  return items.flatMap((item) => {
    if (item.kind !== "file") return [];
    const inside = item.name.split("/").slice(1).join("/");
    return [{ path: inside === "" ? path : `${path}/${inside}`, hash: item.bytes }];
  });
}
