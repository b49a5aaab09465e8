import { describe, expect, it, onTestFinished } from "vitest";

import { AMOUNT_CALLS, READ_AMOUNTS } from "../../scripts/read-amounts.ts";
import { callTool, createService, createSession } from "../../src/index.ts";
import { agentHome } from "../../src/testing/agent-home.ts";
import { call } from "../../src/testing/models/house-script.ts";
import { home } from "../../src/testing/service-home.ts";
import { textOf } from "../../src/testing/temporary-vault.ts";
import { openDoors } from "./doors.ts";
import { contractVault, FILES, headers, tokensOf } from "./vault.ts";

const NAMES = ["large/one.txt", "large/two.txt"];
const PATHS = NAMES.map((name) => `vault/${name}`);

/** The lines that an answer has of each of the two files. */
function shownOf(text: string): string {
  const shown = PATHS.map((path) => {
    const header = headers(text).find((each) => each.startsWith(path));
    if (header === undefined) return /not read at all: .*$/mu.test(text) ? "named only" : "nothing";
    return /\(lines (\S+) of/u.exec(header)?.[1] ?? "all";
  });
  return shown.join(" and ");
}

const doors = await openDoors(await contractVault());

describe("how much read shows of two files of 50,000 tokens, as docs/tools.md has it", () => {
  it("they have as many", () => {
    for (const name of NAMES) expect(tokensOf(String(FILES[name]))).toBe(50_000);
  });

  it.each(Object.entries(READ_AMOUNTS).filter(([door]) => !["agents", "library"].includes(door)))(
    "%s",
    async (name, expected) => {
      const door = doors.find((each) => each.name === name);
      const shown = AMOUNT_CALLS.map(async (part) => door?.ask("read", { paths: PATHS, ...part }));
      expect((await Promise.all(shown)).map((answer) => shownOf(answer?.text ?? ""))).toEqual(
        expected,
      );
    },
  );

  it("library", async () => {
    const { root, state } = home(
      Object.fromEntries(NAMES.map((name) => [name, FILES[name] ?? ""])),
    );
    const service = await createService({ root, state, isWatching: false });
    onTestFinished(async () => service.close());
    const { vault, index } = service;
    const session = createSession("a program");
    const now = (): Date => new Date();
    const context = { profile: "update", vault, index, session, now, batch: null } as const;
    const shown = AMOUNT_CALLS.map(async (part) =>
      callTool("read", { paths: PATHS, ...part }, context),
    );
    expect((await Promise.all(shown)).map((result) => shownOf(textOf(result)))).toEqual(
      READ_AMOUNTS["library"],
    );
  });

  it("agents", async () => {
    const files = Object.fromEntries(NAMES.map((name) => [name, FILES[name] ?? ""]));
    const calls = AMOUNT_CALLS.map((part) => call("read", { paths: PATHS, ...part }));
    const { memory, model } = await agentHome(files, [
      { calls },
      { text: "NONE" },
      { text: "NONE" },
    ]);
    await memory.recall("What is large?");
    const { messages } = JSON.parse(model.requests[1]?.body ?? "");
    const answers = messages.filter(({ role }: { role: string }) => role === "tool");
    expect(answers.map(({ content }: { content: string }) => shownOf(content))).toEqual(
      READ_AMOUNTS["agents"],
    );
  });
});
