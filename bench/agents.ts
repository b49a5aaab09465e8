/**
 * What the agents cost in tokens: what every run carries along, and what scripted runs send and get back. Tokens are the vault's estimate, a
 * quarter of the characters, so that the figures are the same everywhere. A provider that caches reads again what a request begins with like
 * the one before: that part is shown beside it, since it costs a tenth or nothing.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { z } from "zod";

import type { Memory } from "../src/agents/memory.ts";
import { instructionsFor } from "../src/agents/prompts.ts";
import { createService } from "../src/compose.ts";
import {
  demoNow,
  demoVault,
  reviewRuns,
  type ReviewRun,
} from "../src/testing/models/review-runs.ts";
import type { Files } from "../src/testing/temporary-vault.ts";
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
  const prompt = countTokens(instructionsFor(agent));
  const schemas = countTokens(
    JSON.stringify(
      tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: inputSchema(tool),
      })),
    ),
  );
  const both = prompt + schemas;
  const figure = `${both} tokens (${prompt} + ${schemas})`;
  report(`${agent}: system prompt + tools`, figure, `under ${GOAL}`, both < GOAL);
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
            from: /vault\/inbox\/2[\w-]+\/original\.md/u.exec(body)?.[0] ?? "",
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

const Ended = z.union([
  z.object({ report: z.object({ outcome: z.string() }) }),
  z.object({ sources: z.array(z.unknown()) }),
]);

const folder = mkdtempSync(path.join(tmpdir(), "coffre-bench-agents-"));
let made = 0;
try {
  for (const scenario of scenarios) await measure(scenario);
  await reviewTable();
  await largeOverview();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Measured {
  /** What each request has, in tokens. */
  readonly sizes: readonly number[];
  /** How many tokens of all were sent before. */
  readonly again: number;
  readonly outcome: unknown;
}

async function measured(
  files: Files,
  script: Script,
  now: (() => Date) | undefined,
  run: (memory: Memory) => Promise<unknown>,
): Promise<Measured> {
  const place = path.join(folder, `${(made += 1)}`);
  const root = path.join(place, "notes");
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  const model = await startScriptedModel("openai", script);
  const service = await createService({
    root,
    state: path.join(place, "state"),
    isWatching: false,
    ...(now === undefined ? {} : { now }),
    memory: {
      model: scriptedSettings(model),
      onBug: (error) => {
        throw error;
      },
    },
  });
  let outcome: unknown = null;
  try {
    await service.settled();
    if (service.memory !== null) outcome = await run(service.memory);
  } finally {
    await service.close();
    model.close();
  }
  const bodies = model.requests.map(({ body }) => messagesOf(body));
  const again = bodies.reduce(
    (sum, body, turn) => sum + countTokens(body.slice(0, common(body, bodies[turn - 1] ?? ""))),
    0,
  );
  return { sizes: bodies.map((body) => countTokens(body)), again, outcome };
}

async function measure({ name, script, run }: Scenario): Promise<void> {
  const { sizes, again } = await measured(houseFiles, script, undefined, run);
  const sent = total(sizes);
  console.log(
    `        ${name.padEnd(46)} ${sizes.length} turns, ${sent} tokens sent, ${sent - again} of them new (${percent(again / sent)} cacheable)`,
  );
}

/** The 42 runs of the review, on both demo vaults, with what each costs; then the goals. */
async function reviewTable(): Promise<void> {
  console.log(
    "\n        run                                            outcome   turns  tokens in  first",
  );
  const rows: { run: ReviewRun; sizes: readonly number[] }[] = [];
  for (const run of reviewRuns) {
    const { sizes, outcome } = await measured(
      demoVault(run.lang),
      run.script,
      demoNow,
      async (memory) => (run.kind === "question" ? memory.recall(run.text) : fileNote(memory, run)),
    );
    const name = `${run.lang} ${run.name}`.padEnd(46).slice(0, 46);
    const ended = outcomeOf(outcome);
    console.log(
      `        ${name} ${ended.padEnd(9)} ${String(sizes.length).padStart(5)}  ${String(total(sizes)).padStart(9)}  ${String(sizes[0] ?? 0).padStart(5)}`,
    );
    rows.push({ run, sizes });
  }
  const most = (kept: typeof rows, of: (sizes: readonly number[]) => number): number =>
    Math.max(...kept.map(({ sizes }) => of(sizes)));
  const facts = rows.filter(({ run }) => run.name === "one fact");
  const questions = rows.filter(({ run }) => run.kind === "question");
  const turns = (kept: typeof rows): number => most(kept, (sizes) => sizes.length);
  const figure = (kept: typeof rows): string =>
    `${turns(kept)} turns, ${most(kept, total)} tokens in`;
  const isMet = (kept: typeof rows, mostTurns: number, tokens: number): boolean =>
    turns(kept) <= mostTurns && most(kept, total) <= tokens;
  report("a plain fact", figure(facts), "3 turns, 12,000 tokens", isMet(facts, 3, 12_000));
  report(
    "a question, the dearest",
    figure(questions),
    "2 turns, 6,000 tokens",
    isMet(questions, 2, 6000),
  );
  const notes = rows.filter(({ run }) => run.kind === "note");
  const first = most(notes, ([size = 0]) => size);
  report(
    `the first request of a note, the largest of ${notes.length}`,
    `${first} tokens`,
    "3,000",
    first <= 3000,
  );
}

/** A plain fact in a demo vault whose overview has grown: what is shown of it leaves room for the project's pages. */
async function largeOverview(): Promise<void> {
  for (const lang of ["en", "fr"] as const) {
    const fact = reviewRuns.find((run) => run.lang === lang && run.name === "one fact");
    if (fact === undefined) continue;
    const files = demoVault(lang);
    const more = Array.from(
      { length: 60 },
      (_, at) => `- **garden-${at}**: bed ${at} is dug over, and waits for its plants.\n`,
    );
    const overview = String(files["overview.md"]) + more.join("");
    const grown = { ...files, "overview.md": overview };
    const { sizes } = await measured(grown, fact.script, demoNow, async (memory) =>
      fileNote(memory, fact),
    );
    const sent = total(sizes);
    report(
      `a plain fact beside an overview of ${countTokens(overview)} tokens (${lang})`,
      `${sizes.length} turns, ${sent} tokens in`,
      "3 turns, 12,000 tokens",
      sizes.length <= 3 && sent <= 12_000,
    );
  }
}

async function fileNote(memory: Memory, { text, image }: ReviewRun): Promise<unknown> {
  const images = image === undefined ? [] : [{ name: "floor.png", data: image }];
  const { id } = await memory.remember({ content: text, images, from: "bench" });
  return memory.updates.ended(id);
}

function outcomeOf(ended: unknown): string {
  const known = Ended.safeParse(ended).data;
  if (known === undefined) return "?";
  if ("report" in known) return known.report.outcome;
  return known.sources.length > 0 ? "answered" : "nothing";
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
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
