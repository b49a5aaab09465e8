import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import {
  block,
  countLines,
  lineEndingOf,
  linesBlock,
  splitLines,
  toLf,
  withLineEnding,
  type LineRange,
} from "../vault/files/lines.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import type { VaultWriter } from "../vault/vault.ts";
import { textOutput, writeTool, type WriteContext } from "./define.ts";
import { linesText } from "./output.ts";
import { lineAt, matchEdit, type EditMatch } from "./match-edit.ts";
import {
  changeVault,
  historyNote,
  lastVersion,
  refuseNonText,
  requireRead,
  writablePath,
  type ChangeReply,
} from "./write-checks.ts";

const AROUND = 2;

const input = z.strictObject({
  path: z.string(),
  old_content: z
    .string()
    .describe("Exact text of the file; or whole lines with the numbers of read."),
  new_content: z.string().describe('What replaces it; "" removes it.'),
});

interface Edited {
  readonly before: number;
  readonly after: number;
  readonly hash: string | null;
  readonly region: string;
  readonly lines: LineRange;
}

export const edit = writeTool({
  name: "edit",
  title: "Edit a file",
  description:
    "Replace one passage of a file you have read. The passage must be unique, or carry its line numbers. Returns the changed lines.",
  input,
  profiles: ["update"],
  destructive: true,
  async run({ path: given, old_content, new_content }, context) {
    const path = writablePath(given);
    if (old_content === "") {
      throw new ExpectedError(
        "invalid_argument",
        "old_content is empty: give the text to replace, or use append to add text.",
      );
    }
    refuseNonText(new_content, "new_content");
    await context.vault.get(path);
    const { value, id } = await changeVault(context, "edit", async (change) =>
      editFile(path, toLf(old_content), toLf(new_content), context, change),
    );
    const shown = showPath(path);
    const reply: ChangeReply & { lines: Edited["lines"] } = {
      path: shown,
      lines_before: value.before,
      lines_after: value.after,
      history: id,
      hash: value.hash,
      lines: value.lines,
    };
    const counts =
      value.before === value.after
        ? linesText(value.after)
        : `${value.before} → ${linesText(value.after)}`;
    return textOutput(`Edited ${shown}: ${counts}. ${historyNote(id)}\n\n${value.region}`, reply);
  },
});

async function editFile(
  path: VaultPath,
  oldContent: string,
  newContent: string,
  context: WriteContext,
  change: VaultWriter,
): Promise<Edited> {
  const seen = await change.readWhole(path);
  const shown = showPath(path);
  requireRead(seen, shown, context, "was not read in this session");
  const text = toLf(seen.text);
  const match = matchEdit(text, oldContent, newContent, shown);
  const edited = apply(seen.text, match);
  const bom = seen.bytes.subarray(0, seen.bytes.length - Buffer.byteLength(seen.text));
  const bytes = Buffer.concat([bom, Buffer.from(edited)]);
  if (!bytes.equals(seen.bytes)) await change.writer.update(seen, bytes);
  const version = lastVersion(change) ?? seen.version;
  context.session.ledger.wrote(seen.path, seen.version, version);
  const lines = changedLines(edited, match);
  return {
    before: countLines(seen.text),
    after: countLines(edited),
    hash: version.hash,
    region: showRegion(edited, lines, shown),
    lines,
  };
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
