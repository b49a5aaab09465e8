import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { MemoryIndex } from "../src/index/create-index.ts";
import { fillIndex } from "../src/index/fill-index.ts";
import { temporaryFolder } from "../src/testing/temporary-vault.ts";
import { createVault } from "../src/vault/vault.ts";

const root = path.join(import.meta.dirname, "..");

/** The questions that the documents show, and what must come first for each, without a model: a file, and words of its section. */
const ANSWERS: Readonly<Record<string, readonly [string, RegExp]>> = {
  "kiln electricity": ["projects/sail-loft/changelog.md", /electrics/u],
  "who does the electrics?": ["projects/sail-loft/changelog.md", /Polmear does the electrics/u],
  "why did we move the opening?": ["projects/sail-loft/changelog.md", /Opening moved/u],
  "opening moved": ["projects/sail-loft/changelog.md", /Opening moved/u],
  "what does the fire officer refuse": ["projects/sail-loft/changelog.md", /fire officer/u],
};

const SHOWN = /coffre (?:search|recall) "([^"]+)"/gu;

function questionsIn(file: string): string[] {
  const text = readFileSync(path.join(root, file), "utf8");
  return [...text.matchAll(SHOWN)].map(([, question]) => question ?? "");
}

it.each(["README.md", "docs/use.md", "docs/deep-search.md"])(
  "the questions in %s bring the right section of the demo first",
  async (file) => {
    const questions = questionsIn(file);
    expect(questions.length).toBeGreaterThan(0);
    const demo = path.join(root, "templates/demo/en");
    const index = new MemoryIndex();
    await fillIndex(createVault({ root: demo, state: temporaryFolder() }), index);
    for (const question of questions) {
      for (const mode of ["fast", "deep"] as const) {
        const request = { mode, scope: null, limit: 3, from: null, to: null };
        const { hits } = await index.search({ ...request, queries: [question] });
        const [wanted, heading] = ANSWERS[question] ?? ["an answer in this test", /-/u];
        expect([question, hits[0]?.path]).toEqual([question, wanted]);
        expect(hits[0]?.headings.join(" ")).toMatch(heading);
      }
    }
    await index.close();
  },
);
