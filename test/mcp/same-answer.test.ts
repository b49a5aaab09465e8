import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { serve, type TemporaryPlace } from "../../src/cli/testing/cli.ts";
import { simpleService } from "../../src/server/testing/simple-service.ts";
import { textOf } from "../../src/testing/temporary-vault.ts";
import { callTool } from "../../src/tools/call.ts";
import type { CallResult } from "../../src/tools/call-result.ts";
import { allTools } from "../../src/tools/registry.ts";
import { createSession } from "../../src/tools/session.ts";
import { createVault } from "../../src/vault/vault.ts";
import { versionHash } from "../../src/vault/files/version.ts";
import { Content } from "./any-client.ts";
import { atRest } from "./at-rest.ts";
import type { Call } from "./call.ts";
import { CALLS, FILES } from "./calls.ts";
import { connectV2 } from "./client-v2.ts";
import { reached } from "./reached.ts";
import { settledVault } from "./settled-vault.ts";
import { WAYS } from "./ways.ts";

const HttpAnswer = z.object({ content: Content });

/** The answers of the tools themselves, called one after the other in one session, with nothing between them and the vault. */
async function bareAnswers({ root, state }: TemporaryPlace): Promise<Map<string, CallResult>> {
  const vault = createVault({ root, state });
  onTestFinished(() => vault.close());
  const { index } = simpleService(vault);
  const session = createSession("test");
  const common = { vault, index, session, now: () => new Date() };
  const answers = new Map<string, CallResult>();
  for (const { what, tool, args } of CALLS) {
    const result =
      tool === "concat"
        ? await callTool(tool, args, { ...common, profile: "search" })
        : await callTool(tool, args, { ...common, profile: "update", batch: null });
    answers.set(what, result);
  }
  return answers;
}

function answerTo({ what }: Call, answers: ReadonlyMap<string, CallResult>): CallResult {
  const answer = answers.get(what);
  if (answer === undefined) throw new Error(`nobody was asked to ${what}`);
  return answer;
}

/** The same without what no two changes share: the id under which the history has them. */
function withoutIds(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(/History: \w+/gu, "History: ID")
    .replaceAll(/"history":"\w+"/gu, '"history":"ID"');
  return JSON.parse(text);
}

/** What persons and tools wrote in each file: all but the keys and the file that the background job writes. */
function writtenIn({ root }: TemporaryPlace): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" })
    // What is being written has a name with a dot, which is no part of the vault.
    .filter((name) => name !== "tree.md" && !name.startsWith(".") && !name.includes("/."))
    .filter((name) => statSync(path.join(root, name)).isFile())
    .toSorted();
  return Object.fromEntries(
    names.map((name) => [name, versionHash(readFileSync(path.join(root, name)))]),
  );
}

it("the calls are what they are called, and try every tool in several ways", async () => {
  const answers = await bareAnswers((await settledVault(FILES))());
  for (const call of CALLS) {
    expect(textOf(answerTo(call, answers)), call.what).toContain(call.shows);
  }
  expect(answers.size).toBe(CALLS.length);
  for (const { name } of allTools) {
    const tried = CALLS.filter(({ tool }) => tool === name);
    const outcomes = new Set(tried.map((call) => answerTo(call, answers).isError));
    expect(outcomes, name).toEqual(new Set([false, true]));
  }
});

it.each(WAYS)("$way: the tool's own answer, byte for byte", async ({ open, form, calls }) => {
  const fresh = await settledVault(FILES);
  const [bare, place] = [fresh(), fresh()];
  const answers = await bareAnswers(bare);
  const ask = await open(place, fresh);
  for (const call of calls) {
    const expected = form(answerTo(call, answers), call, place.root);
    expect(withoutIds(await ask(call)), call.what).toEqual(withoutIds(expected));
  }
  expect(writtenIn(place)).toEqual(writtenIn(bare));
});

it("what is too much for a model is cut alike, whatever carries it", async () => {
  const long = "a name that takes its time to come to its end ".repeat(4);
  const names = Array.from({ length: 200 }, (_, at) => [`${long}${at}.md`, "A pump\n"] as const);
  const fresh = await settledVault(Object.fromEntries(names));
  const [owned, served] = [fresh(), fresh()];
  await serve(served);
  const connecting = { version: "2025-11-25", profile: "update" } as const;
  const clients = await Promise.all([
    connectV2(owned, { ...connecting, transport: "stdio" }),
    connectV2(served, { ...connecting, transport: "stdio" }),
    connectV2(served, { ...connecting, transport: "HTTP" }),
    connectV2(served, { ...connecting, transport: "HTTP", version: "2026-07-28" }),
  ]);
  for (const client of clients) await client.tools();
  for (const place of [owned, served]) await atRest(place);
  const { url, headers } = reached(served);
  const asked = await fetch(url("/api/tools/tree?max_tokens=8000"), { method: "POST", headers });
  const { content } = HttpAnswer.parse(await asked.json());
  expect(JSON.stringify(content)).toMatch(/Cut at \d+ lines\. Narrow it/u);
  for (const client of clients) expect((await client.call("tree")).content).toEqual(content);
});
