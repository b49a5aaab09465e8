import { isMarkdown, nameOf, parentOf, type VaultPath } from "../../vault/paths.ts";
import {
  decoded,
  EXTERNAL,
  folded,
  joined,
  withoutExtension,
  type PlacedLink,
} from "../links-in.ts";

/** What a link that is written again must mean, and from where. */
export interface Goal {
  /** The file of the link as it was, and the file it meant. */
  readonly from: VaultPath;
  readonly before: VaultPath;
  /** Both as they are now. */
  readonly newFrom: VaultPath;
  readonly wanted: VaultPath;
}

/**
 * The ways to name the wanted file, the one most like the present one first: by its name, by its path from the note's folder, from the root, with and
 * without the extension. The last always means that file, where a link can say its name at all.
 */
export function* namesFor(link: PlacedLink, goal: Goal): Generator<string> {
  const { target } = link;
  const isNote = isMarkdown(goal.wanted);
  const hasExtension = withoutExtension(target) !== target;
  const slash = target.endsWith("/") ? "/" : "";
  for (const path of pathsFor(link, goal)) {
    if (isNote && !hasExtension) yield withoutExtension(path) + slash;
    yield path + slash;
  }
}

function* pathsFor({ kind, target }: PlacedLink, goal: Goal): Generator<string> {
  const { from, before, newFrom, wanted } = goal;
  const near = relativePath(parentOf(newFrom), wanted);
  const dotted = near.startsWith("../") ? near : `./${near}`;
  const meant = folded(withoutExtension(before));
  const isAt = (path: string): boolean => folded(withoutExtension(path)) === meant;
  if (/^\.{1,2}\//u.test(target)) yield target.startsWith("./") ? dotted : near;
  else if (target.startsWith("/vault/")) yield `/vault/${wanted}`;
  else if (target.startsWith("vault/")) yield `vault/${wanted}`;
  else if (target.startsWith("/")) yield `/${wanted}`;
  else if (kind === "markdown" && isAddressOf(target, from, before)) yield near;
  else if (!target.includes("/")) yield nameOf(wanted);
  else if (!isAt(target) && isAddressOf(target, from, before)) yield near;
  if (kind === "markdown" && !isAt(target)) yield near;
  yield wanted;
  yield dotted;
  yield `/${wanted}`;
  yield `/vault/${wanted}`;
}

/** Whether an address leads from a note to a file for every program, and not by a name that is searched for. */
export function isAddressOf(target: string, from: VaultPath, file: VaultPath): boolean {
  const spelled = target.replace(/^\/?vault\//u, "/");
  const path = joined(spelled.startsWith("/") ? "" : parentOf(from), spelled);
  return folded(withoutExtension(path)) === folded(withoutExtension(file));
}

/** A path as seen from a folder. */
export function relativePath(folder: VaultPath, path: VaultPath): string {
  const [here, there] = [folder === "" ? [] : folder.split("/"), path.split("/")];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared])
    shared += 1;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

/** How a name is written in the place of the present one; null when such a link cannot say it. */
export function written(link: PlacedLink, present: string, name: string): string | null {
  if (link.kind === "wiki") {
    const canSay = !/[[\]|#\n]/u.test(name) && name.trim() === name && !name.endsWith("\\");
    return canSay && name !== "" ? name : null;
  }
  return address(name, link.isAngled, /%[C-F][\dA-F]/iu.test(present));
}

/** A name as the address of a markdown link, with no more encoded than it needs, or than the person does. */
export function address(name: string, isAngled: boolean, isAscii = false): string {
  const unsafe = isAngled ? /[#<>%\\\n]/gu : /[\s#<>%\\()]/gu;
  const text = name.replaceAll(unsafe, encoded).replaceAll("[", "%5B").replaceAll("]", "%5D");
  const ascii = isAscii ? text.replaceAll(/[^\p{ASCII}]+/gu, encoded) : text;
  const safe = EXTERNAL.test(ascii) ? ascii.replace(":", "%3A") : ascii;
  return decoded(safe) === name ? safe : name.split("/").map(encodeURIComponent).join("/");
}

function encoded(text: string): string {
  return text === "(" ? "%28" : text === ")" ? "%29" : encodeURIComponent(text);
}
