import type { KnownPaths } from "../tree/known-paths.ts";
import { linkName, type LinkMeanings } from "../links/link-meanings.ts";
import { folderOf, isMarkdown, nameOf, ROOT } from "../tree/paths.ts";

/** Where a link or an image of a note leads. */
export type Target =
  | { readonly kind: "external"; readonly href: string }
  | {
      readonly kind: "vault";
      readonly path: string;
      readonly mark: string | null;
      /** Nothing is there. */
      readonly isDead?: boolean;
    }
  /** Nowhere that is safe: it is shown as text. */
  | { readonly kind: "none" };

const NOWHERE: Target = { kind: "none" };
const SAFE = new Set(["http:", "https:", "mailto:"]);

/** Endings of what stands beside notes: a link to one that is not there is no note to be made. */
const ATTACHMENT =
  /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp|pdf|canvas|base|excalidraw|aac|flac|m4a|mp3|oga|ogg|opus|wav|m4v|mkv|mov|mp4|webm|txt|csv|tsv|json|ya?ml|xml|html?|docx?|odt|pptx?|odp|xlsx?|ods|epub|eml|msg|rtf|zip)$/iu;

/**
 * Reads the address of a link in a note.
 * @param file the note's own path: other addresses are relative to it
 */
export function targetOf(address: string, file: string): Target {
  const text = address.trim();
  if (/^[a-z][a-z\d+.-]*:/iu.test(text)) return externalTarget(text);
  // What a browser might take for another server, or for a scheme with something invisible in it.
  if (/^[/\\]{2}|\p{Cc}/u.test(text)) return NOWHERE;
  const [before = "", ...after] = text.split("#");
  const mark = after.length === 0 ? null : decoded(after.join("#"));
  if (before === "") return { kind: "vault", path: file, mark };
  const path = resolvePath(decoded(before), file);
  return path === null ? NOWHERE : { kind: "vault", path, mark };
}

/**
 * Reads what stands in `[[…]]`: a path from the root of the vault, or the name of a file wherever it is.
 * @param known all files; null while they are not known
 */
export function wikiTarget(inside: string, file: string, known: KnownPaths | null): Target {
  const [before = "", ...after] = inside.split("#");
  const name = before.trim();
  const mark = after.length === 0 ? null : after.join("#").trim();
  if (name === "") return { kind: "vault", path: file, mark };
  const made = isMarkdown(name) || ATTACHMENT.test(name) ? name : `${name}.md`;
  const atRoot = resolvePath(`/${made}`, file);
  if (atRoot === null) return NOWHERE;
  // What comes after a point may be an ending, or belong to the name of a note: `Release 1.2`.
  const names = /\.[a-z\d]{1,8}$/iu.test(name) ? [name, `${name}.md`] : [made];
  const found = known === null ? undefined : names.map((each) => fileNamed(each, file, known));
  return { kind: "vault", path: found?.find((path) => path !== undefined) ?? atRoot, mark };
}

function fileNamed(name: string, file: string, known: KnownPaths): string | undefined {
  const places = [resolvePath(`/${name}`, file), resolvePath(name, file)];
  return places.find((path) => path !== null && known.has(path)) ?? known.endingIn(name);
}

/**
 * Where a link leads by what the service knows: aliases, and names in any folder. One that leads nowhere is dead, and its path is where the note
 * would be made.
 */
export function meant(
  kind: "wiki" | "markdown",
  inside: string,
  target: Target,
  { file, meanings }: { readonly file: string; readonly meanings?: LinkMeanings | null },
): Target {
  if (target.kind !== "vault") return target;
  const [before = ""] = inside.split("#");
  const name = kind === "wiki" ? before.trim() : decoded(before.trim());
  const to = name === "" ? undefined : meanings?.get(linkName(kind, name));
  if (to === undefined) return target;
  if (to !== null) return target.path.endsWith("/") ? target : { ...target, path: to };
  const isNamed = kind === "wiki" && !name.includes("/");
  const path = isNamed ? folderOf(file) + nameOf(target.path) : target.path;
  return { ...target, path, isDead: true };
}

function externalTarget(text: string): Target {
  const url = URL.parse(text);
  return url !== null && SAFE.has(url.protocol) ? { kind: "external", href: url.href } : NOWHERE;
}

/** From the root when it begins with a slash or with `vault/`, else from the file's folder. Null when it leaves the vault. */
function resolvePath(path: string, file: string): string | null {
  const isFromRoot = path.startsWith("/") || path.startsWith(ROOT);
  const parts = isFromRoot ? ["vault"] : folderOf(file).split("/").filter(Boolean);
  const rest = isFromRoot ? path.replace(/^\/?(?:vault\/)?/u, "") : path;
  for (const part of rest.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
    if (parts.length === 0) return null;
  }
  return parts.join("/") + (rest.endsWith("/") ? "/" : "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
