import type { PlacedLink } from "../../index/links-in.ts";
import { linkKey, withoutExtension } from "../../index/links-in.ts";
import { isAddressOf } from "../../index/relink/link-form.ts";
import { languageOfText } from "../../text/language.ts";
import { countTokens } from "../../text/tokens.ts";
import { wordsOf } from "../../text/words.ts";
import { headingsOf } from "../../vault/files/headings.ts";
import { joinPath, parentOf, showPath, type VaultPath } from "../../vault/paths.ts";
import { archivedText, archiveLines } from "../changelog-archive.ts";
import {
  blocksOf,
  changelogPaths,
  mergeDays,
  removedBlocks,
  type Block,
} from "../changelog-blocks.ts";
import type { Finder, Finding, LineEdit, ProposedChange, TidyContext } from "../finding.ts";
import type { Page } from "../pages.ts";
import { editOf, editsOf, relinked, relinkedLines } from "../relink.ts";

const MAX_TOKENS = 50_000;
/** Tokens of the present year that stay when it is too long by itself. */
const KEPT_TOKENS = 25_000;

/** Whether a changelog has more than it should, and days that can go. */
export function isLong(page: Page, today: string): boolean {
  return movedBlocks(page, today).length > 0;
}

function tokensOf(lines: readonly string[]): number {
  return countTokens(lines.join("\n"));
}

/** The blocks to be moved: those of years gone by; if that is not enough, the oldest days of the present one too. */
function movedBlocks({ lines }: Page, today: string): Block[] {
  if (tokensOf(lines) <= MAX_TOKENS) return [];
  const blocks = blocksOf(lines);
  const sizes = new Map(
    blocks.map((block) => [block, tokensOf(lines.slice(block.start - 1, block.end))]),
  );
  const sum = (of: readonly Block[]): number =>
    of.reduce((total, block) => total + (sizes.get(block) ?? 0), 0);
  const year = today.slice(0, 4);
  const moved = new Set(blocks.filter(({ day }) => day !== null && day.slice(0, 4) < year));
  let left = sum(blocks) - sum([...moved]);
  if (left <= MAX_TOKENS) return [...moved];
  const ofYear = blocks
    .filter(({ day }) => day?.startsWith(year))
    .toSorted((a, b) => ((a.day ?? "") < (b.day ?? "") ? -1 : 1));
  const newest = ofYear.at(-1)?.day;
  for (const block of ofYear) {
    if (left <= KEPT_TOKENS || block.day === newest) break;
    moved.add(block);
    left -= sizes.get(block) ?? 0;
  }
  return blocks.filter((block) => moved.has(block));
}

/** Changelogs that are too long to be read: years gone by get a file of their own, with an index of their decisions. */
export const longChangelog: Finder = {
  kind: "long-changelog",
  find: async (context) => {
    const found: Finding[] = [];
    for (const path of changelogPaths(context.projects)) {
      const changelog = await context.page(path);
      if (changelog === null) continue;
      const moved = movedBlocks(changelog, context.today);
      if (moved.length > 0) found.push(await split(changelog, moved, context));
    }
    return found;
  },
};

async function split(
  changelog: Page,
  moved: readonly Block[],
  context: TidyContext,
): Promise<Finding> {
  const { path, lines } = changelog;
  const isFrench = languageOfText(lines.slice(0, 400).join("\n")) === "fr";
  const years = Map.groupBy(moved, ({ day }) => (day ?? "").slice(0, 4));
  const archiveOf = (year: string): VaultPath => joinPath(parentOf(path), `changelog-${year}.md`);
  const places = new Places(lines, blocksOf(lines), new Set(moved), path, archiveOf);
  const rows = relinkedLines(lines, path, (link) => places.ofOwn(link));
  const all = lines.map((line, at) => rows.get(at + 1) ?? line);
  const changes: ProposedChange[] = [];
  for (const [year, blocks] of years) {
    const archive = archiveOf(year);
    const present = await context.page(archive);
    const text = archivedText({ path: archive, present, isFrench, lines: all, blocks });
    if (present === null) changes.push({ kind: "create", path: archive, text: text.join("\n") });
    else {
      const edits = [{ start: 1, end: present.lines.length, lines: text.slice(0, -1) }];
      changes.push(editOf(present, edits));
    }
  }
  changes.unshift(
    editOf(
      changelog,
      keptEdits(changelog, moved, rows, [...years.keys()].map(archiveOf), isFrench),
    ),
  );
  const archives = new Set([path, ...[...years.keys()].map(archiveOf)]);
  const others = await relinked(
    path,
    context,
    ({ fragment }) => places.of(fragment),
    (from) => archives.has(from),
  );
  const shown = showPath(path);
  const size = `${Math.round(tokensOf(lines) / 1000)}k`;
  const names = [...years.keys()].map((year) => `changelog-${year}.md`).join(", ");
  return {
    kind: "long-changelog",
    title: {
      en: `${shown} has ${size} tokens: ${moved.length} days go to ${names}, with an index of decisions`,
      fr: `${shown} a ${size} tokens : ${moved.length} jours vont dans ${names}, avec un index des décisions`,
    },
    path,
    line: null,
    changes: [...changes, ...others],
    canBeWorded: false,
  };
}

/** What is left of the changelog: the other days, and where the rest is. */
function keptEdits(
  { lines }: Page,
  moved: readonly Block[],
  rows: ReadonlyMap<number, string>,
  archives: readonly VaultPath[],
  isFrench: boolean,
): LineEdit[] {
  const gone = new Set(moved.map(({ start }) => start));
  const kept = blocksOf(lines).filter(({ start }) => !gone.has(start));
  const removed = removedBlocks(moved);
  const merged = mergeDays(lines, kept, false);
  const taken = [...removed, ...merged];
  const isTaken = (line: number): boolean =>
    taken.some(({ start, end }) => line >= start && line <= end);
  const own = editsOf(new Map([...rows].filter(([line]) => !isTaken(line))));
  const pointer = archiveLines(lines, kept, archives, isFrench);
  return [...removed, ...merged, ...own, pointer];
}

/** Where the headings of a changelog are after it was split. */
class Places {
  readonly #kept = new Set<string>();
  readonly #moved = new Map<string, VaultPath>();
  readonly #path: VaultPath;
  readonly #fileAt: (line: number) => VaultPath;

  constructor(
    lines: readonly string[],
    blocks: readonly Block[],
    moved: ReadonlySet<Block>,
    path: VaultPath,
    archiveOf: (year: string) => VaultPath,
  ) {
    this.#path = path;
    const starts = new Set([...moved].map(({ start }) => start));
    const owner = (line: number): Block | undefined =>
      blocks.findLast(({ start }) => start <= line);
    this.#fileAt = (line) => {
      const block = owner(line);
      return block !== undefined && starts.has(block.start)
        ? archiveOf((block.day ?? "").slice(0, 4))
        : path;
    };
    for (const { line, text } of headingsOf(lines, 0)) {
      const file = this.#fileAt(line);
      const name = spelled(text);
      if (file === path) this.#kept.add(name);
      else if (!this.#moved.has(name)) this.#moved.set(name, file);
    }
  }

  /** Where a link to a heading of the changelog leads; null when it leads there still. */
  of(fragment: string | null): VaultPath | null {
    if (fragment === null) return null;
    const names = fragment.split("#").map(spelled);
    if (names.every((name) => this.#kept.has(name))) return null;
    const files = names.map((name) => this.#moved.get(name));
    return files.every((file) => file !== undefined) ? (files.at(0) ?? null) : null;
  }

  /** The same of a link in the changelog itself, which may have moved with its line. */
  ofOwn(link: PlacedLink): VaultPath | null {
    const isOwn =
      link.target === "" ||
      (linkKey(link.target) === linkKey(this.#path) &&
        (isAddressOf(link.target, this.#path, this.#path) ||
          withoutExtension(link.target) === withoutExtension(this.#path)));
    if (!isOwn || link.fragment === null) return null;
    const here = this.#fileAt(link.line);
    const there = this.of(link.fragment) ?? this.#path;
    if (link.target === "") return here === there ? null : there;
    return there === this.#path ? null : there;
  }
}

function spelled(heading: string): string {
  return wordsOf(heading).join(" ");
}
