import type { LineRange } from "../../vault/files/lines.ts";
import { parentOf, type VaultPath } from "../../vault/paths.ts";
import { resolveLink, type NamedFile } from "../links-in.ts";
import { overlaps, replacedLines } from "../replaces-line.ts";
import type { StatedReplacement } from "../search-index.ts";

/** A chunk that replaces lines of another. */
export interface ReplacingChunk {
  readonly id: number;
  /** In its file: which of several is the newest. */
  readonly date: string | null;
  /** What it says was true before. */
  readonly value: string | null;
}

/** A line `Replaces: [[…]]`. */
export interface ReplacesRow {
  readonly from: VaultPath;
  readonly line: number;
  /** The number of the file it stands in. */
  readonly file: number;
  readonly target: string;
  readonly key: string;
  readonly headings: readonly string[];
  readonly value: string | null;
}

/** A row with the columns of such a line. */
export function replacesRow(row: Readonly<Record<string, unknown>>): ReplacesRow {
  const { headings, value } = row;
  return {
    from: String(row["path"]),
    line: Number(row["line"]),
    file: Number(row["file"]),
    target: String(row["target"]),
    key: String(row["key"]),
    headings: headings === "" ? [] : String(headings).split("\n"),
    value: typeof value === "string" ? value : null,
  };
}

/** What an engine knows of such lines. */
export interface ReplacesRows {
  isEmpty(): boolean;
  /** Every one, by its path and place. */
  all(): readonly ReplacesRow[];
  /** Those that may mean a file, by their path and place. */
  naming(path: VaultPath): readonly ReplacesRow[];
  /** The files that a key may mean, by their path. */
  named(key: string): readonly NamedFile[];
  /** A file as it was indexed; null when it is not. */
  text(path: VaultPath): string | null;
  chunkAt(file: number, line: number): Pick<ReplacingChunk, "id" | "date"> | null;
}

/** Lines of a file, and the chunk that replaces them. */
interface Replaced {
  readonly lines: readonly LineRange[];
  readonly by: ReplacingChunk;
}

/** Works out what each line means now, since files and headings come and go. */
export class ReplacesReader {
  readonly #rows: ReplacesRows;

  constructor(rows: ReplacesRows) {
    this.#rows = rows;
  }

  get isEmpty(): boolean {
    return this.#rows.isEmpty();
  }

  /** Every line that replaces something, by its path and place. */
  stated(): StatedReplacement[] {
    return statedIn(this.#rows.all(), (key) => this.#rows.named(key));
  }

  /** What replaces lines of a file, as it is at this moment: the files are read once for all questions to the function it returns. */
  reader(): (path: VaultPath, lines: LineRange) => ReplacingChunk[] {
    const known = new Map<VaultPath, readonly Replaced[]>();
    return (path, asked) => {
      const all = known.get(path) ?? this.#in(path);
      known.set(path, all);
      const found = all.filter(({ lines }) => lines.some((range) => overlaps(range, asked)));
      const chunks = new Map(found.map(({ by }) => [by.id, by]));
      return [...chunks.values()].toSorted(newestFirst);
    };
  }

  #in(path: VaultPath): Replaced[] {
    const rows = this.#rows.naming(path);
    if (rows.length === 0) return [];
    const lines = this.#rows.text(path)?.split("\n") ?? [];
    return rows.flatMap(({ from, target, key, file, line, headings, value }) => {
      const named = this.#rows.named(key);
      if (resolveLink(from, { kind: "wiki", target }, named) !== path) return [];
      const by = this.#rows.chunkAt(file, line);
      if (by === null) return [];
      return [{ lines: replacedLines(lines, { headings, value }), by: { ...by, value } }];
    });
  }
}

/** What such lines mean. @param named the files that a key may mean, by their path */
export function statedIn(
  lines: readonly ReplacesRow[],
  named: ReplacesRows["named"],
): StatedReplacement[] {
  // Many lines of a changelog name the same place, and many files have one name.
  const meant = new Map<string, VaultPath | null>();
  return lines.map(({ from, line, target, key, value }) => {
    const asked = target === "" ? from : `${parentOf(from)}\n${target}`;
    const to = meant.get(asked) ?? resolveLink(from, { kind: "wiki", target }, named(key));
    meant.set(asked, to);
    return { from, line, to, value };
  });
}

function newestFirst(a: ReplacingChunk, b: ReplacingChunk): number {
  if (a.date !== b.date) return (a.date ?? "") > (b.date ?? "") ? -1 : 1;
  return a.id - b.id;
}
