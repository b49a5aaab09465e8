import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { sniffImage } from "../vault/files/image.ts";
import { block, formatRange, type LineRange } from "../vault/files/lines.ts";
import { isImage, showPath, type VaultPath } from "../vault/paths.ts";
import type { LineRun, TextFile } from "../vault/files/text-file.ts";
import { charactersFor, formatBytes, tokensForLength } from "../text/tokens.ts";
import { readTool, type ReadContext } from "./define.ts";
import { foldText } from "./outline.ts";
import { answerTokens, BlockOutput, MOST_IMAGE_BYTES, pathList } from "./output.ts";
import { expandPaths, openSingle, type Unread } from "./read-targets.ts";

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
    "Read files or folders. Every line comes with its number, `9  | text`. Images are shown. Read a file before you edit or replace it.",
  input,
  profiles: ["update", "search"],
  async run({ paths, head, tail, folded }, context) {
    const part = chosenPart(head ?? null, tail ?? null, folded ?? false);
    const output = new BlockOutput(answerTokens(context, part.kind !== "all"));
    const given = typeof paths === "string" ? [paths] : paths;
    const isBounded = context.mostTokens !== undefined && part.kind === "all" && folded !== true;
    const single = await openSingle(given, context.vault);
    const { targets, unread } =
      single === null
        ? await expandPaths(given, context, output, isBounded)
        : { targets: [single.path], unread: [] };
    const open = async (target: VaultPath): Promise<TextFile> =>
      single?.file ?? context.vault.openText(target);
    const { added: files, leftOut } = await output.addEach(targets, showPath, async (target) => {
      if (isImage(target)) return addImage(target, context, output);
      if (folded === true) return addFolded(target, await open(target), context, output);
      return addText(target, await open(target), part, context, output);
    });
    if (unread.length > 0) output.addNotice(unread.map(unreadLine).join("\n"));
    if (leftOut.length > 0) output.addNotice(leftOutNotice(leftOut, output.most));
    const left_out = [...unread.map(({ path }) => showPath(path)), ...leftOut];
    return output.finish({ files, left_out });
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
  file: TextFile,
  part: Part,
  context: ReadContext,
  output: BlockOutput,
): Promise<ReadFile> {
  const shown = showPath(path);
  const total = file.totalLines;
  const run = lines(file, part, output.left, charactersFor(output.most));
  const header = (range: LineRange): string => {
    if (range.end - range.start + 1 === total) return shown;
    return `${shown} (lines ${range.end < range.start ? "none" : formatRange(range)} of ${total})`;
  };
  const keep = part.kind === "tail" ? "last" : "first";
  const { first, lines: taken } = output.addLines(run, total, header, keep);
  const last = first + taken.length - 1;
  await context.session.ledger.saw(file.path, file.version);
  if (run.tooLong !== undefined && part.kind !== "all") {
    const [place, cost] = [part.kind === "head" ? "first" : "last", tokensForLength(run.tooLong)];
    output.addNotice(
      `The ${place} line of ${shown} costs ${cost} tokens, more than ${part.kind}=${part.tokens}: no line is shown. Ask with ${part.kind}=${cost}.`,
    );
  } else if (taken.length < run.lines.length || (part.kind === "all" && last < total)) {
    // The answer's own limit ended it, and not the budget asked for.
    const left =
      part.kind === "tail" ? { start: 1, end: first - 1 } : { start: last + 1, end: total };
    output.addNotice(cutNotice(shown, left, output.most, context));
  }
  return {
    path: shown,
    lines: { start: first, end: last, total },
    hash: file.version.hash,
    // Made when a program asks for it: most calls only show the blocks.
    get text() {
      return taken.join("\n");
    },
  };
}

/** Lines of the part asked for; of a large file no more than can be shown, in `left` characters of the answer's `most`. */
function lines(file: TextFile, part: Part, left: number, most: number): LineRun {
  if (part.kind === "head") return file.head(Math.min(charactersFor(part.tokens), most));
  if (part.kind === "tail") return file.tail(Math.min(charactersFor(part.tokens), most));
  if (file.totalLines === 0) return { first: 1, lines: [] };
  return file.range(1, file.totalLines, left);
}

function cutNotice(shown: string, left: LineRange, most: number, { profile }: ReadContext): string {
  const some = { start: left.start, end: Math.min(left.end, left.start + 999) };
  const rest =
    profile === "search"
      ? `concat(files=[{path: "${shown}", lines: "${formatRange(some)}"}])`
      : `read("${shown}", tail=N) for its end, or search with scopes=["${shown}"]`;
  return `Cut at ${most} tokens: lines ${formatRange(left)} of ${shown} are left out. Next: ${rest}.`;
}

/** What a folder gives of a file when those before it are enough. */
function unreadLine({ path, tokens }: Unread): string {
  return `Not shown, ${tokens} tokens: read("${showPath(path)}")`;
}

function leftOutNotice(paths: readonly string[], most: number): string {
  const named = paths.slice(0, 10).join(", ");
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : "";
  return `Cut at ${most} tokens: not read at all: ${named}${more}. Next: read(${JSON.stringify(paths.slice(0, 3))}).`;
}

async function addFolded(
  path: VaultPath,
  file: TextFile,
  context: ReadContext,
  output: BlockOutput,
): Promise<ReadFile> {
  const shown = showPath(path);
  const all = file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
  const folded = foldText(all);
  output.addBlock(block(`${shown} (folded, ${all.length} lines)`, folded));
  await context.session.ledger.saw(file.path, file.version);
  return {
    path: shown,
    lines: { start: 1, end: all.length, total: all.length },
    hash: file.version.hash,
    text: folded,
  };
}
