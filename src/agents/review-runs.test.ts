import { describe, expect, it } from "vitest";

import { agentHome, type AgentHome } from "../testing/agent-home.ts";
import { sourceOf } from "../testing/models/review-questions.ts";
import { demoNow, demoVault, reviewRuns } from "../testing/models/review-runs.ts";
import { countTokens } from "../text/tokens.ts";

const notes = reviewRuns.filter(({ kind }) => kind === "note");
const questions = reviewRuns.filter(({ kind }) => kind === "question");

/** Of each request, in tokens: what the model can do, and what was said. */
function sizesOf({ model }: AgentHome): number[] {
  return model.requests.map(({ body }) => {
    const { tools, messages } = JSON.parse(body);
    return countTokens(JSON.stringify(tools) + JSON.stringify(messages));
  });
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

describe("the runs of the review, on the demo vaults", () => {
  it("are 42", () => {
    expect([notes.length, questions.length]).toEqual([22, 20]);
  });

  it.each(notes)("$lang, $name: $outcome, in at most three turns", async (run) => {
    const home = await agentHome(demoVault(run.lang), run.script, { now: demoNow });
    await home.service.settled();
    const images = run.image === undefined ? [] : [{ name: "floor.png", data: run.image }];
    const { report } = await home.remember(run.text, { images });
    const failed = home.events.filter((event) => event.type === "result" && event.isError);
    expect(failed).toEqual([]);
    expect(report).toMatchObject({ outcome: run.outcome });
    expect(home.model.requests.length).toBeLessThanOrEqual(3);
    const sizes = sizesOf(home);
    expect(sizes[0]).toBeLessThanOrEqual(3000);
    if (run.name === "one fact") expect(sum(sizes)).toBeLessThan(12_000);
    const [file, text] = run.leaves ?? [];
    if (file !== undefined) expect(home.read(file)).toContain(text);
    if (run.outcome === "inbox") {
      expect(home.read(`inbox/${report?.inbox}/original.md`)).toContain(run.text);
      expect(home.read("overview.md")).toMatch(/^2 (?:items waiting|éléments en attente)\.$/mu);
    }
    expect(home.bugs).toEqual([]);
  });

  it.each(questions)("$lang, $name: $outcome, in at most two turns", async (run) => {
    const home = await agentHome(demoVault(run.lang), run.script, { now: demoNow });
    await home.service.settled();
    const { sources, steps, answer } = await home.memory.recall(run.text);
    expect(steps).toBeLessThanOrEqual(2);
    expect(sum(sizesOf(home))).toBeLessThan(6000);
    const source = sourceOf(run.lang, run.text);
    if (source === undefined) expect({ sources, answer }).toMatchObject({ sources: [] });
    else expect(sources[0]?.path).toContain(source);
    expect(home.bugs).toEqual([]);
  });
});
