import { sep } from "node:path";

import { ExpectedError } from "../errors.ts";

/**
 * A place inside the vault: names joined by `/`, no prefix, no `.` or `..`, no empty name, NFC. The root is `""`.
 * Only {@link parsePath} makes one from text that comes from outside.
 */
export type VaultPath = string;

export interface ParsedPath {
  readonly path: VaultPath;
  /** The caller ended it with a slash: it must be a folder. */
  readonly mustBeFolder: boolean;
}

const ROOT_NAME = "vault";
// Control characters, and the two separators that some programs take for a line break.
// oxlint-disable-next-line no-control-regex -- naming control characters is the purpose here
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/gu;
/** Names that have one form only, as most have. */
const PLAIN = /^[ -~]*$/u;

/**
 * The form in which names are compared and shown: NFC (macOS writes NFD, models type NFC), and control characters
 * as their visible pictures, so that a name with a line break in it cannot break a listing.
 */
export function nameKey(name: string): string {
  if (PLAIN.test(name)) return name;
  const nfc = name.normalize("NFC");
  return nfc.replace(CONTROL, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\u2424";
  });
}

function outside(input: string, why: string): ExpectedError {
  return new ExpectedError(
    "outside_vault",
    `${JSON.stringify(input)} ${why}. Give a path inside the vault, such as "vault/projects/NAME/state.md".`,
  );
}

function excessive(input: string, how: string): ExpectedError {
  const start = JSON.stringify(`${input.slice(0, 60)}…`);
  return new ExpectedError("invalid_argument", `The path ${start} ${how} are accepted.`);
}

/** Longer than any real path, and short of what systems refuse. */
const LONGEST_PATH = 1000;
const DEEPEST_PATH = 50;

/** Reads a path as people and models write it. Throws `outside_vault` for anything that is not inside the vault. */
export function parsePath(input: string): ParsedPath {
  if (input.length > LONGEST_PATH)
    throw excessive(input, `has ${input.length} characters; at most ${LONGEST_PATH}`);
  // No disk has such a name: what would be written there is another one, which no path leads to.
  if (!input.isWellFormed())
    throw new ExpectedError(
      "invalid_argument",
      `${JSON.stringify(input)} holds half of a character (a lone surrogate); write the name again.`,
    );
  if (input.includes("\0")) throw outside(input, "contains a NUL byte");
  if (input === "/" || input === "") return { path: "", mustBeFolder: true };
  if (input.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(input) || input.startsWith("\\\\")) {
    throw outside(input, "is an absolute path");
  }
  const names: string[] = [];
  const parts = input.split("/");
  if (nameKey(parts[0] ?? "") === ROOT_NAME) parts.shift();
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (names.length === 0) throw outside(input, "leaves the vault");
      names.pop();
      continue;
    }
    names.push(nameKey(part));
  }
  if (names.length > DEEPEST_PATH)
    throw excessive(input, `goes through ${names.length} folders; at most ${DEEPEST_PATH}`);
  const hidden = names.find((name) => name.startsWith("."));
  if (hidden !== undefined) {
    throw outside(input, `names ${JSON.stringify(hidden)}: dotfiles are not part of the vault`);
  }
  return {
    path: names.join("/"),
    mustBeFolder: names.length === 0 || /(?:^|\/)\.{0,2}$/u.test(input),
  };
}

/** Whether a name shows as a picture of a control character, which no new name may have. */
export function hasControls(path: VaultPath): boolean {
  return /[\u2400-\u2424]/u.test(nameOf(path));
}

/** Refuses a new name that shows as a picture of a control character. */
export function refuseControls(path: VaultPath): void {
  if (!hasControls(path)) return;
  throw new ExpectedError(
    "invalid_argument",
    `${showPath(path)} has a line break or another control character in its name; use a plain name.`,
  );
}

/** How a path is shown everywhere: with the prefix `vault/`, a folder with a final slash. */
export function showPath(path: VaultPath, kind: "file" | "folder" = "file"): string {
  if (path === "") return `${ROOT_NAME}/`;
  return kind === "folder" ? `${ROOT_NAME}/${path}/` : `${ROOT_NAME}/${path}`;
}

/** Refuses a path that ends in a slash for something that is no folder. */
export function refuseFileAsFolder({ path, mustBeFolder }: ParsedPath, kind: string): void {
  if (!mustBeFolder || kind === "folder") return;
  throw new ExpectedError(
    "not_a_folder",
    `${showPath(path)} is a file, not a folder; leave out the final slash.`,
  );
}

export function parentOf(path: VaultPath): VaultPath {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function nameOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joinPath(folder: VaultPath, name: string): VaultPath {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The names of a real path below a real folder, as they are on disk; null when it is not below it, or a dotfile. */
export function namesUnder(root: string, real: string): string[] | null {
  if (real === root) return [];
  const start = root.endsWith(sep) ? root : root + sep;
  if (!real.startsWith(start)) return null;
  const names = real.slice(start.length).split(sep);
  return names.some((name) => name.startsWith(".")) ? null : names;
}

/** True when `path` is `folder` or lies under it. */
export function isUnder(path: VaultPath, folder: VaultPath): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** The lower-case extension with its dot, or `""`. */
export function extensionOf(path: VaultPath): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot).toLowerCase();
}

export function isMarkdown(path: VaultPath): boolean {
  return [".md", ".markdown"].includes(extensionOf(path));
}

/** By its name alone. */
export function isImage(path: VaultPath): boolean {
  return [".png", ".jpg", ".jpeg", ".gif", ".webp"].includes(extensionOf(path));
}

/** Byte order of the UTF-8 forms. JavaScript compares UTF-16 units, which differs beyond the basic plane. */
export function compareNames(a: string, b: string): number {
  if (/[\ud800-\uffff]/.test(a) || /[\ud800-\uffff]/.test(b)) {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

const STRUCTURAL = new Set(["overview.md", "profile.md", "tasks.md", "changelog.md"]);

/** Root files that every vault has, beside the generated `tree.md`: tools edit them, and never move or delete them. */
export function isStructural(path: VaultPath): boolean {
  return path === "" || STRUCTURAL.has(path);
}

/** Where people put files to be ingested; ingest moves them out. */
export const DROP_FOLDER: VaultPath = "drop";

/** Files waiting to be ingested may still be being copied: nothing is written to them, and no search finds them. */
export function isDropped(path: VaultPath): boolean {
  return path !== DROP_FOLDER && isUnder(path, DROP_FOLDER);
}
