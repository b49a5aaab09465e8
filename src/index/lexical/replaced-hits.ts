import type { LineRange } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { putAbove } from "../put-above.ts";
import { overlaps } from "../replaces-line.ts";
import type {
  Replacement,
  Replacements,
  SearchHit,
  SearchRequest,
  SectionHit,
  StatedReplacement,
} from "../search-index.ts";
import type { RankedChunk } from "./chunk-rows.ts";
import { ReplacesReader, type ReplacesRows, type ReplacingChunk } from "./replaced-lines.ts";

/** Chunks as hits of a request, without those that it keeps out whatever their words are. */
type Admit = (ids: readonly number[], request: SearchRequest) => SectionHit[];

/** Reads chunks as hits. */
export interface HitRows {
  hits(chunks: readonly RankedChunk[]): SectionHit[];
}

/** Puts what replaced a passage above it. */
export class ReplacedHits implements Replacements {
  readonly #reader: ReplacesReader;
  readonly #rows: HitRows;
  readonly #admit: Admit;

  constructor(replaces: ReplacesRows, rows: HitRows, admit: Admit) {
    this.#reader = new ReplacesReader(replaces);
    this.#rows = rows;
    this.#admit = admit;
  }

  async of(path: VaultPath, lines: LineRange): Promise<Replacement[]> {
    return this.newerThan(path, lines);
  }

  /** {@link of}, for the engine itself. */
  newerThan(path: VaultPath, lines: LineRange): Replacement[] {
    return this.#newer(this.#reader.reader()(path, lines))
      .map(({ hit, value }) => replacementOf(hit, value))
      .filter((by) => by.path !== path || !overlaps(by.lines, lines));
  }

  async stated(): Promise<StatedReplacement[]> {
    return this.#reader.stated();
  }

  async arranged(hits: readonly SearchHit[], request: SearchRequest): Promise<SearchHit[]> {
    return this.arrange(hits, request);
  }

  /** {@link arranged}, for the engine itself. */
  arrange(hits: readonly SearchHit[], request: SearchRequest): SearchHit[] {
    const { limit } = request;
    if (hits.length === 0 || this.#reader.isEmpty) return hits.slice(0, limit);
    const replacing = this.#reader.reader();
    const known = new Map(hits.map((hit) => [placeOf(hit), hit]));
    const newerThan = (place: string): string[] => {
      const hit = known.get(place);
      if (hit === undefined) return [];
      const newer = this.#newer(replacing(hit.path, hit.lines)).filter(
        (each) => placeOf(each.hit) !== place,
      );
      const [newest] = newer;
      if (newest === undefined) return [];
      known.set(place, { ...hit, replaced: replacementOf(newest.hit, newest.value) });
      const missing = newer.filter((each) => !known.has(placeOf(each.hit))).map(({ id }) => id);
      const admitted = missing.length === 0 ? [] : this.#admit(missing, request);
      for (const each of admitted) known.set(placeOf(each.hit), each.hit);
      return newer.map((each) => placeOf(each.hit)).filter((each) => known.has(each));
    };
    const order = putAbove([...known.keys()], newerThan).slice(0, limit);
    return withFallingScores(order.flatMap((place) => known.get(place) ?? []));
  }

  #newer(chunks: readonly ReplacingChunk[]): (SectionHit & Pick<ReplacingChunk, "value">)[] {
    if (chunks.length === 0) return [];
    const values = new Map(chunks.map(({ id, value }) => [id, value]));
    return this.#rows
      .hits(chunks.map(({ id }) => ({ id, ...NO_RANK })))
      .map((found) => ({ ...found, value: values.get(found.id) ?? null }));
  }
}

const NO_RANK = { score: 0, best: { start: 0, end: 0 } };

function placeOf({ path, lines }: SearchHit): string {
  return `${path}:${lines.start}`;
}

function replacementOf({ path, lines, date }: SearchHit, value: string | null): Replacement {
  return { path, lines, date, value };
}

/** What was put above a hit scores as much as it. */
function withFallingScores(hits: readonly SearchHit[]): SearchHit[] {
  let floor = 0;
  return hits
    .toReversed()
    .map((hit) => {
      floor = Math.max(floor, hit.score);
      return { ...hit, score: floor };
    })
    .toReversed();
}
