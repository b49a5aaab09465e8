import { z } from "zod";

import { wordsOf } from "../../text/words.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { CallAs } from "../agent-run.ts";

const Results = z.array(
  z.object({
    path: z.string(),
    lines: z.string(),
    heading: z.string().nullable(),
    score: z.number(),
  }),
);

export interface ClosestProjects {
  /** Best first. */
  readonly projects: readonly string[];
  readonly findings: z.infer<typeof Results>;
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
  const query = queryOf(text);
  const result = query === "" ? null : await call("search", { queries: [query], limit: 20 });
  const findings = Results.safeParse(result?.structured).data ?? [];
  const scores = new Map<string, number>();
  const folded = ` ${fold(text)} `;
  for (const project of await projectNames(vault)) {
    const isNamed = folded.includes(` ${fold(project)} `);
    const found = findings.filter(({ path }) => path.startsWith(`vault/projects/${project}/`));
    const score = found.reduce((sum, each) => sum + each.score, isNamed ? 10 : 0);
    if (score > 0) scores.set(project, score);
  }
  const projects = [...scores].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  return { projects: projects.slice(0, MAX_PROJECTS), findings: findings.slice(0, MAX_FINDINGS) };
}

/** The words of a text as a query, without signs that have a meaning in queries. */
export function queryOf(text: string): string {
  const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’]*/gu)].map(([word]) => word);
  return words.slice(0, MAX_WORDS).join(" ");
}

export async function projectNames(vault: VaultReader): Promise<string[]> {
  if ((await vault.find("projects")).kind !== "folder") return [];
  return (await vault.list("projects"))
    .filter(({ kind }) => kind === "folder")
    .map(({ path }) => path.slice("projects/".length));
}

/** Without case, accents and signs: `Sail loft` is `sail-loft`. */
export function fold(text: string): string {
  return wordsOf(text).join(" ");
}
