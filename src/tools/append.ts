import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { countNewlines, NEWLINE } from "../vault/files/bytes.ts";
import { BLOCK_WINDOW } from "../vault/files/frontmatter-block.ts";
import { countLines, lineEndingOf, withLineEnding, type LineEnding } from "../vault/files/lines.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import type { VaultWriter } from "../vault/vault.ts";
import type { Splice } from "../vault/write/writer.ts";
import { headLength, SMALL_FILE } from "../vault/files/version.ts";
import { textOutput, writeTool, type WriteContext } from "./define.ts";
import { linesText } from "./output.ts";
import {
  changeVault,
  historyNote,
  lastVersion,
  refuseBinaryName,
  refuseFolder,
  refuseNonText,
  withFrontmatter,
  writablePath,
  type ChangeReply,
} from "./write-checks.ts";

const input = z.strictObject({
  path: z.string(),
  content: z.string(),
  position: z.enum(["top", "bottom"]).describe("top: right after the frontmatter."),
});

type Position = "top" | "bottom";

export const append = writeTool({
  name: "append",
  title: "Add to a file",
  description:
    "Add text at the top or bottom of a file without reading it; creates the file when missing. An empty line is put between.",
  input,
  profiles: ["update"],
  destructive: false,
  async run({ path: given, content, position }, context) {
    const path = writablePath(given);
    const text = refuseContent(path, content);
    const { value, id } = await changeVault(context, "append", async (change) =>
      addText(path, text, position, context, change),
    );
    const shown = showPath(path);
    const counts =
      value.before === null ? "" : ` ${value.before} → ${linesText(value.before + value.added)}.`;
    const did = value.created ? "Created" : `Added at the ${position} of`;
    const reply: ChangeReply & { lines_added: number } = {
      path: shown,
      lines_before: value.created ? null : value.before,
      lines_after: value.before === null ? null : value.before + value.added,
      lines_added: value.added,
      history: id,
      hash: value.hash,
    };
    return textOutput(
      `${did} ${shown}: ${linesText(countLines(text))}.${value.created ? "" : counts} ${historyNote(id)}`,
      reply,
    );
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

interface Added {
  readonly created: boolean;
  /** Lines before; null when they were not counted. */
  readonly before: number | null;
  readonly added: number;
  readonly hash: string | null;
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
    return { created: true, before: 0, added: countLines(merged), hash };
  }
  refuseFolder(path, found);
  if (found.size > SMALL_FILE) return addToLarge(path, text, position, context, change);
  const seen = await change.readWhole(path);
  const parts = { head: seen.bytes, tail: seen.bytes, size: seen.bytes.length };
  const splice = placeFor(parts, text, position);
  const bytes = Buffer.concat([
    seen.bytes.subarray(0, splice.at),
    splice.inserted,
    seen.bytes.subarray(splice.at + splice.removed.length),
  ]);
  await change.writer.update(seen, bytes);
  const version = lastVersion(change);
  if (version !== null) ledger.wrote(seen.path, seen.version, version);
  const before = countLines(seen.text);
  const added = countLines(bytes.toString("utf8")) - before;
  return { created: false, before, added, hash: version?.hash ?? null };
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
  const splice = placeFor(ends, text, position);
  await change.writer.splice(ends, splice);
  // A last line without its line end gains one, which is no line of its own.
  const endsLine = position === "bottom" && splice.removed.length === 0 ? 1 : 0;
  const added = countNewlines(splice.inserted) - countNewlines(splice.removed) - endsLine;
  const version = lastVersion(change);
  if (version !== null) context.session.ledger.wrote(ends.path, ends.version, version);
  return { created: false, before: ends.lines, added, hash: null };
}

/** A file's first and last bytes: the same buffer, whole, when the file is small. */
interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly size: number;
}

const RETURN = 0x0d;

/** Where the text goes, with exactly one empty line between it and what is there; existing empty lines at that place are replaced. */
function placeFor({ head, tail, size }: Ends, text: string, position: Position): Splice {
  const headBytes = headLength(head);
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
  const removed = head.subarray(headBytes, bodyStart);
  const hasFrontmatter = headBytes > 3;
  const closed = headBytes === 0 || !hasFrontmatter || head[headBytes - 1] === NEWLINE;
  const before = [...(closed ? [] : [""]), ...(hasFrontmatter ? [""] : [])];
  const after = isEmpty ? [""] : ["", ""];
  return { at: headBytes, removed, inserted: encode([...before, text, ...after], ending) };
}

function isNewline(bytes: Buffer, at: number): boolean {
  return bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE);
}

function encode(lines: readonly string[], ending: LineEnding): Buffer {
  return Buffer.from(withLineEnding(lines.join("\n"), ending));
}
