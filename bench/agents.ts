/**
 * What the agents cost in tokens: what every run carries along, and what scripted runs send and get back. Tokens are the vault's estimate, a
 * quarter of the characters, so that the figures are the same everywhere. A provider that caches reads again what a request begins with like
 * the one before: that part is shown beside it, since it costs a tenth or nothing.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Memory } from "../src/agents/memory.ts";
import { instructionsFor } from "../src/agents/prompts.ts";
import { createService } from "../src/compose.ts";
import { houseFiles } from "../src/testing/models/house-files.ts";
import { call, FILE, LOOK, NOTE, REPORT, UNSURE } from "../src/testing/models/house-script.ts";
import {
  scriptedSettings,
  startScriptedModel,
  type Script,
} from "../src/testing/models/scripted-model.ts";
import { inputSchema, toolsOf } from "../src/tools/registry.ts";
import { countTokens } from "../src/text/tokens.ts";
import { percent, report } from "./measure.ts";

const GOAL = 4000;

for (const agent of ["search", "update"] as const) {
  const tools = toolsOf(agent);
  const prompt = countTokens(instructionsFor(agent, tools));
  const schemas = countTokens(
    JSON.stringify(
      tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: inputSchema(tool),
      })),
    ),
  );
  const total = prompt + schemas;
  const figure = `${total} tokens (${prompt} + ${schemas})`;
  report(`${agent}: system prompt + tools`, figure, `under ${GOAL}`, total < GOAL);
}

interface Scenario {
  readonly name: string;
  readonly script: Script;
  readonly run: (memory: Memory) => Promise<unknown>;
}

const remember =
  (content: string, isUntrusted = false) =>
  async (memory: Memory): Promise<unknown> => {
    const { id } = await memory.remember({ content, isUntrusted, from: "bench" });
    return memory.updates.ended(id);
  };
const recall =
  (question: string) =>
  async (memory: Memory): Promise<unknown> =>
    memory.recall(question);

const CHANGELOG = "vault/projects/house/changelog.md";
const MAIL = `From: Hale\nSubject: Slates\n\n${"The slates come on Friday, on two pallets. ".repeat(60)}`;

const scenarios: readonly Scenario[] = [
  { name: "a clear note, filed", script: [LOOK, FILE, REPORT], run: remember(NOTE) },
  {
    name: "an ambiguous note, left in the inbox",
    script: [LOOK, UNSURE, { text: "It waits in the inbox." }],
    run: remember("Two tins of varnish came."),
  },
  {
    name: "a mail of 650 tokens, kept in a bucket",
    script: [
      LOOK,
      ({ body }) => ({
        calls: [
          call("move", {
            from: /vault\/inbox\/[\w-]+\/original\.md/u.exec(body)?.[0] ?? "",
            to: "vault/projects/house/bucket/mail-slates.md",
          }),
        ],
      }),
      { text: "Kept with the house." },
    ],
    run: remember(MAIL, true),
  },
  {
    name: "a question, answered with its source",
    script: [
      { calls: [call("search", { queries: ["why Hale", "roof decision"] })] },
      {
        text: "You chose Hale because he comes before the frost; the decision is in the changelog.",
        calls: [call("concat", { files: [{ path: CHANGELOG, lines: "1-4" }] })],
      },
    ],
    run: recall("Why did we choose Hale?"),
  },
  {
    name: "a question over two projects",
    script: [
      {
        calls: [
          call("search", { queries: ["state of the house", "state of the boat"] }),
          call("read", { paths: ["vault/projects/house/", "vault/projects/boat/"] }),
        ],
      },
      {
        text: "The house is active and waits for its roof; the boat sleeps until spring.",
        calls: [
          call("concat", {
            files: [
              { path: "vault/projects/house/state.md" },
              { path: "vault/projects/boat/state.md" },
            ],
          }),
        ],
      },
    ],
    run: recall("How do my projects stand?"),
  },
];

const folder = mkdtempSync(path.join(tmpdir(), "coffre-bench-agents-"));
try {
  for (const [at, scenario] of scenarios.entries()) await measure(scenario, at);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ name, script, run }: Scenario, at: number): Promise<void> {
  const root = path.join(folder, `${at}`, "notes");
  for (const [file, content] of Object.entries(houseFiles)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  const model = await startScriptedModel("openai", script);
  const service = await createService({
    root,
    state: path.join(folder, `${at}`, "state"),
    isWatching: false,
    memory: {
      model: scriptedSettings(model),
      onBug: (error) => {
        throw error;
      },
    },
  });
  try {
    if (service.memory !== null) await run(service.memory);
  } finally {
    await service.close();
    model.close();
  }
  const bodies = model.requests.map(({ body }) => messagesOf(body));
  const sent = bodies.reduce((sum, body) => sum + countTokens(body), 0);
  const again = bodies.reduce(
    (sum, body, turn) => sum + countTokens(body.slice(0, common(body, bodies[turn - 1] ?? ""))),
    0,
  );
  const fresh = sent - again;
  console.log(
    `        ${name.padEnd(46)} ${model.requests.length} turns, ${sent} tokens sent, ${fresh} of them new (${percent(again / sent)} cacheable)`,
  );
}

/** The part of a request that a model reads: what it can do, then what was said. */
function messagesOf(body: string): string {
  const { tools, messages } = JSON.parse(body);
  return JSON.stringify(tools) + JSON.stringify(messages);
}

function common(a: string, b: string): number {
  let length = 0;
  while (length < b.length && a[length] === b[length]) length += 1;
  return length;
}
