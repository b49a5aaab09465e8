import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { measure, type Question } from "../../bench/retrieval-measure.ts";
import { createTeamIndex, MemoryIndex } from "../../src/index/create-index.ts";
import type { IndexedFile, SearchIndex } from "../../src/index/search-index.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

const DEMO = path.join(import.meta.dirname, "..", "..", "templates", "demo");

/** Questions about the two vaults that coffre brings for a try, and the notes that answer them, the best first. */
const ASKED: readonly (readonly [query: string, ...files: string[]])[] = [
  ["how much is the rent of the loft", "en/projects/sail-loft/bucket/lease-extract.md"],
  ["who is the landlord", "en/profile.md", "en/projects/sail-loft/bucket/lease-extract.md"],
  [
    "which electrician is cheaper",
    "en/projects/sail-loft/bucket/2026-11-01-mail-electrics-quotes.md",
  ],
  [
    "back door opens inwards",
    "en/projects/sail-loft/state.md",
    "en/projects/sail-loft/changelog.md",
  ],
  ["visit of the fire officer", "en/projects/sail-loft/changelog.md"],
  ["how many wheels", "en/projects/sail-loft/description.md"],
  ["kiln room on the plan", "en/projects/sail-loft/bucket/2026-10-28-site-meeting.md"],
  ["deposit for the trailer", "en/projects/sail-loft/tasks.md"],
  ["why was the departure moved", "en/projects/istanbul-by-train/changelog.md"],
  ["night train from Vienna to Bucharest", "en/projects/istanbul-by-train/state.md"],
  [
    "flat in Kadıköy price a night",
    "en/projects/istanbul-by-train/bucket/2026-11-10-mail-flat-kadikoy.md",
  ],
  ["what to pack", "en/projects/istanbul-by-train/bucket/packing-list.md"],
  ["renew passport", "en/projects/istanbul-by-train/tasks.md"],
  ["Belgrade line", "en/projects/istanbul-by-train/bucket/2026-10-27-call-with-jonah.md"],
  ["plates for the Cormorant", "en/bucket/2026-11-13-mail-cormorant-plates.md", "en/changelog.md"],
  ["crystals in a glaze when it cools slowly", "en/bucket/article-slow-cooling.md"],
  ["who feeds Biscuit", "en/tasks.md"],
  ["restaurant orders above 40 pieces", "en/changelog.md"],
  ["loyer de la voilerie", "fr/projects/voilerie/bucket/extrait-du-bail.md"],
  ["devis de l'électricité", "fr/projects/voilerie/bucket/2026-11-01-mail-devis-electricite.md"],
  ["réunion de chantier", "fr/projects/voilerie/bucket/2026-10-28-reunion-de-chantier.md"],
  ["liste de bagages", "fr/projects/istanbul-en-train/bucket/liste-de-bagages.md"],
  [
    "appartement à Kadıköy",
    "fr/projects/istanbul-en-train/bucket/2026-11-10-mail-appartement-kadikoy.md",
  ],
  ["renouveler le passeport", "fr/projects/istanbul-en-train/tasks.md"],
  ["appel avec Jonas", "fr/projects/istanbul-en-train/bucket/2026-10-27-appel-avec-jonas.md"],
  ["refroidissement lent des émaux", "fr/bucket/article-refroidissement-lent.md"],
  ["assiettes du Cormoran", "fr/bucket/2026-11-13-mail-assiettes-cormoran.md"],
  ["pourquoi le départ est décalé", "fr/projects/istanbul-en-train/changelog.md"],
  ["porte qui s'ouvre vers l'intérieur", "fr/projects/voilerie/state.md"],
  ["nombre de tours de potier", "fr/projects/voilerie/description.md"],
];

const QUESTIONS: readonly Question[] = ASKED.map(([query, ...files]) => ({
  id: query,
  query,
  expected: files.map((file, at) => ({ file, start: 1, end: 1, rel: at === 0 ? 2 : 1 })),
}));

function notes(): IndexedFile[] {
  const names = readdirSync(DEMO, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({
      path: name.split(path.sep).join("/"),
      text: readFileSync(path.join(DEMO, name), "utf8"),
      updated: "2026-11-16T10:00:00",
      signature: name,
    }));
}

/** The ten best files for every question. */
async function found(index: SearchIndex): Promise<ReadonlyMap<string, readonly string[]>> {
  await index.load(notes());
  const all = new Map<string, readonly string[]>();
  for (const { query } of QUESTIONS) {
    const request = { mode: "fast", scope: null, limit: 50, from: null, to: null } as const;
    const { hits } = await index.search({ ...request, queries: [query] });
    all.set(query, [...new Set(hits.map((hit) => hit.path))].slice(0, 10));
  }
  return all;
}

function ndcg(answers: ReadonlyMap<string, readonly string[]>): number {
  const answer = (query: string) => ({ files: answers.get(query) ?? [], shown: [], tokens: 0 });
  return measure(QUESTIONS, new Map(), answer).ndcg;
}

it("what a database finds is as good as what SQLite finds, within .005", async () => {
  const known = new Set(notes().map((note) => note.path));
  expect(QUESTIONS.flatMap((each) => each.expected).filter(({ file }) => !known.has(file))).toEqual(
    [],
  );
  const database = await teamDatabase({ url: await emptyDatabase() });
  const team = await found(await createTeamIndex(database, await makeVaultRow(database, "demo")));
  const memory = new MemoryIndex();
  const local = await found(memory);
  await memory.close();
  // Questions that neither answers would say nothing.
  expect(ndcg(local)).toBeGreaterThan(0.7);
  expect(Math.abs(ndcg(team) - ndcg(local))).toBeLessThanOrEqual(0.005);
  const first = (answers: typeof team): (string | undefined)[] =>
    QUESTIONS.map(({ query }) => answers.get(query)?.[0]);
  expect(first(team)).toEqual(first(local));
});
