import { ExpectedError } from "../errors.ts";
import { isJobKey } from "../text/job-keys.ts";
import { isTextBytes } from "../text/utf8.ts";
import {
  carriesKeys,
  leftIn,
  otherFrontmatter,
  readPairs,
  splitFrontmatter,
  stampFrontmatter,
} from "../vault/files/frontmatter.ts";
import { versionHash } from "../vault/files/version.ts";
import { isDropped, isMarkdown, type VaultPath } from "../vault/paths.ts";
import type { VaultItem, VaultReader } from "../vault/vault.ts";
import type { ProcessedFiles } from "./processed-files.ts";
import { areRight, timesFor } from "./stamping/stamp-times.ts";
import { TimeSlice } from "./time-slice.ts";

/** What is in a vault, as far as frontmatter is concerned. */
export interface AdoptionPreview {
  /** Markdown files. */
  readonly notes: number;
  /** Those that carry our three keys already. */
  readonly stamped: number;
  /** Of them, those whose keys are wrong, and would be corrected with `all` and `own`. */
  readonly wrong: number;
  /** Those that would get keys with the setting `all`. */
  readonly unstamped: number;
  /** Those with a key of ours that holds something of the person's. */
  readonly ownKeys: number;
  /** Those that are left alone in every setting. */
  readonly toml: number;
  readonly json: number;
  readonly readOnly: number;
  readonly invalid: number;
  /** Some that would change, before and after. */
  readonly examples: readonly { path: VaultPath; before: string; after: string }[];
}

type Counted = Exclude<keyof AdoptionPreview, "examples">;

const MOST_EXAMPLES = 3;

/** Reads every note, and works out what the job would do to it. */
export async function previewAdoption(
  vault: VaultReader,
  processed: ProcessedFiles,
  now: Date,
): Promise<AdoptionPreview> {
  const counts: Record<Counted, number> = {
    notes: 0,
    stamped: 0,
    wrong: 0,
    unstamped: 0,
    ownKeys: 0,
    toml: 0,
    json: 0,
    readOnly: 0,
    invalid: 0,
  };
  const examples: AdoptionPreview["examples"][number][] = [];
  const slice = new TimeSlice();
  for await (const { path, isLink } of vault.walk("")) {
    if (isLink || !isMarkdown(path) || isDropped(path) || (await vault.isGenerated(path))) continue;
    await slice.pause();
    const found = await vault.find(path).catch(() => null);
    if (found?.kind !== "file") continue;
    counts.notes += 1;
    const text = await textOf(vault, found);
    if (text === null) continue;
    const isShown = examples.length < MOST_EXAMPLES;
    const plain = isShown ? null : withoutOurKeys(found, text);
    const { is, after } = plain ?? outcomeFor(found, text, processed, now);
    for (const each of is) counts[each] += 1;
    if (isShown && after !== null) examples.push({ path, before: text, after });
  }
  return { ...counts, examples };
}

interface NoteOutcome {
  readonly is: readonly Counted[];
  /** Its text with our keys, when it would get them. */
  readonly after: string | null;
}

/** What a note counts as, by one look at its block, which is what most notes of other programs need; null when it names a key of ours. */
function withoutOurKeys({ isReadOnly }: VaultItem, text: string): NoteOutcome | null {
  const other = otherFrontmatter(text);
  if (other !== null) return { is: [other.reason === "toml" ? "toml" : "json"], after: null };
  const { block } = splitFrontmatter(text);
  const pairs = block === null ? [] : readPairs(block.yaml);
  if ("problem" in pairs) return { is: ["invalid"], after: null };
  if (pairs.some(({ key }) => isJobKey(key))) return null;
  return { is: [isReadOnly ? "readOnly" : "unstamped"], after: null };
}

/** What a note counts as, worked out as the job does. */
function outcomeFor(
  found: VaultItem,
  text: string,
  processed: ProcessedFiles,
  now: Date,
): NoteOutcome {
  const { path, modified, created, isReadOnly } = found;
  const known = processed.get(path);
  const isCarrying = carriesKeys(text);
  const hash = versionHash(Buffer.from(text));
  const times = timesFor({ text, modified, created, hash }, known, now, path);
  if (isCarrying && areRight(text, times)) return { is: ["stamped"], after: null };
  const stamped = stampFrontmatter(text, times);
  const is: Counted[] = isCarrying
    ? ["stamped"]
    : leftIn(text)?.reason === "own-key"
      ? ["ownKeys"]
      : [];
  if (stamped.kind === "left") {
    const { reason } = stamped;
    if (isCarrying) return { is, after: null };
    return { is: [reason === "toml" || reason === "json" ? reason : "invalid"], after: null };
  }
  if (stamped.text === text) return { is, after: null };
  if (isReadOnly) return { is: isCarrying ? is : [...is, "readOnly"], after: null };
  // Only the person takes back what an undo did.
  const isWrong = isCarrying && known?.left?.reason !== "undone";
  return { is: [...is, isWrong ? "wrong" : "unstamped"], after: stamped.text };
}

/** Null for what is not text, or may not be read. */
async function textOf(vault: VaultReader, { path, size }: VaultItem): Promise<string | null> {
  try {
    const { bytes } = await vault.readBytes(path, size);
    return isTextBytes(bytes) ? bytes.toString("utf8") : null;
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
