import { fold, wordsOf } from "../../text/words.ts";
import { joinPath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { StatedReplacement } from "../../index/search-index.ts";
import type { Finder, Finding, TidyContext } from "../finding.ts";
import { quoted } from "../units.ts";

const REPLACES = /^\s*(?:[-*+>]\s+)?(?:\*\*|__)?(?:Replaces|Remplace)\s*:/iu;
/** A line that speaks of what was is right to name the old value. */
const OLD =
  /\b(?:was|were|instead|before|formerly|previously|no longer|not|first|old|etait|etaient|au lieu|avant|ancien(?:ne)?s?|plus|pas|d.?abord)\b|~~/u;
/** Characters: a shorter old value stands in too much. */
const SHORTEST = 3;

/** Facts that an entry has replaced, and that a page of the same project, or the overview, still states as so. */
export const replacedFacts: Finder = {
  kind: "replaced",
  find: async (context) => {
    const lines = await linesStillSaying(await context.index.replacements.stated(), context);
    return lines.map((line) => findingOf(line));
  },
};

/** A line of a page that states an old value as so. */
export interface StaleLine extends Place {
  readonly text: string;
  /** What has replaced it. */
  readonly replacement: StatedReplacement;
}

/** The lines of the pages of what is so now that still state one of these old values. */
export async function linesStillSaying(
  all: readonly StatedReplacement[],
  context: Pick<TidyContext, "index" | "page" | "projects">,
): Promise<StaleLine[]> {
  const stated = all.filter(({ value }) => isTelling(value));
  if (stated.length === 0) return [];
  const found = await stillSaid("overview.md", new OldValues(stated), context);
  for (const [project, own] of Map.groupBy(stated, (each) => projectOf(each, context.projects))) {
    const values = new OldValues(own);
    for (const name of ["state.md", "description.md", "tasks.md"])
      found.push(...(await stillSaid(joinPath(project, name), values, context)));
  }
  return found;
}

/** The lines of these pages that still state one of these old values. */
export async function linesSaying(
  all: readonly StatedReplacement[],
  paths: Iterable<VaultPath>,
  context: Pick<TidyContext, "index" | "page">,
): Promise<StaleLine[]> {
  const values = new OldValues(all.filter(({ value }) => isTelling(value)));
  const found: StaleLine[] = [];
  for (const path of paths) found.push(...(await stillSaid(path, values, context)));
  return found;
}

/** Lines of a page that state an old value as so. */
async function stillSaid(
  path: VaultPath,
  values: OldValues,
  { index, page }: Pick<TidyContext, "index" | "page">,
): Promise<StaleLine[]> {
  const present = await page(path);
  const found: StaleLine[] = [];
  for (const [at, text] of (present?.lines ?? []).entries()) {
    const place = { path, line: (present?.skipped ?? 0) + at + 1 };
    const replacement = values.in(text, place);
    if (replacement === null || REPLACES.test(text) || OLD.test(fold(text))) continue;
    const { line } = place;
    // Shown as replaced already, wherever it is found.
    const known = await index.replacements.of(path, { start: line, end: line });
    if (known.length === 0) found.push({ ...place, text, replacement });
  }
  return found;
}

/** Old values, to look for in many lines: each by its first word. */
class OldValues {
  readonly #byWord = new Map<string, { words: string; stated: StatedReplacement }[]>();

  constructor(all: readonly StatedReplacement[]) {
    for (const stated of all) {
      const words = spelled(stated.value ?? "");
      const first = words.split(" ", 2)[1] ?? "";
      const known = this.#byWord.get(first) ?? [];
      this.#byWord.set(first, known);
      // Many entries replace one and the same value.
      if (!known.some((each) => each.words === words)) known.push({ words, stated });
    }
  }

  in(text: string, { path, line }: Place): StatedReplacement | null {
    const words = wordsOf(text);
    const said = ` ${words.join(" ")} `;
    for (const word of words) {
      for (const { words: value, stated } of this.#byWord.get(word) ?? [])
        if (said.includes(value) && !(stated.from === path && stated.line === line)) return stated;
    }
    return null;
  }
}

/** The project that a replaced fact is of: that of what it names, else of the entry itself; empty for none. */
function projectOf({ to, from }: StatedReplacement, projects: readonly VaultPath[]): VaultPath {
  const of = (path: VaultPath | null): VaultPath | undefined => {
    const name = /^(projects\/[^/]+)\//u.exec(path ?? "")?.[1];
    return name !== undefined && projects.includes(name) ? name : undefined;
  };
  return of(to) ?? of(from) ?? "";
}

function isTelling(value: string | null): value is string {
  return value !== null && wordsOf(value).join("").length >= SHORTEST;
}

function spelled(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

interface Place {
  readonly path: VaultPath;
  readonly line: number;
}

function findingOf({ path, line, text, replacement }: StaleLine): Finding {
  const { from, value, line: at } = replacement;
  const [place, newer] = [`${showPath(path)}:${line}`, `${showPath(from)}:${at}`];
  return {
    kind: "replaced",
    title: {
      en: `${place} still says ${value ?? ""}, which ${newer} has replaced: ${quoted(text)}`,
      fr: `${place} dit encore ${value ?? ""}, que ${newer} a remplacé : ${quoted(text)}`,
    },
    path,
    line,
    changes: [],
    canBeWorded: true,
  };
}
