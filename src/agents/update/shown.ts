import { z } from "zod";

import { nullIfRefused } from "../../errors.ts";
import { ReplacedBy } from "../../evidence/contract.ts";
import { charactersFor, countTokens } from "../../text/tokens.ts";
import { wordsOf } from "../../text/words.ts";
import { skippedLines } from "../../tidy/pages.ts";
import { replacedText } from "../../tools/search-passages.ts";
import type { Session } from "../../tools/session.ts";
import {
  block,
  formatRange,
  numberLines,
  numberWidth,
  type LineRange,
} from "../../vault/files/lines.ts";
import type { TextFile } from "../../vault/files/text-file.ts";
import { parsePath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { isFromOutside } from "../inbox/untrusted-mark.ts";
import type { SeenLines } from "./known.ts";

/** What the map leaves to the pages of a project and to passages, in tokens. */
const LEFT_BY_MAP = 450;
/** A short map is shown whole all the same. */
const SHORT_MAP = 200;
/** So much longer it may be to be shown whole, beside a usual note: cut, it would have to be read before it is edited. */
const MORE_FOR_MAP = 400;
/** Of a map that is cut. */
const MAX_PART_OF_MAP = 400;
/** Of it, for the lines that name the likely project. */
const MAX_NAMING = 150;
/** What is looked through of a map. */
const MAX_MAP = 20_000;
/** For passages. */
const MAX_PASSAGES = 180;
/** A shorter beginning of a page is of no use. */
const MIN_PART = 120;
const PASSAGES = 3;
/** Of one passage. */
const MAX_LINES = 6;
/** A passage below this share of the best score is of no use. */
const MIN_SHARE = 0.3;
/** Characters: a page has less of it. */
const MOST_FRONTMATTER = 2000;
/** What stands between two parts of a page. */
const GAP = "...";

export interface ShownParts {
  readonly vault: VaultReader;
  /** What the run has read: whole pages shown here count. */
  readonly session: Session;
  readonly seen: SeenLines;
}

/** What `search` found, as programs get it. */
export const FoundPassages = z.array(
  z.object({
    path: z.string(),
    lines: z.string(),
    heading: z.string().nullable(),
    score: z.number(),
    text_lines: z.array(z.object({ number: z.number(), text: z.string() })),
    best: z.array(z.number()),
    replaced: ReplacedBy.nullish(),
  }),
);

export type FoundPassages = z.infer<typeof FoundPassages>;

/** What is shown of the vault, within a number of tokens. */
export class Shown {
  readonly blocks: string[] = [];
  readonly #parts: ShownParts;
  readonly #whole = new Set<VaultPath>();
  #left: number;

  constructor(parts: ShownParts, tokens: number) {
    this.#parts = parts;
    this.#left = tokens;
  }

  /**
   * Shows a page, whole if it fits, else its beginning; nothing when there is none, or others wrote it.
   * @param kept tokens that are left for what follows
   */
  async page(path: VaultPath, kept = 0, most = Number.POSITIVE_INFINITY): Promise<void> {
    const { session, seen } = this.#parts;
    const file = await this.#own(path);
    if (file === null) return;
    const room = charactersFor(Math.min(this.#left - kept, most));
    const head = file.head(Math.max(0, room) + MOST_FRONTMATTER).lines;
    const skipped = skippedLines(head);
    const width = numberWidth(file.totalLines);
    const lines: string[] = [];
    let cost = 0;
    for (const line of head.slice(skipped)) {
      cost += line.length + width + 4;
      if (cost > room) break;
      lines.push(line);
    }
    const range = { start: skipped + 1, end: skipped + lines.length };
    const isWhole = range.end === file.totalLines;
    if (lines.length === 0 || (!isWhole && room < charactersFor(MIN_PART))) return;
    seen.add(path, range);
    if (isWhole) {
      await session.ledger.saw(file.path, file.version);
      this.#whole.add(path);
    }
    const part = ` (lines ${formatRange(range)} of ${file.totalLines}; read it before you edit it)`;
    const header = showPath(path) + (isWhole ? "" : part);
    this.#add(block(header, numberLines(lines, range.start, width)));
  }

  /**
   * Shows the map: whole when that leaves enough for what follows, if need be by going beyond the number of tokens, else its beginning and the
   * lines that name a project.
   */
  async map(path: VaultPath, project: string | undefined): Promise<void> {
    const file = await this.#own(path);
    if (file === null) return;
    const { lines } = file.head(charactersFor(MAX_MAP));
    const skipped = skippedLines(lines);
    const width = numberWidth(file.totalLines);
    const cost = countTokens(numberLines(lines.slice(skipped), skipped + 1, width));
    const share = Math.min(this.#left, Math.max(this.#left - LEFT_BY_MAP, SHORT_MAP));
    const isWhole = lines.length === file.totalLines;
    const more = this.#left < LEFT_BY_MAP + SHORT_MAP ? 0 : MORE_FOR_MAP;
    if (isWhole && cost <= share + more) {
      this.#left += Math.max(0, cost - share);
      await this.page(path);
      return;
    }
    const kept = new KeptLines(lines, skipped, width);
    if (project !== undefined) kept.naming(project, MAX_NAMING);
    kept.beginning(Math.min(share, MAX_PART_OF_MAP));
    for (const range of kept.ranges()) this.#parts.seen.add(path, range);
    const shown = kept.ranges().map((range) => formatRange(range));
    const part = ` (lines ${shown.join(", ")} of ${file.totalLines}; read it before you edit it)`;
    if (shown.length > 0) this.#add(block(showPath(path) + part, kept.text()));
  }

  /** Null when there is none, or others wrote it. */
  async #own(path: VaultPath): Promise<TextFile | null> {
    const { vault } = this.#parts;
    return (await isFromOutside(vault, path)) ? null : nullIfRefused(vault.openText(path));
  }

  /** The best passages that are not shown yet, and that are the person's own text. */
  async passages(results: FoundPassages): Promise<string> {
    const { vault, seen } = this.#parts;
    const best = results[0]?.score ?? 0;
    const blocks: string[] = [];
    let room = Math.min(this.#left, MAX_PASSAGES);
    for (const { path: shown, score, text_lines: lines, best: bestLines, replaced } of results) {
      const { path } = parsePath(shown);
      if (blocks.length === PASSAGES || score < best * MIN_SHARE || room <= 0) break;
      if (this.#whole.has(path) || (await isFromOutside(vault, path))) continue;
      const from = lines.findIndex(({ number }) => number === bestLines[0]);
      const kept: { readonly number: number; readonly text: string }[] = [];
      for (const line of lines.slice(Math.max(0, from))) {
        room -= countTokens(line.text) + 2;
        if (room < 0 || kept.length === MAX_LINES) break;
        kept.push(line);
      }
      const [first, last] = [kept[0], kept.at(-1)];
      if (first === undefined || last === undefined) break;
      const range = { start: first.number, end: last.number };
      seen.add(path, range);
      const texts = kept.map(({ text }) => text);
      const place = `${shown} (lines ${formatRange(range)})`;
      const by = replaced ?? null;
      const header = by === null ? place : `${place} · ${replacedText(by)}`;
      blocks.push(block(header, numberLines(texts, range.start, 2)));
      room -= 20;
    }
    const text = blocks.join("\n");
    this.#left -= countTokens(text);
    return text;
  }

  #add(text: string): void {
    this.blocks.push(text);
    this.#left -= countTokens(text);
  }
}

/** Some lines of a file, within a number of tokens. */
class KeptLines {
  readonly #lines: readonly string[];
  readonly #skipped: number;
  readonly #width: number;
  readonly #kept = new Set<number>();
  #spent = 0;

  /** @param skipped lines of frontmatter */
  constructor(lines: readonly string[], skipped: number, width: number) {
    this.#lines = lines;
    this.#skipped = skipped;
    this.#width = width;
  }

  /** Lines that have a name in them; of a heading, what stands under it too. */
  naming(name: string, tokens: number): void {
    const said = ` ${wordsOf(name).join(" ")} `;
    let isUnder = false;
    for (let at = this.#skipped; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? "";
      const isNamed = ` ${wordsOf(line).join(" ")} `.includes(said);
      if (/^#{1,6}\s/u.test(line)) isUnder = isNamed;
      if ((isNamed || isUnder) && !this.#keep(at, tokens)) return;
    }
  }

  /** The first lines, and all that are kept already. */
  beginning(tokens: number): void {
    for (let at = this.#skipped; at < this.#lines.length; at += 1)
      if (!this.#keep(at, tokens)) return;
  }

  ranges(): LineRange[] {
    const ranges: { start: number; end: number }[] = [];
    for (const at of [...this.#kept].toSorted((a, b) => a - b)) {
      const last = ranges.at(-1);
      if (last?.end === at) last.end = at + 1;
      else ranges.push({ start: at + 1, end: at + 1 });
    }
    return ranges;
  }

  text(): string {
    const parts = this.ranges().map(({ start, end }) =>
      numberLines(this.#lines.slice(start - 1, end), start, this.#width),
    );
    return parts.join(`\n${GAP}\n`);
  }

  /** @returns whether there was room for it */
  #keep(at: number, tokens: number): boolean {
    if (this.#kept.has(at)) return true;
    const cost = ((this.#lines[at] ?? "").length + this.#width + 4) / charactersFor(1);
    if (this.#spent + cost > tokens) return false;
    this.#spent += cost;
    this.#kept.add(at);
    return true;
  }
}
