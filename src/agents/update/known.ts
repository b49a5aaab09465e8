import { nullIfRefused } from "../../errors.ts";
import type { LineRange } from "../../vault/files/lines.ts";
import { parsePath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { saysTheNote } from "./says-the-note.ts";

/** Which lines of which files a run was shown. */
export class SeenLines {
  readonly #lines = new Map<VaultPath, Set<number>>();

  add(path: VaultPath, { start, end }: LineRange): void {
    const lines = this.#lines.get(path) ?? new Set();
    this.#lines.set(path, lines);
    for (let line = start; line <= end; line += 1) lines.add(line);
  }

  has(path: VaultPath, { start, end }: LineRange): boolean {
    const lines = this.#lines.get(path);
    for (let line = start; line <= end; line += 1) if (lines?.has(line) !== true) return false;
    return lines !== undefined;
  }
}

/** Begins a report that the vault has all of the note already, and names the lines that say it. */
export const KNOWN = /^KNOWN\b[:.\s]*/u;

const CITED =
  /vault\/([^\s`"'():,;]+)[`"']?[\s:(,]*(?:lines?|lignes?)?\s*(\d+)(?:\s*[-–]\s*(\d+))?/gu;

/**
 * Whether a report that begins with KNOWN names lines that the run was shown and that hold the note. A model that is
 * wrong about it would lose the note.
 */
export async function isKnown(
  report: string,
  note: string,
  seen: SeenLines,
  vault: VaultReader,
): Promise<boolean> {
  if (!KNOWN.test(report)) return false;
  const texts: string[] = [];
  for (const [, name = "", first = "", last = first] of report.matchAll(CITED)) {
    const { path } = parsePath(name);
    const file = await nullIfRefused(vault.openText(path));
    if (file === null) continue;
    const range = { start: Number(first), end: Math.min(Number(last), file.totalLines) };
    if (range.start < 1 || range.end < range.start || !seen.has(path, range)) continue;
    texts.push(name, ...file.range(range.start, range.end).lines);
  }
  return texts.length > 0 && saysTheNote(texts.join("\n"), note);
}
