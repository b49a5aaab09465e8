import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { countNewlines, NEWLINE } from "../vault/files/bytes.ts";
import { BLOCK_WINDOW } from "../vault/files/frontmatter.ts";
import { countLines, lineEndingOf, withLineEnding, type LineEnding } from "../vault/files/lines.ts";
import { underSameDay } from "../vault/files/same-day.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import type { FileEnds, VaultWriter } from "../vault/vault.ts";
import type { Splice } from "../vault/write/splice.ts";
import { frontmatterLength } from "../vault/files/other-frontmatter.ts";
import { headLength, SMALL_FILE } from "../vault/files/version.ts";
import { writeTool, type WriteContext } from "./define.ts";
import { linesText } from "./output.ts";
import { withReplaces } from "./replacing/end-of-entry.ts";
import { Replaces, replacedStatements } from "./replacing/replaces.ts";
import {
  changeOutput,
  changeVault,
  lastVersion,
  refuseBinaryName,
  refuseFolder,
  refuseNonText,
  withFrontmatter,
  writablePath,
  type ChangeFacts,
} from "./write-checks.ts";

const input = z.strictObject({
  path: z.string(),
  content: z.string(),
  position: z.enum(["top", "bottom"]).describe("top: right after the frontmatter."),
  replaces: Replaces.nullish().describe("Older statements that it makes untrue."),
});

type Position = z.infer<typeof input>["position"];

export const append = writeTool({
  name: "append",
  title: "Add to a file",
  description:
    "Add text at the top or bottom of a file without reading it; creates the file when missing.",
  input,
  profiles: ["update"],
  destructive: false,
  async run({ path: given, content, position, replaces }, context) {
    const { vault } = context;
    const path = await writablePath(given, vault);
    const own = refuseContent(path, content);
    const replaced = await replacedStatements(replaces ?? [], path, own, context);
    const text = withReplaces(
      own,
      replaced.map(({ line }) => line),
    );
    const { value, id: history } = await changeVault(context, "append", async (change) =>
      addText(path, text, position, context, change),
    );
    const { created, ...facts } = value;
    const { lines_before: before, lines_after: after } = facts;
    const shown = showPath(path);
    const did = `${created ? "Created" : `Added at the ${position} of`} ${shown}: ${linesText(countLines(text))}.`;
    const counts = before === null || after === null ? "" : ` ${before} → ${linesText(after)}.`;
    return changeOutput(did + counts, { path: shown, ...facts, history });
  },
});

/** The text without the empty lines around it. */
function refuseContent(path: VaultPath, content: string): string {
  const text = content.replace(/^(?:\r?\n)+/u, "").replace(/(?:\r?\n)+$/u, "");
  if (text.trim() === "")
    throw new ExpectedError("invalid_argument", "content is empty: there is nothing to add.");
  refuseNonText(text, "content");
  refuseBinaryName(path);
  return text;
}

interface Added extends ChangeFacts {
  readonly created: boolean;
  readonly lines_added: number;
}

async function addText(
  path: VaultPath,
  text: string,
  position: Position,
  context: WriteContext,
  change: VaultWriter,
): Promise<Added> {
  const found = await context.vault.find(path);
  const { ledger } = context.session;
  if (found.kind === "missing") {
    const merged = withFrontmatter(`${text}\n`, null, showPath(path));
    await change.writer.create(path, Buffer.from(merged));
    const hash = lastVersion(change)?.hash ?? null;
    const lines = countLines(merged);
    return { created: true, lines_before: null, lines_after: lines, lines_added: lines, hash };
  }
  refuseFolder(path, found);
  if (found.size > SMALL_FILE) return addToLarge(path, text, position, context, change);
  const seen = await change.readWhole(path);
  const parts = { head: seen.bytes, tail: seen.bytes, size: seen.bytes.length };
  const splice = placeFor(path, parts, text, position);
  const bytes = Buffer.concat([
    seen.bytes.subarray(0, splice.at),
    splice.inserted,
    seen.bytes.subarray(splice.at + splice.removed.length),
  ]);
  await change.writer.update(seen, bytes);
  const version = lastVersion(change);
  if (version !== null) await ledger.wrote(seen.path, seen.version, version);
  const [before, after] = [countLines(seen.text), countLines(bytes.toString("utf8"))];
  const counts = { lines_before: before, lines_after: after, lines_added: after - before };
  return { created: false, ...counts, hash: version?.hash ?? null };
}

/** Reads only both ends of the file, and copies the rest as it is. */
async function addToLarge(
  path: VaultPath,
  text: string,
  position: Position,
  context: WriteContext,
  change: VaultWriter,
): Promise<Added> {
  const ends = await change.readEnds(path, BLOCK_WINDOW);
  if (ends.head.includes(0) || ends.tail.includes(0)) {
    throw new ExpectedError(
      "not_text",
      `${showPath(path)} is not text; nothing can be added to it.`,
    );
  }
  const splice = placeFor(path, ends, text, position);
  await change.writer.splice(ends, splice);
  // A last line without its line end gains one, which is no line of its own.
  const endsLine = position === "bottom" && splice.removed.length === 0 ? 1 : 0;
  const added = countNewlines(splice.inserted) - countNewlines(splice.removed) - endsLine;
  const version = lastVersion(change);
  if (version !== null) await context.session.ledger.wrote(ends.path, ends.version, version);
  const after = ends.lines === null ? null : ends.lines + added;
  const counts = { lines_before: ends.lines, lines_after: after, lines_added: added };
  return { created: false, ...counts, hash: null };
}

const RETURN = 0x0d;

/**
 * Where the text goes, with exactly one empty line between it and what is there; existing empty lines at that place are replaced.
 * @param ends of the file: the same buffer, whole, when the file is small
 */
function placeFor(
  path: VaultPath,
  { head, tail, size }: Pick<FileEnds, "head" | "tail" | "size">,
  text: string,
  position: Position,
): Splice {
  const front = frontmatterLength(head);
  if (position === "top" && typeof front !== "number")
    throw new ExpectedError(
      "conflict",
      `Nothing can be added at the top of ${showPath(path)}: ${front.problem}. Add it at the bottom.`,
    );
  const headBytes = typeof front === "number" ? front : headLength(head);
  const ending = lineEndingOf(head.toString("utf8"));
  const tailStart = size - tail.length;
  let textEnd = tail.length;
  while (textEnd > 0 && isNewline(tail, textEnd - 1)) textEnd -= 1;
  const isEmpty = tailStart + textEnd <= headBytes;
  if (position === "bottom" && !isEmpty) {
    const inserted = encode(["", "", text, ""], ending);
    return { at: tailStart + textEnd, removed: tail.subarray(textEnd), inserted };
  }
  let bodyStart = headBytes;
  while (bodyStart < head.length && isNewline(head, bodyStart)) bodyStart += 1;
  const sameDay = isEmpty ? null : underSameDay(head, bodyStart, text);
  if (sameDay !== null) {
    let next = sameDay.at;
    while (next < head.length && isNewline(head, next)) next += 1;
    const isLast = next === size;
    const inserted = encode(["", sameDay.text, ...(isLast ? [""] : ["", ""])], ending);
    return { at: sameDay.at, removed: head.subarray(sameDay.at, next), inserted };
  }
  const removed = head.subarray(headBytes, bodyStart);
  const hasFrontmatter = headBytes > 3;
  const closed = head[headBytes - 1] === NEWLINE;
  const before = hasFrontmatter ? (closed ? [""] : ["", ""]) : [];
  const after = isEmpty ? [""] : ["", ""];
  return { at: headBytes, removed, inserted: encode([...before, text, ...after], ending) };
}

function isNewline(bytes: Buffer, at: number): boolean {
  return bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE);
}

function encode(lines: readonly string[], ending: LineEnding): Buffer {
  return Buffer.from(withLineEnding(lines.join("\n"), ending));
}
