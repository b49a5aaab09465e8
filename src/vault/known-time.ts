import { jobValue, updatedOf } from "./files/frontmatter.ts";
import type { MeasuredFile } from "./files/measure.ts";
import { versionHash } from "./files/version.ts";
import type { VaultPath } from "./paths.ts";

/** When a note last changed, local time, as the background job keeps it. */
export interface KeptTime {
  readonly changed: string;
  /** It is the file that the job saw last; else another one with the same text, which may only have been touched. */
  readonly isSameFile: boolean;
}

/**
 * What the background job keeps of a note. Null when that is not known, or its text is another now.
 * @param path links followed
 * @param hash of the person's part; asked for only when the signature is another; null for a text too large to be held whole
 */
export type KnownTime = (
  path: VaultPath,
  signature: string,
  hash: () => string | null,
) => KeptTime | null;

/**
 * When a note last changed, as the job or its frontmatter says; null when neither does. A person's own `updated` does not move with their text, so
 * the job's word comes before it; before an `updated` in the job's form only when the job saw this very file.
 */
export function lastChange(kept: KeptTime | null, text: string): string | null {
  if (kept === null) return updatedOf(text);
  return kept.isSameFile ? kept.changed : (jobValue(text, "updated") ?? kept.changed);
}

/** A file with the time that is known of it. */
export function withKnownTime(
  measured: MeasuredFile,
  path: VaultPath,
  knownTime: KnownTime | undefined,
): MeasuredFile {
  const { facts, text } = measured;
  if (knownTime === undefined || facts.kind !== "text") return measured;
  const hash = (): string | null => (text === null ? null : versionHash(Buffer.from(text)));
  const kept = knownTime(path, facts.signature, hash);
  const changed = lastChange(kept, text ?? "");
  return changed === null ? measured : { ...measured, facts: { ...facts, changed } };
}
