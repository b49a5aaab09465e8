import { localDay } from "../../text/local-time.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";
import type { CallAs } from "../agent-run.ts";
import { projectNames, queryOf, rankProjects } from "../without-model/closest-projects.ts";
import { FoundPassages, Shown, type ShownParts } from "./shown.ts";
import { layoutText } from "./vault-layout.ts";

/** Tokens of all pages and passages: with the instructions and the tools, a first request of about 3,000. */
const MAX_TOKENS = 880;
/** Of them, what pages leave to passages. */
const LEFT_FOR_PASSAGES = 100;
const MAX_PROFILE = 120;
/** Tokens of a usual note and what is said around it; what a longer one has more, is taken from what is shown of the vault. */
const USUAL_NOTE = 80;
/** What is shown of the vault beside the longest note: the map of a small one. */
const MIN_TOKENS = 200;

interface ContextParts extends ShownParts {
  readonly now: () => Date;
  readonly call: CallAs;
}

/** What an update is about. */
interface Subject {
  /** What is looked for. */
  readonly note: string;
  readonly isUntrusted: boolean;
  /** Tokens of the message that carries it. */
  readonly tokens: number;
}

/**
 * What an update begins with, so that a plain fact needs no call to look: the day, the shape of the vault, the map, the person, the pages of
 * the project that the note seems to concern, and the passages nearest to it. Only text that is the person's own.
 */
export async function updateContext(
  { note, isUntrusted, tokens }: Subject,
  parts: ContextParts,
): Promise<string> {
  const { vault, now, call } = parts;
  const today = now();
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long" }).format(today);
  const query = queryOf(note);
  const found = query === "" ? [] : await call("search", { queries: [query], limit: 20 });
  const results = Array.isArray(found)
    ? []
    : (FoundPassages.safeParse(found.structured).data ?? []);
  const projects = await projectNames(vault);
  const [likely] = rankProjects(note, projects, results);
  const room = MAX_TOKENS - Math.max(0, tokens - USUAL_NOTE);
  const shown = new Shown(parts, Math.max(MIN_TOKENS, room));
  await shown.map("overview.md", likely);
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
function nearestFirst(project: string, results: FoundPassages): VaultPath[] {
  const pages = ["state.md", "tasks.md"].map((name) => `projects/${project}/${name}`);
  const rank = (page: VaultPath): number => {
    const at = results.findIndex(({ path }) => path === showPath(page));
    return at < 0 ? results.length : at;
  };
  return pages.toSorted((a, b) => rank(a) - rank(b));
}
