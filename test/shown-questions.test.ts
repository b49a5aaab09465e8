import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createService } from "../src/compose.ts";
import { demoNow, demoVault } from "../src/testing/models/review-runs.ts";
import { temporaryFolder, writeFiles } from "../src/testing/temporary-vault.ts";

const root = path.join(import.meta.dirname, "..");

/** The questions that the documents show, and what must come first for each, without a model: a file, and words of the section or passage. */
const ANSWERS: Readonly<Record<string, readonly [string, RegExp]>> = {
  "kiln electricity": ["projects/sail-loft/changelog.md", /electrics/u],
  "who does the electrics?": ["projects/sail-loft/changelog.md", /Polmear does the electrics/u],
  "why did we move the opening?": ["projects/sail-loft/changelog.md", /Opening moved/u],
  "who teaches with me?": ["profile.md", /Bea Okafor/u],
  "opening moved": ["projects/sail-loft/changelog.md", /Opening moved/u],
  "what does the fire officer refuse": ["projects/sail-loft/changelog.md", /fire officer/u],
};

const SHOWN = /coffre (search|recall) "([^"]+)"/gu;

function questionsIn(file: string): { readonly command: string; readonly question: string }[] {
  const text = readFileSync(path.join(root, file), "utf8");
  return [...text.matchAll(SHOWN)].map(([, command = "", question = ""]) => ({
    command,
    question,
  }));
}

it.each(["README.md", "docs/use.md", "docs/deep-search.md"])(
  "the questions in %s bring the right section of the demo first",
  async (file) => {
    const questions = questionsIn(file);
    expect(questions.length).toBeGreaterThan(0);
    const notes = temporaryFolder();
    writeFiles(notes, demoVault("en"));
    const service = await createService({
      root: notes,
      state: temporaryFolder(),
      isWatching: false,
      now: demoNow,
      memory: {
        model: null,
        onBug: (error) => {
          throw error;
        },
      },
    });
    onTestFinished(() => service.close());
    await service.settled();
    for (const { command, question } of questions) {
      const [wanted, words] = ANSWERS[question] ?? ["an answer in this test", /-/u];
      const answer = command === "recall" ? await service.memory?.recall(question) : undefined;
      if (answer !== undefined) {
        const [first] = answer.passages;
        expect([question, first?.path]).toEqual([question, `vault/${wanted}`]);
        expect(first?.text_lines.map(({ text }) => text).join(" ")).toMatch(words);
        // What search does not cover, only recall finds.
        if (wanted === "profile.md") continue;
      }
      for (const mode of ["fast", "deep"] as const) {
        const request = { mode, scope: null, limit: 3, from: null, to: null };
        const { hits } = await service.index.search({ ...request, queries: [question] });
        expect([question, hits[0]?.path]).toEqual([question, wanted]);
        expect(hits[0]?.headings.join(" ")).toMatch(words);
      }
    }
  },
);
