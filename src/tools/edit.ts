import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { overlaps } from "../index/replaces-line.ts";
import {
  block,
  countLines,
  formatRange,
  lineEndingOf,
  linesBlock,
  splitLines,
  toLf,
  withLineEnding,
  type LineRange,
} from "../vault/files/lines.ts";
import { frontmatterLines } from "../vault/files/headings.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import type { VaultWriter } from "../vault/vault.ts";
import { writeTool, type WriteContext } from "./define.ts";
import { editProperties, Properties } from "./edit-properties.ts";
import { matchSection } from "./match-section.ts";
import { linesText } from "./output.ts";
import { endSection } from "./replacing/end-of-entry.ts";
import { Replaces, replacedStatements, type ReplacedStatement } from "./replacing/replaces.ts";
import { lineAt, matchEdit, type EditMatch } from "./match-edit.ts";
import {
  changeOutput,
  changeVault,
  lastVersion,
  refuseNonText,
  requireRead,
  writablePath,
  type ChangeFacts,
} from "./write-checks.ts";

const AROUND = 2;

const input = z.strictObject({
  path: z.string(),
  old_content: z
    .string()
    .nullish()
    .describe("Exact text of the file; or whole lines with the numbers of read."),
  section: z.string().nullish().describe("Instead: a unique heading, which stays."),
  new_content: z.string().nullish().describe('What replaces it; "" removes it.'),
  properties: Properties.nullish().describe("Frontmatter keys to change."),
  replaces: Replaces.nullish().describe("Older statements that it makes untrue."),
});

interface Edited extends ChangeFacts {
  readonly lines_before: number;
  readonly lines_after: number;
  /** Those that were changed. */
  readonly lines: LineRange;
}

export const edit = writeTool({
  name: "edit",
  title: "Edit a file",
  description:
    "Replace one passage of a file you have read, or all under a heading, or change frontmatter keys. The passage must be unique, or carry its line numbers.",
  input,
  profiles: ["update"],
  destructive: true,
  async run({ path: given, ...asked }, context) {
    const path = await writablePath(given, context.vault);
    const place = wantedEdit(asked);
    await context.vault.get(path);
    const said = asked.new_content ?? "";
    const replaced = await replacedStatements(asked.replaces ?? [], path, said, context);
    const wanted = { ...place, replaced };
    const { value, id: history } = await changeVault(context, "edit", async (change) =>
      editFile(path, wanted, context, change),
    );
    const { facts, region } = value;
    const { lines_before: before, lines_after: after } = facts;
    const counts = before === after ? linesText(after) : `${before} → ${linesText(after)}`;
    const shown = showPath(path);
    const did = `Edited ${shown}: ${counts}.`;
    return changeOutput(did, { path: shown, ...facts, history }, `\n\n${region}`);
  },
});

/** What is to be changed: a passage or section, and keys. */
interface WantedEdit {
  /** Finds the place in a text with `\n` endings. */
  readonly match: ((text: string, shown: string) => EditMatch) | null;
  readonly properties: Properties | null;
  /** What the new text makes untrue, elsewhere. */
  readonly replaced: readonly ReplacedStatement[];
}

function wantedEdit(asked: Omit<z.infer<typeof input>, "path">): Omit<WantedEdit, "replaced"> {
  const { old_content: old, section, new_content: given, properties = null } = asked;
  const isPassage = typeof old === "string";
  const isSection = typeof section === "string";
  const isReplacing = (asked.replaces ?? []).length > 0;
  if (isReplacing && (given ?? "") === "") {
    throw wrong("replaces goes with a new text: give new_content, which says what is true now.");
  }
  if (old === "") {
    throw wrong("old_content is empty: give the text to replace, or use append to add text.");
  }
  if (isPassage && isSection) {
    throw wrong("old_content and section exclude each other: give the one that names the place.");
  }
  if (!isPassage && !isSection) {
    if (typeof given === "string") {
      throw wrong("new_content has no place: give old_content or section too.");
    }
    if (properties !== null) return { match: null, properties };
    throw wrong("There is nothing to change: give old_content or section, or properties.");
  }
  if (typeof given !== "string") {
    throw wrong('new_content is missing: give what replaces it; "" removes it.');
  }
  refuseNonText(given, "new_content");
  const text = toLf(given);
  const match: WantedEdit["match"] = isPassage
    ? (file, shown) => matchEdit(file, toLf(old), text, shown)
    : (file, shown) => matchSection(file, toLf(section ?? ""), text, shown);
  return { match, properties };
}

function wrong(message: string): ExpectedError {
  return new ExpectedError("invalid_argument", message);
}

async function editFile(
  path: VaultPath,
  wanted: WantedEdit,
  context: WriteContext,
  change: VaultWriter,
): Promise<{ facts: Edited; region: string }> {
  const seen = await change.readWhole(path);
  const shown = showPath(path);
  await requireRead(seen, shown, context, "was not read in this session");
  refuseOwnLines(seen.text, path, wanted, shown);
  const { text: edited, lines } = applyEdit(seen.text, wanted, shown);
  const bom = seen.bytes.subarray(0, seen.bytes.length - Buffer.byteLength(seen.text));
  const bytes = Buffer.concat([bom, Buffer.from(edited)]);
  if (!bytes.equals(seen.bytes)) await change.writer.update(seen, bytes);
  const version = lastVersion(change) ?? seen.version;
  await context.session.ledger.wrote(seen.path, seen.version, version);
  const [lines_before, lines_after] = [countLines(seen.text), countLines(edited)];
  return {
    facts: { lines_before, lines_after, hash: version.hash, lines },
    region: showRegion(edited, lines, shown),
  };
}

/** Refuses an edit of the very lines that it says it replaces: nothing of them would stay. */
function refuseOwnLines(
  raw: string,
  path: VaultPath,
  { match: find, replaced }: WantedEdit,
  shown: string,
): void {
  const own = replaced.filter((each) => each.path === path);
  if (own.length === 0 || find === null) return;
  const text = toLf(raw);
  const { start, end } = find(text, shown);
  const changed = { start: lineAt(text, start), end: lineAt(text, Math.max(start, end - 1)) };
  for (const { lines } of own) {
    if (!overlaps(lines, changed)) continue;
    throw wrong(
      `replaces: lines ${formatRange(lines)} of ${shown} are those that this edit changes, so nothing is left to be replaced. Leave replaces out.`,
    );
  }
}

/** The text after an edit, and which of its lines were changed. */
function applyEdit(
  raw: string,
  { match: find, properties, replaced }: WantedEdit,
  shown: string,
): { text: string; lines: LineRange } {
  const match = find?.(toLf(raw), shown) ?? null;
  const bare = match === null ? raw : apply(raw, match);
  const newLines = replaced.map(({ line }) => line);
  const ended = match === null ? null : endSection(bare, changedLines(bare, match), newLines);
  const edited = ended?.text ?? bare;
  const text = properties === null ? edited : editProperties(edited, properties, shown);
  if (ended === null) {
    const height = Math.max(1, frontmatterLines(splitLines(text)));
    return { text, lines: { start: 1, end: height } };
  }
  const { start, end } = ended.lines;
  const moved = countLines(text) - countLines(edited);
  return { text, lines: { start: start + moved, end: end + moved } };
}

/** Puts the replacement in, with the line endings of the lines it replaces; every other byte stays. */
function apply(raw: string, match: EditMatch): string {
  const start = rawOffset(raw, match.start);
  const end = rawOffset(raw, match.end);
  const replaced = raw.slice(start, end);
  const ending = lineEndingOf(replaced.includes("\n") ? replaced : raw);
  return raw.slice(0, start) + withLineEnding(match.replacement, ending) + raw.slice(end);
}

/** The place in a text as on disk of an offset in the same text with `\n` endings. */
function rawOffset(raw: string, offset: number): number {
  let place = offset;
  for (let at = raw.indexOf("\r\n"); at >= 0 && at < place; at = raw.indexOf("\r\n", at + 2))
    place += 1;
  return place;
}

function changedLines(edited: string, match: EditMatch): LineRange {
  const start = lineAt(toLf(edited), match.start);
  const inserted = match.replacement === "" ? 1 : countLines(match.replacement);
  return { start, end: start + inserted - 1 };
}

function showRegion(edited: string, lines: LineRange, shown: string): string {
  const all = splitLines(edited);
  const start = Math.max(1, lines.start - AROUND);
  const end = Math.min(all.length, lines.end + AROUND);
  return end < start ? block(shown, "") : linesBlock(shown, all, { start, end });
}
