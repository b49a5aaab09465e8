import type { VaultPath } from "../../vault/paths.ts";

const SUFFIX = ".error.md";

/** Where it is told why a dropped file could not be ingested: beside it. */
export function errorNotePath(path: VaultPath): VaultPath {
  return path + SUFFIX;
}

export function isErrorNote(path: VaultPath): boolean {
  return path.endsWith(SUFFIX);
}

/** The file that a note tells of. */
export function aboutOf(note: VaultPath): VaultPath {
  return note.slice(0, -SUFFIX.length);
}

/** @param signature of the version that was tried: the same one is not tried again */
export function errorNoteText(name: string, signature: string, why: string): string {
  return `# ${name} could not be ingested

${why}

It stays here, as it is. Replace it by a file that can be read, or remove it; this note then goes by itself. Remove this note to have it tried again.

${versionLine(signature)}
`;
}

/** True when the note is about this version. */
export function tellsOf(note: string, signature: string): boolean {
  return note.includes(versionLine(signature));
}

function versionLine(signature: string): string {
  return `<!-- version ${signature} -->`;
}
