import { updatedOf } from "./files/frontmatter.ts";
import type { MeasuredFile } from "./files/measure.ts";
import { versionHash } from "./files/version.ts";
import type { VaultPath } from "./paths.ts";

/**
 * The local time at which a note last changed, from what the background job keeps of notes that it does not stamp: a note that was only touched
 * keeps its time. Null when that is not known, or its text is another now.
 * @param path links followed
 * @param hash of the person's part; asked for only when the signature is another; null for a text too large to be held whole
 */
export type KnownTime = (
  path: VaultPath,
  signature: string,
  hash: () => string | null,
) => string | null;

/** A file with the time that is known of it, unless its frontmatter says one. */
export function withKnownTime(
  measured: MeasuredFile,
  path: VaultPath,
  knownTime: KnownTime | undefined,
): MeasuredFile {
  const { facts, text } = measured;
  if (knownTime === undefined || facts.kind !== "text") return measured;
  if (text !== null && updatedOf(text) !== null) return measured;
  const hash = (): string | null => (text === null ? null : versionHash(Buffer.from(text)));
  const changed = knownTime(path, facts.signature, hash);
  return changed === null ? measured : { ...measured, facts: { ...facts, changed } };
}
