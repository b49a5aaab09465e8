import { withoutExtension } from "../index/links-in.ts";
import { headingsOf } from "../vault/files/headings.ts";
import type { VaultPath } from "../vault/paths.ts";
import { blocksOf, contentOf, isEmpty, lastText, trimmed, type Block } from "./changelog-blocks.ts";
import type { LineEdit } from "./finding.ts";
import type { Page } from "./pages.ts";

const INDEX = /^d[ée]cisions$/iu;
const POINTER = /^archives?$/iu;
const DECISION = /\[d[ée]cision\]\s*/iu;

export interface Archived {
  readonly path: VaultPath;
  /** What is there of an earlier time. */
  readonly present: Page | null;
  readonly isFrench: boolean;
  /** Of the changelog, and the blocks of it that go into this archive. */
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
}

/** The lines of an archive, the last one empty: an index of its decisions, then its days as they were, each once. */
export function archivedText({ path, present, isFrench, lines, blocks }: Archived): string[] {
  const old = present?.lines ?? [];
  const oldBlocks = blocksOf(old);
  const preface = trimmed(old.slice(0, (oldBlocks[0]?.start ?? old.length + 1) - 1));
  const days = new Map<string, string[]>();
  const others: string[][] = [];
  const add = (from: readonly string[], block: Block): void => {
    const heading = from[block.start - 1] ?? "";
    const content = contentOf(from, block);
    if (block.day === null) {
      if (!INDEX.test(block.title)) others.push([heading, "", ...content]);
      return;
    }
    const known = days.get(block.day);
    if (known === undefined) days.set(block.day, [heading, "", ...content]);
    else if (content.length > 0) known.push("", ...content);
  };
  for (const block of blocks) add(lines, block);
  for (const block of oldBlocks) add(old, block);
  const stem = withoutExtension(path);
  const decisions = [...days].flatMap(([day, content]) =>
    headingsOf(content, 0)
      .filter(({ text }) => DECISION.test(text))
      .map(({ text }) => `- [[${stem}#${day}|${day}]] ${text.replace(DECISION, "").trim()}`),
  );
  const index =
    decisions.length === 0 ? [] : [[isFrench ? "# Décisions" : "# Decisions", "", ...decisions]];
  const parts = [...(preface.length === 0 ? [] : [preface]), ...index, ...days.values(), ...others];
  return parts.flatMap((part) => [...trimmed(part), ""]);
}

/** Adds where the older days are to the end of a changelog, or to the list that it has. */
export function archiveLines(
  lines: readonly string[],
  kept: readonly Block[],
  archives: readonly VaultPath[],
  isFrench: boolean,
): LineEdit {
  const list = kept.find(({ title }) => POINTER.test(title));
  const names = archives.map((path) => `- [[${withoutExtension(path)}]]`);
  if (list !== undefined) {
    const there = new Set(lines.slice(list.start - 1, list.end));
    const added = names.filter((name) => !there.has(name));
    const place = lastText(lines, list) + 1;
    return { start: place, end: place - 1, lines: added };
  }
  const last = kept.at(-1);
  const isApart = last === undefined || isEmpty(lines[last.end - 1]);
  const heading = isFrench ? "# Archives" : "# Archive";
  const place = lines.length + 1;
  return { start: place, end: place - 1, lines: [...(isApart ? [] : [""]), heading, "", ...names] };
}
