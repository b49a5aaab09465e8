import { ExpectedError } from "../errors.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { collide } from "./edit-lines.ts";
import type { Finder, Finding, ProposedChange, TidyContext } from "./finding.ts";
import { deadLinks } from "./finders/dead-links.ts";
import { duplicateFiles } from "./finders/duplicate-files.ts";
import { inboxCount } from "./finders/inbox-count.ts";
import { longChangelog } from "./finders/long-changelog.ts";
import { overdueTasks } from "./finders/overdue-tasks.ts";
import { overviewUnlikeState } from "./finders/overview-unlike-state.ts";
import { pastDates } from "./finders/past-dates.ts";
import { replacedFacts } from "./finders/replaced-facts.ts";
import { sameDay } from "./finders/same-day.ts";
import { pageReader } from "./pages.ts";

/** All finders, in the order in which their findings are shown. */
export const FINDERS: readonly Finder[] = [
  inboxCount,
  overviewUnlikeState,
  replacedFacts,
  pastDates,
  overdueTasks,
  sameDay,
  longChangelog,
  duplicateFiles,
  deadLinks,
];

const OURS = new Set(["projects", "bucket", "inbox", "drop"]);

/** What the finders look at in a vault as it is now. */
export async function contextOf(
  parts: Pick<TidyContext, "vault" | "index" | "today" | "inbox"> &
    Partial<Pick<TidyContext, "isThere">>,
): Promise<TidyContext> {
  const { vault } = parts;
  const folders = await foldersIn(vault, "");
  const projects: VaultPath[] = [];
  for (const folder of await foldersIn(vault, "projects"))
    if (await hasOwnPages(vault, folder)) projects.push(folder);
  const isOurs = projects.length > 0 || folders.every((folder) => OURS.has(folder));
  const page = pageReader(vault);
  return {
    isThere: async (path) => (await vault.find(path)).kind !== "missing",
    ...parts,
    isOurs,
    projects,
    // In a vault with another structure, files that are called like ours mean something else.
    page: async (path) => (isOurs || !isOwnName(path) ? page(path) : null),
  };
}

/** Other people call a folder projects too: a project of ours has a page that ours have, or a bucket. */
async function hasOwnPages(vault: VaultReader, folder: VaultPath): Promise<boolean> {
  const listed = await vault.list(folder);
  return listed.some(({ name }) =>
    /^(?:state\.md|description\.md|tasks\.md|changelog\.md|bucket)$/u.test(name),
  );
}

/** The root files that only our layout has. */
function isOwnName(path: VaultPath): boolean {
  return /^(?:overview|tasks|changelog)\.md$/u.test(path);
}

async function foldersIn(vault: VaultReader, folder: VaultPath): Promise<VaultPath[]> {
  try {
    if (folder !== "" && (await vault.find(folder)).kind !== "folder") return [];
    const listed = await vault.list(folder);
    return listed.filter(({ kind }) => kind === "folder").map(({ path }) => path);
  } catch (error) {
    if (error instanceof ExpectedError) return [];
    throw error;
  }
}

/** All that is untidy. What two findings would change in the same lines, only the first of them changes: the other is found the next time. */
export async function findAll(context: TidyContext): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { find } of FINDERS) found.push(...(await find(context)));
  return withoutCollisions(found);
}

/** Findings whose changes can be made in any selection: those that stand against an earlier one are left out. */
export function withoutCollisions(findings: readonly Finding[]): Finding[] {
  const taken = new Map<VaultPath, ProposedChange[]>();
  return findings.filter(({ changes }) => {
    const isFree = changes.every((change) =>
      (taken.get(change.path) ?? []).every((other) => !areOpposed(change, other)),
    );
    if (isFree)
      for (const change of changes)
        taken.set(change.path, [...(taken.get(change.path) ?? []), change]);
    return isFree;
  });
}

function areOpposed(a: ProposedChange, b: ProposedChange): boolean {
  if (a.kind !== "edit" || b.kind !== "edit") return true;
  return a.edits.some((one) => b.edits.some((other) => collide(one, other)));
}
