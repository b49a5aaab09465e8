import { localTime } from "../text/local-time.ts";
import { updatedOf } from "../vault/files/frontmatter.ts";
import type { MeasuredFile } from "../vault/files/measure.ts";
import type { Unstamped } from "../vault/write/stamper.ts";
import type { Change } from "../vault/history/history-types.ts";
import { isMarkdown, isUnder, type VaultPath } from "../vault/paths.ts";
import type { ProcessedFile, ProcessedFiles } from "./processed-files.ts";

/**
 * Knows notes that a tool moved under their new paths until they are processed there, and notes whose links a tool rewrote by their new text: neither
 * is a change of what they say, so they keep their times. Of a note that a tool changed before it was ever processed, it knows the time it had on
 * the disk, which is gone from there.
 */
export class MovedNotes {
  readonly #processed: ProcessedFiles;
  readonly #moved = new Map<VaultPath, ProcessedFile>();

  constructor(processed: ProcessedFiles) {
    this.#processed = processed;
  }

  /** What is known of a note, at this path or the one it had before. */
  known(path: VaultPath): ProcessedFile | undefined {
    return this.#moved.get(path) ?? this.#processed.get(path);
  }

  follow(change: Change): void {
    if (change.kind === "move") this.#move(change.path, change.to);
    if (change.kind !== "modify") return;
    const { path, relinked, modified } = change;
    const [known, moved] = [this.#processed.get(path), this.#moved.get(path)];
    if (known === undefined && moved === undefined) {
      if (isMarkdown(path) && modified !== undefined)
        this.#moved.set(path, lastChanged(modified, relinked?.after ?? null));
      return;
    }
    if (relinked === undefined) return;
    const { before, after: hash } = relinked;
    if (known?.hash === before) this.#processed.set(path, { ...known, hash });
    if (moved?.hash === before) this.#moved.set(path, { ...moved, hash });
  }

  #move(from: VaultPath, to: VaultPath): void {
    const waiting = [...this.#moved.keys()].filter((path) => isUnder(path, from));
    for (const path of [...this.#processed.under(from).filter(isMarkdown), ...waiting]) {
      const known = this.known(path);
      if (known !== undefined) this.#moved.set(to + path.slice(from.length), known);
    }
  }

  /** It was processed, or is gone. */
  delete(path: VaultPath): void {
    this.#moved.delete(path);
  }
}

/** What is known of a note by the time it had on the disk alone. */
function lastChanged(modified: number, hash: string | null): ProcessedFile {
  const changed = localTime(new Date(modified));
  const facts = { kind: "text", tokens: 0, bytes: 0, changed, signature: "" } as const;
  return { facts, hash, created: changed, isFresh: true };
}

/**
 * A file with the time of its last change, which moves only with the person's text.
 * @param file its time in its frontmatter; or the file, when that has none of ours
 */
export function withKeptTime(
  measured: MeasuredFile,
  known: ProcessedFile | undefined,
  file: string | Unstamped | null,
  now: Date,
): MeasuredFile {
  if (typeof file === "string") return withChanged(measured, file);
  if (file === null || known === undefined || known.hash === null) return measured;
  const modified = localTime(new Date(Math.min(file.modified, now.getTime())));
  return withChanged(measured, known.hash === file.hash ? known.facts.changed : modified);
}

/** Until its text is compared, a file that is not stamped keeps the time of its last change. */
export function provisional(
  measured: MeasuredFile | null,
  known: ProcessedFile | undefined,
): MeasuredFile | null {
  if (measured === null || known === undefined || known.hash === null) return measured;
  if (measured.text !== null && updatedOf(measured.text) !== null) return measured;
  return withChanged(measured, known.facts.changed);
}

function withChanged(measured: MeasuredFile, changed: string): MeasuredFile {
  if (measured.facts.changed === changed) return measured;
  return { ...measured, facts: { ...measured.facts, changed } };
}
