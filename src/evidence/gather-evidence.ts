import type { IndexReader } from "../index/search-index.ts";
import { sectionsOf } from "../index/replaces-line.ts";
import { isMarkdown, parsePath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import type { Evidence } from "./contract.ts";
import { SourceFacts } from "./facts-in.ts";
import { rangeOf, readLineBytes, sha256 } from "./line-bytes.ts";
import { shownReplacement } from "./verify.ts";

/** A passage of an answer: a path as shown, lines like `9-14`, its text, and the number its marks have. */
export interface MarkedPassage {
  readonly mark: number;
  readonly path: string;
  readonly lines: string;
  readonly text: string;
}

interface Gathered {
  readonly evidence: Evidence[];
  /** By their marks: what can be looked up in each. */
  readonly facts: ReadonlyMap<number, SourceFacts>;
}

/** What an answer rests on: the hash of each passage as it is on disk, and what made it untrue. */
export async function gatherEvidence(
  passages: readonly MarkedPassage[],
  vault: Pick<VaultReader, "find" | "readBytes">,
  index: Pick<IndexReader, "replacements">,
): Promise<Gathered> {
  const evidence: Evidence[] = [];
  const facts = new Map<number, SourceFacts>();
  for (const { mark, path: shown, lines, text } of passages) {
    const range = rangeOf(lines);
    // An empty file.
    if (range === null) continue;
    const { path } = parsePath(shown);
    const file = await readLineBytes(vault, path);
    const there = file?.lines.slice(range.start - 1, range.end).join("\n");
    // Changed since it was read: the answer has what was read.
    const bytes = file !== null && there === text ? file.of(range) : `${text}\n`;
    const [newest] = isMarkdown(path) ? await index.replacements.of(path, range) : [];
    const replaced = newest === undefined ? null : shownReplacement(newest);
    evidence.push({ mark, path: shown, lines, sha256: sha256(bytes), replaced });
    // An entry is dated by the heading of its day, and a project named by its folder.
    const section = sectionsOf(file?.lines ?? []).findLast(
      (each) => each.lines.start <= range.start,
    );
    facts.set(mark, new SourceFacts([shown, ...(section?.headings ?? []), text].join("\n")));
  }
  return { evidence, facts };
}
