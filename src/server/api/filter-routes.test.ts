import { expect, it } from "vitest";
import { z } from "zod";

import { startPage } from "../testing/page.ts";
import { FiltersAnswer } from "./contract.ts";

const FILES = {
  "a.md": "---\nstatus: actif\ntags: [work/clients, Été]\nproject: Istanbul by train\n---\n\nUn\n",
  "b.md": "---\nstatus: actif\ntags: [work]\n---\n\nDeux\n",
  "béton/armé/c.md": "---\nstatus: fait\n---\n\nTrois #work\n",
  "tasks.md": "# Pompe\nstatus: en-cours | prio: haute\n\nx\n",
};

const Found = z.object({ structured: z.array(z.object({ path: z.string() })) });

const COMPLETIONS: readonly (readonly [string, readonly string[]])[] = [
  ["sta", ["status: (4)"]],
  ["-sta", ["-status: (4)"]],
  ["t", ["tag: (3)"]],
  ["pr", ["prio: (1)", "project: (1)"]],
  ["tag:wo", ["tag:work (2)", "tag:work/clients (1)"]],
  ["tags:#cli", []],
  ["tag:ete", ["tag:Été (1)"]],
  ["status:", ["status:actif (2)", "status:en-cours (1)", "status:fait (1)"]],
  ["STATUS:F", ["STATUS:fait (1)"]],
  ['project:"istanbul b', ['project:"Istanbul by train" (1)']],
  ["project:train", ['project:"Istanbul by train" (1)']],
  ["path:beton", ["path:béton/ (1)", "path:béton/armé/ (1)"]],
  ["path:arm", ["path:béton/armé/ (1)"]],
  ["10:3", []],
  ["https://ex", []],
  ["rien:", []],
];

it("completes keys and values, those of most files first, as they are written", async () => {
  const page = await startPage({ files: FILES });
  for (const [typed, expected] of COMPLETIONS) {
    const { text } = await page.call(`/api/filters?typed=${encodeURIComponent(typed)}`);
    const { filters } = FiltersAnswer.parse(JSON.parse(text));
    expect([typed, filters.map((each) => `${each.text} (${each.files})`)]).toEqual([
      typed,
      expected,
    ]);
  }
});

it("what it completes is found: in any case, with accents or without", async () => {
  const page = await startPage({ files: FILES });
  const found = async (query: string): Promise<unknown> => {
    const { text } = await page.call("/api/tools/search?profile=search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ queries: [query] }),
    });
    const { structured } = Found.parse(JSON.parse(text));
    return structured.map(({ path }) => path);
  };
  for (const query of ["path:béton/", "path:beton", "path:BÉTON/ARM", "status:fait"])
    expect([query, await found(query)]).toEqual([query, ["vault/béton/armé/c.md"]]);
  for (const query of ["tag:Été", "tag:ete", 'project:"Istanbul by train"'])
    expect([query, await found(query)]).toEqual([query, ["vault/a.md"]]);
});

it("says what is missing", async () => {
  const page = await startPage({ files: FILES });
  expect((await page.call("/api/filters")).status).toBe(400);
});
