import { createHash } from "node:crypto";

import { describe, expect, expectTypeOf, it } from "vitest";

import { agentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call, PIXEL } from "../../testing/models/house-script.ts";
import type { ScriptedTurn } from "../../testing/models/scripted-model.ts";
import { snapshotOf } from "../../testing/tree-snapshot.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { SearchRun } from "./recall.ts";

const QUESTION = "Why did we choose Hale?";
const OVERVIEW =
  "You chose Hale because he starts before the frost; the decision is in the changelog [1].";
const CHANGELOG = "vault/projects/house/changelog.md";
const LOOK: ScriptedTurn = { calls: [call("search", { queries: ["why Hale"] })] };
const ASSEMBLE: ScriptedTurn = {
  text: OVERVIEW,
  calls: [call("concat", { files: [{ path: CHANGELOG, lines: "1-4" }] })],
};

describe.each(["openai", "anthropic"] as const)("the search agent, over %s", (format) => {
  it("answers with its overview and, under a line, the sources byte for byte as concat gives them", async () => {
    const home = await agentHome(houseFiles, [LOOK, ASSEMBLE], { format });
    const { answer, overview, evidence, sources, steps } = await home.memory.recall(QUESTION);
    expect(overview).toBe(OVERVIEW);
    expect(sources).toEqual([{ path: CHANGELOG, lines: "1-4" }]);
    const lines = home.read("projects/house/changelog.md").split("\n").slice(0, 4);
    const block = lines.map((line, at) => `${at + 1}  |${line === "" ? "" : ` ${line}`}`);
    const [head, ...below] = answer.split("\n\n---\n\n");
    expect(below).toEqual([`\`\`\`${CHANGELOG} (lines 1-4)\n${block.join("\n")}\n\`\`\``]);
    const sha256 = createHash("sha256")
      .update(`${lines.join("\n")}\n`)
      .digest("hex");
    expect(head).toContain(`${OVERVIEW}\n\n[1] ${CHANGELOG}:1-4 · sha256:${sha256}`);
    expect(evidence).toEqual([{ mark: 1, path: CHANGELOG, lines: "1-4", sha256, replaced: null }]);
    // The overview came with the call: no turn is spent on hearing it again.
    expect(steps).toBe(2);
  });

  it("begins with the map, the tree, the profile and today's date", async () => {
    const now = (): Date => new Date("2026-11-16T10:00:00");
    const home = await agentHome(houseFiles, [LOOK, ASSEMBLE], { format, now });
    await home.memory.recall(QUESTION);
    const told = home.model.requests[0]?.body ?? "";
    for (const part of ["Monday 2026-11-16", "a dinghy to paint", "Maud Ferrer", QUESTION])
      expect(told).toContain(part);
  });

  it("answers a question over several projects with sources from each", async () => {
    const home = await agentHome(
      houseFiles,
      [
        {
          calls: [
            call("search", { queries: ["state of the house"] }),
            call("search", { queries: ["state of the boat"] }),
            call("read", { paths: ["vault/projects/house/state.md", "vault/projects/boat/"] }),
          ],
        },
        {
          text: "The house is active and waits for its roof; the boat sleeps until spring.",
          calls: [
            call("concat", {
              files: [
                { path: "vault/projects/house/state.md" },
                { path: "vault/projects/boat/state.md", lines: null },
              ],
            }),
          ],
        },
      ],
      { format },
    );
    const { sources, answer } = await home.memory.recall("How do my projects stand?");
    expect(sources.map(({ path }) => path)).toEqual([
      "vault/projects/house/state.md",
      "vault/projects/boat/state.md",
    ]);
    expect(answer).toContain("Asleep until spring.");
  });

  it("waits for the overview when it did not come with the call", async () => {
    const bare = { calls: ASSEMBLE.calls ?? [] };
    const home = await agentHome(houseFiles, [LOOK, bare, { text: OVERVIEW }], { format });
    const { overview, sources } = await home.memory.recall(QUESTION);
    expect({ overview, sources }).toEqual({
      overview: OVERVIEW,
      sources: [{ path: CHANGELOG, lines: "1-4" }],
    });
    // It has read the passages; it is not sent them again.
    expect(home.model.requests[2]?.last).toContain("Assembled");
    expect(home.model.requests[2]?.last).not.toContain("before the frost");
  });

  it("asks once for the sources when concat was never called", async () => {
    const read = { calls: [call("read", { paths: CHANGELOG })] };
    const home = await agentHome(houseFiles, [read, { text: OVERVIEW }, ASSEMBLE], { format });
    const { sources } = await home.memory.recall(QUESTION);
    expect(home.model.requests[2]?.last).toContain("call concat once");
    expect(sources).toEqual([{ path: CHANGELOG, lines: "1-4" }]);
  });

  it("assembles what was read when the model will not", async () => {
    const read = { calls: [call("read", { paths: [CHANGELOG, "vault/profile.md"] })] };
    const stubborn = { text: "It is all in what I said before." };
    const home = await agentHome(houseFiles, [read, { text: OVERVIEW }, stubborn], { format });
    // Frontmatter that comes between read and concat would move the lines.
    await home.service.settled();
    const { sources, answer } = await home.memory.recall(QUESTION);
    expect(sources.map(({ path }) => path)).toEqual([CHANGELOG, "vault/profile.md"]);
    expect(answer).toContain("| ## [decision] Hale does the roof");
    expect(home.model.requests).toHaveLength(3);
  });

  it("says plainly that the vault has nothing, without sources", async () => {
    const nothing = "The vault has nothing about a helicopter, under any name I tried.";
    const home = await agentHome(houseFiles, [{ text: nothing }, { text: "NONE" }], { format });
    const { answer, sources } = await home.memory.recall("Where is my helicopter?");
    expect({ answer, sources }).toEqual({ answer: nothing, sources: [] });
  });

  it("takes NONE for an answer at once", async () => {
    const home = await agentHome(houseFiles, [{ text: "NONE: nothing about a helicopter." }], {
      format,
    });
    const { answer, steps } = await home.memory.recall("Where is my helicopter?");
    expect({ answer, steps }).toEqual({ answer: "nothing about a helicopter.", steps: 1 });
  });

  it("gives one more turn for a concat that lacks a part, and says that a range was too long", async () => {
    const files = [{ path: CHANGELOG, lines: "1-4000" }, { path: "vault/x.md" }];
    const partly = { text: OVERVIEW, calls: [call("concat", { files })] };
    const home = await agentHome(houseFiles, [partly, ASSEMBLE], { format });
    const { sources } = await home.memory.recall(QUESTION);
    const told = home.model.requests[1]?.last ?? "";
    expect(told).toContain("vault/x.md does not exist");
    expect(told).toContain("the range 1-4000 goes past its end");
    expect(sources).toEqual([{ path: CHANGELOG, lines: "1-4" }]);
  });

  it("corrects a concat with a path that does not exist", async () => {
    const wrong = { text: OVERVIEW, calls: [call("concat", { files: [{ path: "vault/x.md" }] })] };
    const home = await agentHome(houseFiles, [wrong, ASSEMBLE], { format });
    const { sources } = await home.memory.recall(QUESTION);
    expect(home.model.requests[1]?.last).toContain("vault/x.md does not exist");
    expect(sources).toEqual([{ path: CHANGELOG, lines: "1-4" }]);
  });

  it("cannot write: no tool that changes something exists for it, and the vault stays as it is", async () => {
    const writing = [
      call("write", { path: "vault/pwned.md", content: "x" }),
      call("append", { path: "vault/tasks.md", content: "x", position: "top" }),
      call("delete", { path: "vault/projects/" }),
      call("move", { from: "vault/tasks.md", to: "vault/t.md" }),
      call("edit", { path: "vault/tasks.md", old_content: "a", new_content: "b" }),
    ];
    const home = await agentHome(houseFiles, [{ calls: writing }, ASSEMBLE], { format });
    await home.service.settled();
    const before = snapshotOf(home.service.vault.root);
    await home.memory.recall(QUESTION);
    expect(home.model.requests[0]?.tools).toEqual(["tree", "read", "search", "concat"]);
    expect(home.model.requests[1]?.body.match(/unknown_tool/gu)).toHaveLength(5);
    expect(snapshotOf(home.service.vault.root)).toEqual(before);
  });

  it("sees the images it reads", async () => {
    const files = { ...houseFiles, "bucket/roof.png": Buffer.from(PIXEL, "base64") };
    const look = { calls: [call("read", { paths: "vault/bucket/roof.png" })] };
    const home = await agentHome(files, [look, ASSEMBLE], { format });
    await home.memory.recall("What is on the photo of the roof?");
    expect(home.model.requests[1]?.body).toContain(PIXEL);
  });

  it("ends an endless loop with what it has", async () => {
    const home = await agentHome(
      houseFiles,
      ({ toolChoice }) =>
        toolChoice === "none"
          ? { text: "I went in circles." }
          : { calls: [call("read", { paths: CHANGELOG })] },
      { format, limits: { steps: 4 } },
    );
    const { overview, sources } = await home.memory.recall(QUESTION);
    expect(overview).toBe("I went in circles.\n(the limit of 4 steps was reached.)");
    expect(sources).toEqual([{ path: CHANGELOG, lines: expect.stringMatching(/^1-/u) }]);
  });

  it("gives the sources without a model when the model cannot be reached", async () => {
    const home = await agentHome(houseFiles, () => ({ status: 500 }), { format, attempts: 2 });
    const { overview, sources, model } = await home.memory.recall(QUESTION);
    expect(model).toBeNull();
    expect(overview).toContain("did not answer: it answered 500");
    expect(sources[0]?.path).toBe(CHANGELOG);
  });

  it("ends at once when it is cancelled", async () => {
    const abort = new AbortController();
    const never = new Promise(() => {});
    const home = await agentHome(houseFiles, [LOOK, { until: never }], { format });
    const answer = home.memory.recall(QUESTION, {
      signal: abort.signal,
      onEvent: ({ type }) => {
        if (type === "result") abort.abort(new Error("enough"));
      },
    });
    await expect(answer).rejects.toThrow("enough");
  });
});

it("is given nothing to write with, by its type", () => {
  expectTypeOf<SearchRun["vault"]>().toEqualTypeOf<VaultReader>();
  expectTypeOf<SearchRun["vault"]>().not.toHaveProperty("change");
  expectTypeOf<SearchRun["vault"]>().not.toHaveProperty("undo");
  expect.assertions(0);
});
