import { createHash } from "node:crypto";

import { describe, expect, it } from "vitest";

import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call } from "../../testing/models/house-script.ts";
import type { ScriptedTurn } from "../../testing/models/scripted-model.ts";
import type { RecallAnswer } from "../contract.ts";

const QUOTES = "vault/projects/house/bucket/2026-11-03-mail-quotes.md";
const STATE = "vault/projects/boat/state.md";
const CHANGELOG = "projects/house/changelog.md";

/** The lines of a file that have some words, as `9-9`: the program stamps files when it likes, so their numbers are not fixed. */
function lineOf({ read }: AgentHome, file: string, words: string): string {
  const at =
    read(file)
      .split("\n")
      .findIndex((line) => line.includes(words)) + 1;
  return `${at}-${at}`;
}

/** Asks a model that answers with this overview and these sources, once the program has stamped all files. */
async function asked(
  overview: string,
  files: (home: AgentHome) => readonly object[],
  before: (home: AgentHome) => Promise<unknown> = async () => {},
): Promise<{ home: AgentHome; answer: RecallAnswer }> {
  let turn: ScriptedTurn = { text: "" };
  const home = await agentHome(houseFiles, () => turn);
  await home.service.settled();
  await before(home);
  await home.service.settled();
  turn = { text: overview, calls: [call("concat", { files: files(home) })] };
  return { home, answer: await home.memory.recall("Who does the roof, and for how much?") };
}

const files = (home: AgentHome): object[] => [
  { path: QUOTES, lines: lineOf(home, QUOTES.slice(6), "Hale: 4,300") },
  { path: STATE, lines: lineOf(home, STATE.slice(6), "Asleep") },
];

describe("the evidence of an answer", () => {
  it("is a line for each source with the hash of its lines, above the line of dashes", async () => {
    const overview = "The roof is done by Hale for 4,300 [1]. The boat sleeps until spring [2].";
    const { home, answer } = await asked(overview, files);
    const [head = "", ...blocks] = answer.answer.split("\n\n---\n\n");
    const lines = answer.evidence.map(({ mark, path, lines: range, sha256 }) => {
      const [at = 1] = range.split("-").map(Number);
      const text = home.read(path.slice("vault/".length)).split("\n")[at - 1];
      expect(sha256).toBe(createHash("sha256").update(`${text}\n`).digest("hex"));
      return `[${mark}] ${path}:${range} · sha256:${sha256}`;
    });
    expect(lines).toHaveLength(2);
    expect(head).toBe(`${overview}\n\n${lines.join("\n")}`);
    expect(blocks).toHaveLength(1);
    expect(answer).toMatchObject({ overview, doubts: [] });
    expect(home.model.requests.at(-1)?.body).toContain("End every sentence of the overview");
  });

  it("says which sentences name no source, and which figures, dates and names their sources lack", async () => {
    const overview = "The roof is done by Hale for 4,310 [1]. It was agreed with Zoltan on 5 May.";
    const { answer } = await asked(overview, files);
    expect(answer.doubts).toEqual([
      { sentence: "The roof is done by Hale for 4,310.", kind: "not_in_source", values: ["4,310"] },
      { sentence: "It was agreed with Zoltan on 5 May.", kind: "no_mark", values: [] },
      {
        sentence: "It was agreed with Zoltan on 5 May.",
        kind: "not_in_source",
        values: ["5 May", "Zoltan"],
      },
    ]);
    expect(answer.answer).toContain(
      [
        "",
        "No source named: “It was agreed with Zoltan on 5 May.”",
        "Not in the cited lines: 4,310 · 5 May · Zoltan",
        "",
        "---",
      ].join("\n"),
    );
  });

  it("numbers the sources as the model's call does, though one is not there", async () => {
    const overview = "The roof is done by Hale for 4,300, says the mail [2].";
    const { answer } = await asked(overview, (home) => [
      { path: "vault/none.md" },
      files(home)[0] ?? {},
    ]);
    expect(answer.evidence.map(({ mark, path }) => [mark, path])).toEqual([[2, QUOTES]]);
    expect(answer.doubts).toEqual([]);
  });

  it("says what a source was replaced by, when a model cites it all the same", async () => {
    const overview = "The roof is done by Hale for 4,300 [1]. The boat sleeps until spring [2].";
    const { answer } = await asked(overview, files, async ({ write, service }) => {
      write(
        CHANGELOG,
        `# 2026-11-16\n\n## Hale asks more\nNow 4,450.\nReplaces: [[projects/house/bucket/2026-11-03-mail-quotes#Quotes]] (4,300)\n`,
      );
      await service.rescan();
    });
    expect(answer.evidence[0]?.replaced).toMatchObject({
      path: `vault/${CHANGELOG}`,
      date: "2026-11-16",
      value: "4,300",
    });
    expect(answer.answer).toMatch(
      /^\[1\] .* · sha256:[\da-f]{64} · replaced 2026-11-16 → vault\/projects\/house\/changelog\.md lines \d+-\d+$/mu,
    );
    expect(answer.evidence[1]?.replaced).toBeNull();
  });
});
