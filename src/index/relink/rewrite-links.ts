import { findBlock } from "../../vault/files/frontmatter.ts";
import { nameOf, parentOf, type VaultPath } from "../../vault/paths.ts";
import { linkKey, placedLinks, type PlacedLink } from "../links-in.ts";
import { address, isAddressOf, namesFor, relativePath, written, type Goal } from "./link-form.ts";
import { movedPath, type LinkNames, type Move } from "./moved-names.ts";

/** What a move does to the links of vault files. */
export interface LinkChange {
  readonly move: Move;
  readonly before: LinkNames;
  readonly after: LinkNames;
  /** Keys that mean another file after the move; links with others need only be looked at in files that moved. */
  readonly keys: ReadonlySet<string>;
}

export interface Rewritten {
  readonly text: string;
  /** Links that name what they meant again. */
  readonly links: number;
  /** Links that could not be rewritten. */
  readonly left: number;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What the link is read as afterwards. */
  readonly target: string;
}

/**
 * A note's text in which every link means after a move what it meant before. Everything but the names in those links stays as it is.
 * @param from the path of the note before the move
 */
export function rewriteLinks(text: string, from: VaultPath, change: LinkChange): Rewritten {
  const { move, before, after, keys } = change;
  const newFrom = movedPath(from, move);
  const links = placedLinks(text);
  const replacements = new Map<PlacedLink, Replacement>();
  let left = 0;
  for (const link of links) {
    if (link.target === "" || (newFrom === from && !keys.has(linkKey(link.target)))) continue;
    const meant = before.resolve(from, link);
    if (meant === null) continue;
    const wanted = movedPath(meant, move);
    const goal = { from, before: meant, newFrom, wanted };
    if (after.resolve(newFrom, link) === wanted && isStillExact(link, goal)) continue;
    const replacement = replacementFor(text, link, goal, after);
    if (replacement === null) left += 1;
    else replacements.set(link, replacement);
  }
  if (replacements.size === 0) return { text, links: 0, left };
  const result = replaced(text, [...replacements.values()]);
  // A name can have a character that turns what is around it into something else, such as a backtick.
  const targets = links.map((link) => replacements.get(link)?.target ?? link.target);
  const found = placedLinks(result);
  const isRight =
    found.length === targets.length && found.every(({ target }, at) => target === targets[at]);
  return isRight
    ? { text: result, links: replacements.size, left }
    : { text, links: 0, left: left + replacements.size };
}

/** We find a note by its name alone, other programs do not: a markdown address that was right stays right. */
function isStillExact(link: PlacedLink, { from, before, newFrom, wanted }: Goal): boolean {
  if (link.kind === "wiki" || !isAddressOf(link.target, from, before)) return true;
  return isAddressOf(link.target, newFrom, wanted);
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let [result, at] = ["", 0];
  for (const { start, end, text: inserted } of replacements.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

function replacementFor(
  text: string,
  link: PlacedLink,
  goal: Goal,
  after: LinkNames,
): Replacement | null {
  const { start, end, kind } = link;
  const present = text.slice(start, end);
  const isProperty = start < (findBlock(text)?.close ?? 0);
  for (const target of namesFor(link, goal)) {
    const inserted = written(link, present, target);
    if (inserted === null || after.resolve(goal.newFrom, { kind, target }) !== goal.wanted)
      continue;
    if (isProperty && !fitsYaml(text, start, inserted)) continue;
    return { start, end, text: inserted, target };
  }
  return kind === "wiki" && !isProperty ? asMarkdown(text, link, goal, after) : null;
}

/** Whether a name can stand in a property without being quoted in another way. */
function fitsYaml(text: string, start: number, name: string): boolean {
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return !/["'\\]/u.test(name) && (/["']/u.test(line) || !/[,:#{}]/u.test(name));
}

/** A wikilink whose file has a name that no wikilink can say, as a markdown link. */
function asMarkdown(
  text: string,
  link: PlacedLink,
  { newFrom, wanted }: Goal,
  after: LinkNames,
): Replacement | null {
  const open = text.lastIndexOf("[[", link.start);
  const close = text.indexOf("]]", link.end) + 2;
  const shown = /\|([^[\]\n]*)\]\]$/u.exec(text.slice(open, close))?.[1] ?? nameOf(wanted);
  const fragment = link.fragment === null ? "" : `#${address(link.fragment, false)}`;
  const near = relativePath(parentOf(newFrom), wanted);
  for (const target of [near, `./${near}`, `/${wanted}`, `/vault/${wanted}`]) {
    if (after.resolve(newFrom, { kind: "markdown", target }) !== wanted) continue;
    const words = shown.replaceAll(/[[\]]/gu, "");
    const inserted = `[${words}](${address(target, false)}${fragment})`;
    return { start: open, end: close, text: inserted, target };
  }
  return null;
}
