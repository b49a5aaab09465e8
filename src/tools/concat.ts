import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { formatRange, type LineRange } from "../vault/files/lines.ts";
import { isImage, parsePath, showPath } from "../vault/paths.ts";
import { readTool, type ReadContext } from "./define.ts";
import { answerTokens, BlockOutput, pathList } from "./output.ts";

const input = z.strictObject({
  files: pathList(
    z.strictObject({
      path: z.string(),
      lines: z
        .string()
        .nullish()
        .describe('"9-14", numbered as in read; the whole file when left out.'),
    }),
  ).describe("In the order they should appear."),
});

type Wanted = z.infer<typeof input>["files"][number];

interface ConcatPart {
  readonly path: string;
  readonly lines: string;
  readonly text: string;
}

export const concat = readTool({
  name: "concat",
  title: "Assemble sources",
  description:
    "Assemble files or line ranges, unchanged and with their original line numbers, into the document that answers the question. Call it last, with what search and read showed to be relevant.",
  input,
  profiles: ["search"],
  async run({ files }, context) {
    const output = new BlockOutput(answerTokens(context, false));
    const { added: parts, leftOut } = await output.addEach(
      files,
      ({ path }) => path,
      async (wanted) => addPart(wanted, context, output),
    );
    if (leftOut.length > 0) {
      output.addNotice(
        `Cut at ${output.most} tokens: left out ${leftOut.join(", ")}. Assemble them in another call.`,
      );
    }
    return output.finish({ parts, left_out: leftOut });
  },
});

/** Says that a range was longer than its file. */
export const PAST_THE_END = "goes past its end:";

async function addPart(
  wanted: Wanted,
  { vault }: ReadContext,
  output: BlockOutput,
): Promise<ConcatPart> {
  const range = parseLines(wanted);
  const { path } = parsePath(wanted.path);
  const shown = showPath(path);
  const found = await vault.get(path);
  if (found.kind === "folder") {
    throw new ExpectedError(
      "not_a_file",
      `${showPath(path, "folder")} is a folder; concat takes files. List it with tree, then name them.`,
    );
  }
  if (isImage(path)) {
    throw new ExpectedError(
      "not_text",
      `${shown} is an image; concat takes text. Look at it with read.`,
    );
  }
  const file = await vault.openText(path);
  const total = file.totalLines;
  if (range !== null && range.start > total) {
    throw new ExpectedError(
      "invalid_argument",
      `${shown} has ${total} lines; the range ${wanted.lines} starts past its end.`,
    );
  }
  const start = range?.start ?? 1;
  const end = Math.min(range?.end ?? total, total);
  const run = end < start ? { first: 1, lines: [] } : file.range(start, end, output.left);
  const { lines } = output.addLines(run, total, (fit) =>
    range === null && fit.end === total ? shown : `${shown} (lines ${formatRange(fit)})`,
  );
  const last = start + lines.length - 1;
  if (range !== null && range.end > total) {
    output.addNotice(
      `${shown} has ${total} lines; the range ${wanted.lines} ${PAST_THE_END} lines ${formatRange({ start, end: total })} are here.`,
    );
  }
  if (last < end) {
    output.addNotice(
      `Cut at ${output.most} tokens: lines ${last + 1}-${end} of ${shown} are left out. Next: concat(files=[{path: "${shown}", lines: "${last + 1}-${end}"}]).`,
    );
  }
  return {
    path: shown,
    lines: formatRange({ start, end: last }),
    get text() {
      return lines.join("\n");
    },
  };
}

const RANGE = /^(\d+)(?:-(\d+))?$/u;

/** Null for the whole file. `"12"` is `"12-12"`. */
export function parseLines({ path, lines }: Wanted): LineRange | null {
  if (lines === undefined || lines === null || lines === "") return null;
  const match = RANGE.exec(lines.trim());
  const start = Number(match?.[1]);
  const end = Number(match?.[2] ?? match?.[1]);
  if (match === null || start < 1 || end < start) {
    throw new ExpectedError(
      "invalid_argument",
      `${path}: the range ${JSON.stringify(lines)} is not of the form "9-14" (first and last line, from 1, first not after last).`,
    );
  }
  return { start, end };
}
