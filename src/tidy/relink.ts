import { linkKey, placedLinks, withoutExtension, type PlacedLink } from "../index/links-in.ts";
import { isAddressOf, relativePath, written } from "../index/relink/link-form.ts";
import type { FileLink } from "../index/search-index.ts";
import { isMarkdown, parentOf, type VaultPath } from "../vault/paths.ts";
import type { LineEdit, ProposedChange, TidyContext } from "./finding.ts";
import type { Page } from "./pages.ts";

/** Pages that no index has. */
const UNINDEXED: readonly VaultPath[] = ["overview.md", "profile.md"];

/** The lines of a text with some of its links leading elsewhere, by their numbers from 1. */
export function relinkedLines(
  lines: readonly string[],
  from: VaultPath,
  choose: (link: PlacedLink) => VaultPath | null,
): Map<number, string> {
  const text = lines.join("\n");
  const changed = new Map<number, string>();
  let [line, begin] = [1, 0];
  const replaced = new Map<number, { start: number; end: number; text: string }[]>();
  for (const link of placedLinks(text)) {
    const wanted = choose(link);
    if (wanted === null) continue;
    const name = nameFor(link, from, wanted);
    const inserted = written(link, text.slice(link.start, link.end), name);
    if (inserted === null) continue;
    while (line < link.line) {
      begin += (lines[line - 1] ?? "").length + 1;
      line += 1;
    }
    const row = replaced.get(link.line) ?? [];
    replaced.set(link.line, row);
    row.push({ start: link.start - begin, end: link.end - begin, text: inserted });
  }
  for (const [number, row] of replaced) {
    let shown = lines[number - 1] ?? "";
    for (const { start, end, text: inserted } of row.toSorted((a, b) => b.start - a.start))
      shown = shown.slice(0, start) + inserted + shown.slice(end);
    changed.set(number, shown);
  }
  return changed;
}

/** From the root, so that it means one file whatever others are called. */
function nameFor({ kind, target }: PlacedLink, from: VaultPath, wanted: VaultPath): string {
  const path = kind === "wiki" ? wanted : relativePath(parentOf(from), wanted);
  const isBare = isMarkdown(wanted) && withoutExtension(target) === target;
  return isBare ? withoutExtension(path) : path;
}

/**
 * What makes the links to a file lead to another one, page by page.
 * @param choose where a link leads from now on; null leaves it
 * @param isLeft pages that are put right otherwise
 */
export async function relinked(
  file: VaultPath,
  { index, page }: Pick<TidyContext, "index" | "page">,
  choose: (link: Pick<FileLink, "fragment">) => VaultPath | null,
  isLeft: (path: VaultPath) => boolean = () => false,
): Promise<ProposedChange[]> {
  const known = Map.groupBy(await index.links.to(file), ({ from }) => from);
  const changes: ProposedChange[] = [];
  for (const path of new Set([...known.keys(), ...UNINDEXED])) {
    const found = isLeft(path) ? null : await page(path);
    if (found === null) continue;
    if (UNINDEXED.includes(path) && !keysIn(found).has(linkKey(file))) continue;
    const links = known.get(path) ?? [];
    const means = (link: PlacedLink): boolean =>
      UNINDEXED.includes(path)
        ? linkKey(link.target) === linkKey(file) && isAddressOf(link.target, path, file)
        : links.some(
            ({ line, target, fragment }) =>
              line === link.line + found.skipped &&
              target === link.target &&
              fragment === link.fragment,
          );
    const edits = editsOf(
      relinkedLines(found.lines, path, (link) => (means(link) ? choose(link) : null)),
    );
    if (edits.length > 0) changes.push(editOf(found, edits));
  }
  return changes;
}

const keysOfPages = new WeakMap<Page, ReadonlySet<string>>();

/** The keys of all links of a page, found once: many files may ask one page. */
function keysIn(page: Page): ReadonlySet<string> {
  const known =
    keysOfPages.get(page) ??
    new Set(placedLinks(page.lines.join("\n")).map(({ target }) => linkKey(target)));
  keysOfPages.set(page, known);
  return known;
}

export function editsOf(lines: ReadonlyMap<number, string>): LineEdit[] {
  return [...lines].map(([start, text]) => ({ start, end: start, lines: [text] }));
}

export function editOf({ path, hash }: Page, edits: readonly LineEdit[]): ProposedChange {
  return { kind: "edit", path, hash, edits: [...edits] };
}
