import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { isImageExtension, sniffImage } from "../vault/files/image.ts";
import { block, formatRange } from "../vault/files/lines.ts";
import {
  extensionOf,
  parsePath,
  refuseFileAsFolder,
  showPath,
  type VaultPath,
} from "../vault/paths.ts";
import type { LineRun, TextFile } from "../vault/files/text-file.ts";
import { charactersFor, formatBytes, tokensForLength } from "../text/tokens.ts";
import { readTool, type ReadContext } from "./define.ts";
import { foldText } from "./outline.ts";
import { BlockOutput, MOST_IMAGE_BYTES, MOST_TOKENS, pathList } from "./output.ts";

const tokenBudget = z
  .int("must be a whole number of tokens, 1 or more")
  .positive("must be 1 or more")
  .nullish();

const input = z.strictObject({
  paths: z
    .union([z.string(), pathList(z.string()).min(1, "the list is empty: give at least one path")])
    .describe("A path or a list. A folder gives the files directly in it."),
  head: tokenBudget.describe("Only the first lines of each file, about this many tokens."),
  tail: tokenBudget.describe("Only the last lines. Not with head."),
  folded: z
    .boolean()
    .optional()
    .describe("Only the headings, with the size of what is under each."),
});

type Part = { readonly kind: "all" } | { readonly kind: "head" | "tail"; readonly tokens: number };

/** What programs get of each file. */
interface ReadFile {
  readonly path: string;
  readonly lines?: { readonly start: number; readonly end: number; readonly total: number };
  /** Version of the person's text, for `--if-hash`; null when the file is too large to be hashed. */
  readonly hash?: string | null;
  readonly text?: string;
  readonly image?: {
    readonly mimeType: string;
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
  };
}

export const read = readTool({
  name: "read",
  title: "Read files",
  description:
    "Read files or folders. Every line comes with its number, `9  | text`, for concat and edit. Images are shown. Read a file before you edit or replace it.",
  input,
  profiles: ["update", "search"],
  async run({ paths, head, tail, folded }, context) {
    const part = chosenPart(head ?? null, tail ?? null, folded ?? false);
    const output = new BlockOutput();
    const files: ReadFile[] = [];
    const leftOut: string[] = [];
    for (const target of await expand(
      typeof paths === "string" ? [paths] : paths,
      context,
      output,
    )) {
      if (output.left <= 0) {
        leftOut.push(showPath(target));
        continue;
      }
      try {
        const isImage = isImageExtension(extensionOf(target));
        if (isImage) files.push(await addImage(target, context, output));
        else if (folded === true) files.push(await addFolded(target, context, output));
        else files.push(await addText(target, part, context, output));
      } catch (error) {
        output.addFailure(showPath(target), error);
      }
    }
    if (leftOut.length > 0) output.addNotice(leftOutNotice(leftOut));
    return output.finish({ files, left_out: leftOut, errors: output.failures });
  },
});

function chosenPart(head: number | null, tail: number | null, folded: boolean): Part {
  if (head !== null && tail !== null) {
    throw new ExpectedError(
      "invalid_argument",
      "head and tail exclude each other: give one, or neither for the whole file.",
    );
  }
  if (folded && (head !== null || tail !== null)) {
    throw new ExpectedError(
      "invalid_argument",
      "folded shows the headings of the whole file: give it without head and tail.",
    );
  }
  if (head !== null) return { kind: "head", tokens: head };
  return tail !== null ? { kind: "tail", tokens: tail } : { kind: "all" };
}

/** The files the paths name, each once, at its first place. Empty folders are shown; what is missing is noted. */
async function expand(
  paths: readonly string[],
  { vault }: ReadContext,
  output: BlockOutput,
): Promise<VaultPath[]> {
  const files = new Map<VaultPath, VaultPath>();
  const add = (shown: VaultPath, real: VaultPath): void => {
    if (!files.has(real)) files.set(real, shown);
  };
  for (const given of paths) {
    try {
      const parsed = parsePath(given);
      const { path } = parsed;
      const found = await vault.get(path);
      refuseFileAsFolder(parsed, found.kind);
      if (found.kind !== "folder") {
        add(path, found.path);
        continue;
      }
      const direct = (await vault.list(path)).filter(({ kind }) => kind === "file");
      if (direct.length === 0) output.addBlock(block(showPath(path, "folder"), ""));
      for (const file of direct) add(file.path, file.path);
    } catch (error) {
      output.addFailure(given, error);
    }
  }
  return [...files.values()];
}

async function addImage(
  path: VaultPath,
  { vault }: ReadContext,
  output: BlockOutput,
): Promise<ReadFile> {
  const shown = showPath(path);
  const { bytes, size } = await vault.readBytes(path, MOST_IMAGE_BYTES);
  if (size > MOST_IMAGE_BYTES) {
    throw new ExpectedError(
      "too_large",
      `${shown} is ${formatBytes(size)}; images up to ${formatBytes(MOST_IMAGE_BYTES)} can be shown. Make it smaller first.`,
    );
  }
  if (size > output.imageBytesLeft) {
    throw new ExpectedError(
      "too_large",
      `${shown} (${formatBytes(size)}) does not fit into one answer with the images before it. Read it in another call.`,
    );
  }
  const image = sniffImage(bytes);
  if (image === null) {
    throw new ExpectedError(
      "not_text",
      `${shown} has the name of an image but its bytes are not one.`,
    );
  }
  const { mimeType, width, height } = image;
  output.addImage(`${shown} (${mimeType}, ${width}×${height}, ${formatBytes(size)})`, {
    type: "image",
    data: bytes.toString("base64"),
    mimeType,
    path: shown,
  });
  return { path: shown, image: { mimeType, width, height, bytes: size } };
}

async function addText(
  path: VaultPath,
  part: Part,
  context: ReadContext,
  output: BlockOutput,
): Promise<ReadFile> {
  const file = await context.vault.openText(path);
  const shown = showPath(path);
  const total = file.totalLines;
  const run = lines(file, part, output.left);
  const count = output.addLines(run, total, (range) =>
    range.end - range.start + 1 === total
      ? shown
      : `${shown} (lines ${rangeOf(range)} of ${total})`,
  );
  context.session.ledger.saw(file.path, file.version);
  if (run.tooLong !== undefined && part.kind !== "all") {
    const [place, cost] = [part.kind === "head" ? "first" : "last", tokensForLength(run.tooLong)];
    output.addNotice(
      `The ${place} line of ${shown} costs ${cost} tokens, more than ${part.kind}=${part.tokens}: no line is shown. Ask with ${part.kind}=${cost}.`,
    );
  } else if (cutShort(run, count, part, total)) {
    output.addNotice(cutNotice(shown, run.first + count, total, context));
  }
  return {
    path: shown,
    lines: { start: run.first, end: run.first + count - 1, total },
    hash: file.version.hash,
    // Made when a program asks for it: most calls only show the blocks.
    get text() {
      return run.lines.slice(0, count).join("\n");
    },
  };
}

function rangeOf(range: { start: number; end: number }): string {
  return range.end < range.start ? "none" : formatRange(range);
}

/** Lines of the part asked for; of a large file no more than can be shown. */
function lines(file: TextFile, part: Part, left: number): LineRun {
  if (part.kind === "head") return file.head(charactersFor(part.tokens));
  if (part.kind === "tail") return file.tail(charactersFor(part.tokens));
  if (file.totalLines === 0) return { first: 1, lines: [] };
  return file.range(1, file.totalLines, left);
}

/** True when the answer's own limit, and not the budget asked for, ended it. */
function cutShort(run: LineRun, count: number, part: Part, total: number): boolean {
  return count < run.lines.length || (part.kind === "all" && count < total);
}

function cutNotice(shown: string, next: number, total: number, { profile }: ReadContext): string {
  const rest =
    profile === "search"
      ? `concat(files=[{path: "${shown}", lines: "${next}-${Math.min(total, next + 999)}"}])`
      : `read("${shown}", tail=N) for its end, or search with scopes=["${shown}"]`;
  return `Cut at ${MOST_TOKENS} tokens: lines ${next}-${total} of ${shown} are left out. Next: ${rest}.`;
}

function leftOutNotice(paths: readonly string[]): string {
  const named = paths.slice(0, 10).join(", ");
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : "";
  return `Cut at ${MOST_TOKENS} tokens: not read at all: ${named}${more}. Next: read(${JSON.stringify(paths.slice(0, 3))}).`;
}

async function addFolded(
  path: VaultPath,
  context: ReadContext,
  output: BlockOutput,
): Promise<ReadFile> {
  const file = await context.vault.openText(path);
  const shown = showPath(path);
  const all = file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
  const folded = foldText(all);
  output.addBlock(block(`${shown} (folded, ${all.length} lines)`, folded));
  context.session.ledger.saw(file.path, file.version);
  return {
    path: shown,
    lines: { start: 1, end: all.length, total: all.length },
    hash: file.version.hash,
    text: folded,
  };
}
