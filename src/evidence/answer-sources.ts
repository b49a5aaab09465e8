import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { stripNumbers } from "../vault/files/lines.ts";
import { showPath, parsePath } from "../vault/paths.ts";
import { CitedSource, type Evidence, type ReplacedBy } from "./contract.ts";
import { rangeOf } from "./line-bytes.ts";

const EVIDENCE = /^\[(\d+)\] (vault\/.+?):(\d+(?:-\d+)?) · sha256:([0-9a-f]{64})(?: · .*)?$/gmu;
const HEADER = /^```(vault\/.+?)(?: \(lines (\d+-\d+)(?: of \d+)?\))?$/u;

/** A source as the program writes it below an overview. */
export function evidenceLine({ mark, path, lines, sha256, replaced }: Evidence): string {
  const line = `[${mark}] ${path}:${lines} · sha256:${sha256}`;
  return replaced === null ? line : `${line} · ${replacedNote(replaced)}`;
}

/** `replaced 2026-11-16 → vault/changelog.md lines 9-14`, as search says it. */
function replacedNote({ path, lines, date }: ReplacedBy): string {
  return ["replaced", ...(date === null ? [] : [date]), "→", path, "lines", lines].join(" ");
}

/** The sources of an answer, from its text: the lines with their hashes, and the blocks below them. Empty when it has none. */
function sourcesInAnswer(answer: string): CitedSource[] {
  const text = answer.replaceAll("\r\n", "\n");
  const blocks = blocksIn(text);
  const listed = [...text.matchAll(EVIDENCE)].map(
    ([, mark, path = "", lines = "", sha256 = ""]): CitedSource => {
      const own = blocks.find((block) => block.path === path && block.lines === lines);
      return { mark: Number(mark), path, lines, sha256, text: own?.text ?? null };
    },
  );
  return listed.length > 0 ? listed : blocks;
}

/** The blocks as `concat` writes them; those that hold no numbered lines are not. */
function blocksIn(text: string): (CitedSource & { readonly text: string })[] {
  const blocks: (CitedSource & { readonly text: string })[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const [, path, given] = HEADER.exec(lines[at] ?? "") ?? [];
    if (path === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) break;
    const block = stripNumbers(lines.slice(at + 1, end).join("\n"), "consecutive");
    if (block.kind === "numbered") {
      const count = end - at - 1;
      const range = rangeOf(given ?? "") ?? { start: block.first, end: block.first + count - 1 };
      const shown = showPath(parsePath(path).path);
      blocks.push({ path: shown, lines: `${range.start}-${range.end}`, text: block.text });
    }
    at = end;
  }
  return blocks;
}

const Given = z.union([
  z.object({ answer: z.string() }),
  z.object({ evidence: z.array(CitedSource) }),
  z.object({ sources: z.array(CitedSource) }),
  z.array(CitedSource).transform((sources) => ({ sources })),
]);

/** The sources in a text that was kept: an answer, or what `--json` gave of it. Throws when there is none. */
export function sourcesInText(text: string): CitedSource[] {
  const given = /^\s*[[{]/u.test(text) ? Given.safeParse(parsedJson(text)).data : undefined;
  const sources =
    given === undefined
      ? sourcesInAnswer(text)
      : "answer" in given
        ? sourcesInAnswer(given.answer)
        : "evidence" in given
          ? given.evidence
          : given.sources;
  if (sources.length > 0) return sources;
  throw new ExpectedError(
    "invalid_argument",
    "There is no source in it: verify takes an answer of recall, with the lines that name its sources or the passages below them.",
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
