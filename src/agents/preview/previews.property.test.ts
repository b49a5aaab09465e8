import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call } from "../../testing/models/house-script.ts";
import type { ScriptedCall } from "../../testing/models/scripted-model.ts";
import type { Files } from "../../testing/temporary-vault.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

const HOUSE = "vault/projects/house";
const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/u);
const there = fc.constantFrom(
  `${HOUSE}/state.md`,
  `${HOUSE}/tasks.md`,
  `${HOUSE}/changelog.md`,
  "vault/tasks.md",
  "vault/new.md",
);
const anywhere = fc.constantFrom("vault/new.md", `${HOUSE}/bucket/new.md`, `${HOUSE}/plan.md`);

/** One call of a model, of which some are refused: in both ways alike. */
const anyCall: fc.Arbitrary<ScriptedCall> = fc.oneof(
  fc
    .record({ path: there, content: words, position: fc.constantFrom("top", "bottom") })
    .map((args) => call("append", args)),
  fc
    .record({ path: anywhere, content: words.map((text) => `# ${text}\n`) })
    .map((args) => call("write", args)),
  fc
    .record({ path: fc.constant(`${HOUSE}/state.md`), new_content: words })
    .map((args) => call("edit", { ...args, old_content: "Start not known." })),
  fc.record({ from: there, to: anywhere }).map((args) => call("move", args)),
  fc.record({ path: there }).map((args) => call("delete", args)),
);

/** Every note of a vault by its name, after its model has made these calls. */
async function after(calls: readonly ScriptedCall[], isPreview: boolean): Promise<Files> {
  const look = { calls: [call("read", { paths: [`${HOUSE}/`, "vault/tasks.md"] })] };
  const script = [look, { calls }, { text: "Done." }];
  const home = await agentHome(houseFiles, script, { now });
  await home.service.settled();
  const { id, status } = await home.remember("A note on the roof.", { isPreview });
  if (status === "preview") await home.memory.previews.accept(id);
  await home.service.settled();
  expect(home.bugs).toEqual([]);
  const texts = textsOf(home);
  await home.service.close();
  return texts;
}

function textsOf({ service }: AgentHome): Files {
  const { root } = service.vault;
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
  const notes = names.filter((name) => statSync(path.join(root, name)).isFile());
  return Object.fromEntries(
    notes.map((name) => [name, readFileSync(path.join(root, name), "utf8")]),
  );
}

it(
  "a preview and a yes leave what the same run leaves without one",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 6 }), async (calls) => {
        expect(await after(calls, true)).toEqual(await after(calls, false));
      }),
      { numRuns: 12 },
    );
  },
);
