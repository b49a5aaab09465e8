import { createHash } from "node:crypto";

import { expect } from "vitest";

import { temporaryPlace } from "../../src/cli/testing/cli.ts";
import { call } from "../../src/testing/models/house-script.ts";
import type { ScriptedTurn } from "../../src/testing/models/scripted-model.ts";
import type { RecallScene, Scripts } from "./recall-scene.ts";
import { named, type Statement } from "./statement.ts";
import { block, headers, onDisk } from "./vault.ts";

const STATE = "vault/projects/lantern/state.md";
const TASKS = "vault/projects/lantern/tasks.md";
const OVERVIEW =
  "The lantern waits for its dome: the glazier comes in May [1].\nUntil then it has plain glass [1].\nThe state says so in its last section [1].";
const LONG = Array.from(
  { length: 7 },
  (_, at) => `A line ${"and another ".repeat(at)}of too long an overview [1].`,
).join("\n");

const joined = (...files: readonly unknown[]): ScriptedTurn => ({
  text: OVERVIEW,
  calls: [call("concat", { files })],
});
const range = joined({ path: STATE, lines: "13-14" }, { path: TASKS });

/** Questions, and what the model does when it is asked them. */
export const RECALL_SCRIPTS: Scripts = {
  "why plain glass": [{ calls: [call("search", { queries: ["plain glass"] })] }, range],
  "what has it to do first": [
    { calls: [call("read", { paths: STATE })] },
    { ...range, text: "" },
    { text: OVERVIEW },
  ],
  "who talks too much": [{ ...range, text: LONG }, { text: OVERVIEW }],
  "who never stops talking": [{ ...range, text: LONG }, { text: LONG }, { text: OVERVIEW }],
  "what if a path is wrong": [
    joined({ path: "vault/none.md" }, { path: STATE, lines: "13-14" }),
    { text: OVERVIEW },
  ],
  "what if it never assembles": [
    { calls: [call("read", { paths: STATE })] },
    { text: OVERVIEW },
    { text: "It is in what I said." },
  ],
  "does the searcher have its tools": [range],
  "does the filer have its tools": [
    { calls: [call("concat", { files: [{ path: STATE }] })] },
    { text: "KNOWN: all of it." },
  ],
};

/** What the program itself says below the overview: each source with the hash of its lines. */
function evidence({ place }: RecallScene): string {
  const tasks = onDisk(place, TASKS.slice(6));
  const state = onDisk(place, STATE.slice(6)).split("\n").slice(12, 14);
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const last = tasks.trimEnd().split("\n").length;
  return [
    `[1] ${STATE}:13-14 · sha256:${sha256(state.map((line) => `${line}\n`).join(""))}`,
    `[2] ${TASKS}:1-${last} · sha256:${sha256(tasks)}`,
  ].join("\n");
}

/** The whole document for {@link range}. */
function document(scene: RecallScene, overview = OVERVIEW): string {
  const { place } = scene;
  const part = { from: 13, to: 14, header: `${STATE} (lines 13-14)` };
  const state = block(STATE, onDisk(place, STATE.slice(6)), part);
  const head = `${overview}\n\n${evidence(scene)}`;
  return `${head}\n\n---\n\n${state}\n\n${block(TASKS, onDisk(place, TASKS.slice(6)))}`;
}

/** The requests to the model that are about a question, over all doors. */
function asked({ model }: RecallScene, question: string): string[] {
  return model.requests.filter(({ body }) => body.includes(question)).map(({ body }) => body);
}

/** Asks over one door after the other. */
async function overDoors(
  { doors }: RecallScene,
  question: string,
  check: (answer: string) => void,
): Promise<void> {
  for (const { name, recall } of doors) await named(name, recall(question).then(check));
}

/** What the search agent answers, with `concat` as its last step. */
export const RECALL: readonly Statement<RecallScene>[] = [
  {
    states:
      "an answer is the overview, the program's lines with the hash of each source, an empty line, three dashes, an empty line and what concat gave, to the byte, whoever asks",
    check: async (scene) => {
      await overDoors(scene, "why plain glass?", (answer) => expect(answer).toBe(document(scene)));
    },
  },
  {
    states: "the overview is what the model wrote before or with its concat, and not the program's",
    check: async (scene) => {
      await overDoors(scene, "why plain glass?", (answer) =>
        expect(answer.split("\n\n---\n\n")[0]).toBe(`${OVERVIEW}\n\n${evidence(scene)}`),
      );
    },
  },
  {
    states: "an overview that comes after concat is put before its sources all the same",
    check: async (scene) => {
      await overDoors(scene, "what has it to do first?", (answer) =>
        expect(answer).toBe(document(scene)),
      );
    },
  },
  {
    states: "the agent is told to write 2 to 5 lines, and such an overview is taken as it is",
    check: async (scene) => {
      const [before, door] = [asked(scene, "why plain glass").length, scene.doors[0]];
      await door?.recall("why plain glass?");
      const bodies = asked(scene, "why plain glass").slice(before);
      expect(bodies).toHaveLength(2);
      expect(bodies[0]).toContain("2 to 5 lines");
    },
  },
  {
    states: "a longer overview is asked for again",
    check: async (scene) => {
      await overDoors(scene, "who talks too much?", (answer) =>
        expect(answer).toBe(document(scene)),
      );
    },
  },
  {
    states: "it is asked for again only once",
    check: async (scene) => {
      const before = asked(scene, "who never stops talking").length;
      const answer = await scene.doors[0]?.recall("who never stops talking?");
      expect(answer).toBe(document(scene, LONG));
      expect(asked(scene, "who never stops talking").length - before).toBe(2);
    },
  },
  {
    states: "a concat that fails in part still gives the rest, and says what is missing",
    check: async (scene) => {
      await overDoors(scene, "what if a path is wrong?", (answer) => {
        expect(answer).toContain(`\n\n---\n\n\`\`\`${STATE} (lines 13-14)\n`);
        expect(answer.startsWith(`${OVERVIEW}\n\n[2] ${STATE}:13-14 · sha256:`)).toBe(true);
        expect(answer).toContain("vault/none.md does not exist");
      });
    },
  },
  {
    states:
      "a whole file that the program assembles from what was read has the path alone as header",
    check: async (scene) => {
      await overDoors(scene, "what if it never assembles?", (answer) =>
        expect(headers(answer)).toEqual([STATE]),
      );
    },
  },
  {
    states: "a whole file that is found without a model has the path alone as header",
    check: async () => {
      const place = temporaryPlace({ "pump.md": "The pump leaks\n" });
      const { stdout } = await place.run(["recall", "which pump leaks?"]);
      expect(headers(stdout)).toEqual(["vault/pump.md"]);
    },
  },
  {
    states: "the search agent has tree, read, search and concat, and no other tool",
    check: async (scene) => {
      await scene.doors[0]?.recall("does the searcher have its tools?");
      const request = scene.model.requests.at(-1);
      expect(request?.tools).toEqual(["tree", "read", "search", "concat"]);
    },
  },
  {
    states: "the update agent has every tool but concat",
    check: async (scene) => {
      await scene.run("remember", "does the filer have its tools?", "--wait");
      const request = scene.model.requests.at(-1);
      const tools = ["tree", "read", "search", "write", "edit", "append", "move", "delete"];
      expect(request?.tools).toEqual(tools);
      expect(request?.last).toContain("unknown_tool");
    },
  },
];
