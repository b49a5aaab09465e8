import { parentOf, type VaultPath } from "../vault/paths.ts";

/** A link as it stands in a file. */
export interface WrittenLink {
  /** 1-based line of the file. */
  readonly line: number;
  readonly kind: "wiki" | "markdown";
  /** `![[…]]` or `![…](…)`: what it names is shown in its place. */
  readonly isEmbed: boolean;
  /** The file it names, as written and decoded; empty for a place in the same file. */
  readonly target: string;
  /** The heading, or the block with its `^`; null for the whole file. */
  readonly fragment: string | null;
}

const WIKI = /(?<!\\)(!?)\[\[([^[\]|#\n]*)(?:#([^[\]|\n]*))?(?:\|[^[\]\n]*)?\]\]/gu;
const ADDRESS = String.raw`(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))`;
const LINK_TITLE = String.raw`(?:\s+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?`;
const MARKDOWN = new RegExp(
  String.raw`(?<!\\)(!?)\[((?:[^[\]\n]|\[[^[\]\n]*\])*)\]\(\s*${ADDRESS}${LINK_TITLE}\s*\)`,
  "gu",
);
/** Where `[text][name]` leads; a footnote has a `^` before its name. */
const DEFINITION = new RegExp(
  String.raw`^ {0,3}\[(?!\^)[^[\]\n]+\]:\s*${ADDRESS}${LINK_TITLE}\s*$`,
  "u",
);
const INLINE_CODE = /(`+)(?!`).*?(?<!`)\1(?!`)/gu;
const FENCE = /^ {0,3}(`{3,}|~{3,})/u;
export const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:|\/\/)/iu;

/** A link, and where in the text it says which file it means: from `start` up to `end`, without spaces, fragment and brackets. */
export interface PlacedLink extends WrittenLink {
  readonly start: number;
  readonly end: number;
  /** The address of a markdown link stands in angle brackets. */
  readonly isAngled: boolean;
}

/** The links of a markdown text to other notes and files, in order; none in code, and none to the web. A reference stands where it is defined. */
export function linksIn(text: string): WrittenLink[] {
  return placedLinks(text).map(({ line, kind, isEmbed, target, fragment }) => ({
    line,
    kind,
    isEmbed,
    target,
    fragment,
  }));
}

/** The same, with their places. */
export function placedLinks(text: string): PlacedLink[] {
  if (!text.includes("](") && !text.includes("[[") && !text.includes("]:")) return [];
  const links: PlacedLink[] = [];
  let fence: string | null = null;
  let next = 0;
  for (const [at, raw] of text.split("\n").entries()) {
    const begin = next;
    next += raw.length + 1;
    const mark = FENCE.exec(raw)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    if (!raw.includes("[")) continue;
    const line = raw.replaceAll(INLINE_CODE, (code) => " ".repeat(code.length));
    const found = [...wikiLinks(line), ...markdownLinks(line)].toSorted((a, b) => a.at - b.at);
    for (const { link, start, end, isAngled } of found)
      links.push({ line: at + 1, ...link, start: begin + start, end: begin + end, isAngled });
  }
  return links;
}

/** Offsets in its line. */
interface Placed extends Pick<PlacedLink, "start" | "end" | "isAngled"> {
  /** Where the link begins. */
  readonly at: number;
  readonly link: Omit<WrittenLink, "line">;
}

function wikiLinks(line: string): Placed[] {
  return [...line.matchAll(WIKI)].flatMap(({ index, 1: mark = "", 2: name = "", 3: fragment }) => {
    const target = name.trim().replace(/\\$/u, "").trimEnd();
    if (target === "" && fragment === undefined) return [];
    const place = fragment?.trim().replace(/\\$/u, "") ?? null;
    const start = index + mark.length + 2 + (name.length - name.trimStart().length);
    return [
      {
        at: index,
        link: { kind: "wiki", isEmbed: mark === "!", target, fragment: place } as const,
        start,
        end: start + target.length,
        isAngled: false,
      },
    ];
  });
}

function markdownLinks(line: string): Placed[] {
  const definition = DEFINITION.exec(line);
  if (definition !== null) {
    const [whole, angled, plain] = definition;
    return placed({ line, at: 0, before: whole.indexOf("]:") + 2, isEmbed: false, angled, plain });
  }
  return [...line.matchAll(MARKDOWN)].flatMap(
    ({ index: at, 1: mark = "", 2: shown = "", 3: angled, 4: plain }) => {
      const inside = at + mark.length + 1;
      const before = inside + shown.length + 2;
      return [
        // A picture that is itself a link.
        ...markdownLinks(shown).map((each) => ({
          ...each,
          at: inside + each.at,
          start: inside + each.start,
          end: inside + each.end,
        })),
        ...placed({ line, at, before, isEmbed: mark === "!", angled, plain }),
      ];
    },
  );
}

interface Address {
  readonly line: string;
  readonly at: number;
  /** Where the address begins, with the spaces before it. */
  readonly before: number;
  readonly isEmbed: boolean;
  readonly angled: string | undefined;
  readonly plain: string | undefined;
}

function placed({ line, at, before, isEmbed, angled, plain }: Address): Placed[] {
  const address = angled ?? plain ?? "";
  if (/^[./]*$/u.test(address) || EXTERNAL.test(address)) return [];
  const hash = address.indexOf("#");
  const written = hash < 0 ? address : address.slice(0, hash);
  const target = decoded(written);
  const fragment = hash < 0 ? null : decoded(address.slice(hash + 1));
  const spaces = /^\s*/u.exec(line.slice(before))?.[0].length ?? 0;
  const start = before + spaces + (angled === undefined ? 0 : 1);
  const link = { kind: "markdown", isEmbed, target, fragment } as const;
  return [{ at, link, start, end: start + written.length, isAngled: angled !== undefined }];
}

/** What a part of an address says, percent-encoding undone where it is valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a link and the file it names have in common, whatever the folders: the last part of the target, without the extension of a note. */
export function linkKey(target: string): string {
  const name = target.replace(/\/+$/u, "").split("/").at(-1) ?? "";
  return folded(withoutExtension(name));
}

/** A file that a link may mean. */
export interface NamedFile {
  readonly path: VaultPath;
  /** Found by an alias, not by its own name. */
  readonly isAlias: boolean;
  /** Only an address leads to a folder, no name does. */
  readonly isFolder?: boolean;
}

/**
 * The file that a link means: the one at its path from its file's folder, or from the root when a `/` is before it; else, of those whose path
 * ends like it, the one with the shortest; else, for a wikilink, the one with such an alias. Editors write markdown links in all of these ways too.
 * @param candidates the files with its {@link linkKey}
 */
export function resolveLink(
  from: VaultPath,
  { kind, target }: Pick<WrittenLink, "kind" | "target">,
  candidates: readonly NamedFile[],
): VaultPath | null {
  if (target === "") return from;
  // As the tools write paths.
  const wanted = withoutExtension(target).replace(/^\/?vault\//u, "/");
  const own = candidates.filter(({ isAlias }) => !isAlias);
  const exact = folded(joined(wanted.startsWith("/") ? "" : parentOf(from), wanted));
  const atPath = own.filter(
    ({ path, isFolder = false }) =>
      folded(withoutExtension(path)) === exact && (kind === "markdown" || !isFolder),
  );
  // Of `a.md`, `A.md`, `a.markdown` and a folder `a`, the one that is spelled like it.
  const spelled = target.replace(/^\/?vault\//u, "/");
  const whole = joined(spelled.startsWith("/") ? "" : parentOf(from), spelled).normalize("NFC");
  const [first] =
    atPath.length < 2 ? atPath : [...atPath.filter(({ path }) => path === whole), ...atPath];
  if (first !== undefined) return first.path;
  if (/^\.{0,2}\//u.test(wanted)) return null;
  const end = folded(`/${wanted}`);
  const named = own
    .filter(({ isFolder = false }) => !isFolder)
    .map(({ path }) => path)
    .filter((path) => folded(`/${withoutExtension(path)}`).endsWith(end))
    .toSorted((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  const mayBeAlias = kind === "wiki" && !wanted.includes("/");
  const alias = mayBeAlias ? candidates.find(({ isAlias }) => isAlias)?.path : undefined;
  return named[0] ?? alias ?? null;
}

/** A path without the extension of a note, which links leave out. */
export function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown)$/iu, "");
}

/** Names are compared so: links are not particular about case. */
export function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** A path seen from a folder, without `.` and `..`. */
export function joined(folder: VaultPath, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
