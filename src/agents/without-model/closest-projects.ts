import { z } from "zod";

import { ReplacedBy } from "../../evidence/contract.ts";
import { wordsOf } from "../../text/words.ts";
import { nameOf } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { CallAs } from "../agent-run.ts";
import { foldersIn } from "../inbox/inbox.ts";

const Results = z.array(
  z.object({
    path: z.string(),
    lines: z.string(),
    heading: z.string().nullable(),
    score: z.number(),
    replaced: ReplacedBy.nullish(),
  }),
);

type Results = z.infer<typeof Results>;

export interface ClosestProjects {
  /** Best first. */
  readonly projects: readonly string[];
  readonly findings: Results;
}

const MAX_PROJECTS = 3;
const MAX_FINDINGS = 5;
const MAX_WORDS = 40;

/** Searches the vault for the words of a text; the projects with the best results are the closest. */
export async function closestProjects(
  text: string,
  vault: VaultReader,
  call: CallAs,
): Promise<ClosestProjects> {
  const findings = await searchWords(text, call, { limit: 20 });
  const projects = rankProjects(text, await projectNames(vault), findings);
  return { projects: projects.slice(0, MAX_PROJECTS), findings: findings.slice(0, MAX_FINDINGS) };
}

/** The projects that a text names, or that the search found most in, best first; those without any sign are left out. */
export function rankProjects(
  text: string,
  names: readonly string[],
  findings: readonly Pick<Results[number], "path" | "score">[],
): string[] {
  const scores = new Map<string, number>();
  const folded = ` ${fold(text)} `;
  for (const project of names) {
    const isNamed = folded.includes(` ${fold(project)} `);
    const found = findings.filter(({ path }) => path.startsWith(`vault/projects/${project}/`));
    const score = found.reduce((sum, each) => sum + each.score, isNamed ? 10 : 0);
    if (score > 0) scores.set(project, score);
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}

/** What `search` finds for the words of a text; nothing when it has none. */
export async function searchWords(
  text: string,
  call: CallAs,
  options: { readonly limit: number; readonly mode?: "fast" | "deep" },
): Promise<Results> {
  const query = queryOf(text);
  if (query === "") return [];
  const { structured } = await call("search", { queries: [query], ...options });
  return Results.safeParse(structured).data ?? [];
}

/** The words of a text as a query, without signs that have a meaning in queries. */
export function queryOf(text: string): string {
  const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’]*/gu)].map(([word]) => word);
  return words.slice(0, MAX_WORDS).join(" ");
}

export async function projectNames(vault: VaultReader): Promise<string[]> {
  return (await foldersIn(vault, "projects")).map((folder) => nameOf(folder));
}

/** Without case, accents and signs: `Sail loft` is `sail-loft`. */
export function fold(text: string): string {
  return wordsOf(text).join(" ");
}
