import { z } from "zod";

import { nullIfRefused } from "../../errors.ts";
import { localDay } from "../../text/local-time.ts";
import { charactersFor, countTokens } from "../../text/tokens.ts";
import type { Session } from "../../tools/session.ts";
import { frontmatterLines } from "../../vault/files/headings.ts";
import { block, formatRange, numberLines, numberWidth } from "../../vault/files/lines.ts";
import { parsePath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { CallAs } from "../agent-run.ts";
import { isFromOutside } from "../inbox/untrusted-mark.ts";
import { projectNames, queryOf, rankProjects } from "../without-model/closest-projects.ts";
import type { SeenLines } from "./known.ts";
import { layoutText } from "./vault-layout.ts";

/** Tokens of all pages and passages: with the instructions and the tools, a first request of about 3,000. */
const MAX_TOKENS = 900;
/** Of them, for passages: at most, and what pages leave to them. */
const MAX_PASSAGES = 180;
const LEFT_FOR_PASSAGES = 100;
/** A shorter beginning of a page is of no use. */
const MIN_PART = 120;
const PASSAGES = 3;
const MAX_PROFILE = 120;
/** A passage below this share of the best score is of no use. */
const MIN_SHARE = 0.3;

interface ContextParts {
  readonly vault: VaultReader;
  readonly now: () => Date;
  /** What the run has read: whole pages shown here count. */
  readonly session: Session;
  readonly seen: SeenLines;
  readonly call: CallAs;
}

const Results = z.array(
  z.object({
    path: z.string(),
    lines: z.string(),
    heading: z.string().nullable(),
    score: z.number(),
    text_lines: z.array(z.object({ number: z.number(), text: z.string() })),
    best: z.array(z.number()),
  }),
);

/**
 * What an update begins with, so that a plain fact needs no call to look: the day, the shape of the vault, the map, the person, the pages of
 * the project that the note seems to concern, and the passages nearest to it. Only text that is the person's own.
 */
export async function updateContext(
  note: string,
  isUntrusted: boolean,
  parts: ContextParts,
): Promise<string> {
  const { vault, now, call } = parts;
  const today = now();
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long" }).format(today);
  const query = queryOf(note);
  const found = query === "" ? [] : await call("search", { queries: [query], limit: 20 });
  const results = Array.isArray(found) ? [] : (Results.safeParse(found.structured).data ?? []);
  const projects = await projectNames(vault);
  const [likely] = rankProjects(note, projects, results);
  const shown = new Shown(parts, MAX_TOKENS);
  await shown.page("overview.md");
  // A run with material from outside proposes changes, and makes none to these.
  if (likely !== undefined && !isUntrusted) {
    for (const page of nearestFirst(likely, results)) await shown.page(page, LEFT_FOR_PASSAGES);
  }
  const passages = await shown.passages(results);
  await shown.page("profile.md", 0, MAX_PROFILE);
  return [
    `Today is ${weekday} ${localDay(today)}.`,
    await layoutText(vault, projects),
    ...shown.blocks,
    ...(passages === "" ? [] : [`Nearest to the note, by its words:\n${passages}`]),
  ].join("\n\n");
}

/** State and tasks of a project, the one first that the note is nearer to. */
function nearestFirst(project: string, results: z.infer<typeof Results>): VaultPath[] {
  const pages = ["state.md", "tasks.md"].map((name) => `projects/${project}/${name}`);
  const rank = (page: VaultPath): number => {
    const at = results.findIndex(({ path }) => path === showPath(page));
    return at < 0 ? results.length : at;
  };
  return pages.toSorted((a, b) => rank(a) - rank(b));
}

/** What is shown of the vault, within a number of tokens. */
class Shown {
  readonly blocks: string[] = [];
  readonly #parts: ContextParts;
  readonly #whole = new Set<VaultPath>();
  #left: number;

  constructor(parts: ContextParts, tokens: number) {
    this.#parts = parts;
    this.#left = tokens;
  }

  /**
   * Shows a page, whole if it fits, else its beginning; nothing when there is none, or others wrote it.
   * @param kept tokens that are left for what follows
   */
  async page(path: VaultPath, kept = 0, most = Number.POSITIVE_INFINITY): Promise<void> {
    const { vault, session, seen } = this.#parts;
    const file = (await isFromOutside(vault, path))
      ? null
      : await nullIfRefused(vault.openText(path));
    if (file === null) return;
    const room = charactersFor(Math.min(this.#left - kept, most));
    const head = file.head(Math.max(0, room) + MOST_FRONTMATTER).lines;
    const skipped = frontmatterLines(head);
    const width = numberWidth(file.totalLines);
    const lines: string[] = [];
    let cost = 0;
    for (const line of head.slice(skipped)) {
      cost += line.length + width + 4;
      if (cost > room) break;
      lines.push(line);
    }
    const range = { start: skipped + 1, end: skipped + lines.length };
    const isWhole = range.end === file.totalLines;
    if (lines.length === 0 || (!isWhole && room < charactersFor(MIN_PART))) return;
    seen.add(path, range);
    if (isWhole) {
      await session.ledger.saw(file.path, file.version);
      this.#whole.add(path);
    }
    const part = ` (lines ${formatRange(range)} of ${file.totalLines}; read it before you edit it)`;
    const header = showPath(path) + (isWhole ? "" : part);
    this.#add(block(header, numberLines(lines, range.start, width)));
  }

  /** The best passages that are not shown yet, and that are the person's own text. */
  async passages(results: z.infer<typeof Results>): Promise<string> {
    const { vault, seen } = this.#parts;
    const best = results[0]?.score ?? 0;
    const blocks: string[] = [];
    let room = Math.min(this.#left, MAX_PASSAGES);
    for (const { path: shown, score, text_lines: lines, best: bestLines } of results) {
      const { path } = parsePath(shown);
      if (blocks.length === PASSAGES || score < best * MIN_SHARE || room <= 0) break;
      if (this.#whole.has(path) || (await isFromOutside(vault, path))) continue;
      const from = lines.findIndex(({ number }) => number === bestLines[0]);
      const kept: { readonly number: number; readonly text: string }[] = [];
      for (const line of lines.slice(Math.max(0, from))) {
        room -= countTokens(line.text) + 2;
        if (room < 0 || kept.length === MAX_LINES) break;
        kept.push(line);
      }
      const [first, last] = [kept[0], kept.at(-1)];
      if (first === undefined || last === undefined) break;
      const range = { start: first.number, end: last.number };
      seen.add(path, range);
      const texts = kept.map(({ text }) => text);
      blocks.push(
        block(`${shown} (lines ${formatRange(range)})`, numberLines(texts, range.start, 2)),
      );
      room -= 20;
    }
    const text = blocks.join("\n");
    this.#left -= countTokens(text);
    return text;
  }

  #add(text: string): void {
    this.blocks.push(text);
    this.#left -= countTokens(text);
  }
}

/** Characters: a page has less of it. */
const MOST_FRONTMATTER = 2000;
/** Of one passage. */
const MAX_LINES = 6;
