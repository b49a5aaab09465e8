/** What the tools cost, each against the least that could do the same work, in the same process and run. */
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { MemoryIndex } from "../src/index/create-index.ts";
import { callTool } from "../src/tools/call.ts";
import type { CallResult } from "../src/tools/call-result.ts";
import { createSession } from "../src/tools/session.ts";
import { createVault, type LocalVault } from "../src/vault/vault.ts";
import { compare, fastest, milliseconds, report } from "./measure.ts";

const folder = mkdtempSync(path.join(tmpdir(), "coffre-bench-"));

const index = new MemoryIndex();

function openVault(name: string): LocalVault {
  const root = path.join(folder, name);
  mkdirSync(root, { recursive: true });
  return createVault({ root, state: path.join(folder, `${name}-state`) });
}

async function call(vault: LocalVault, tool: string, args: unknown): Promise<CallResult> {
  const session = createSession("bench");
  const context = {
    vault,
    index,
    session,
    now: () => new Date(),
    batch: null,
    profile: "update",
  } as const;
  const result = await callTool(tool, args, context, {
    onBug: (error) => {
      throw error;
    },
  });
  if (result.isError) throw new Error(JSON.stringify(result.content));
  return result;
}

const FRENCH =
  "On fera la toiture nous-mêmes : le couvreur — prévenu mardi — n’est pas libre avant l’été, œuvre à revoir.\n";
const ASCII =
  "Decision: build it ourselves; the supplier told us on Tuesday that nothing ships before summer.\n";

function fillTo(bytes: number, line: string): string {
  return line.repeat(Math.ceil(bytes / Buffer.byteLength(line)));
}

/** Makes sure that a string stands in memory in one piece: some are only put together when they are used. */
function flat(text: string): number {
  return Buffer.byteLength(text);
}

function textOf(result: CallResult): string {
  const [first] = result.content;
  return first?.type === "text" ? first.text : "";
}

async function benchRead(): Promise<void> {
  const vault = openVault("read");
  for (const [name, line] of [
    ["French", FRENCH],
    ["ASCII", ASCII],
  ] as const) {
    const file = path.join(vault.root, `${name}.md`);
    writeFileSync(file, fillTo(200_000, line));
    const [ours, bare, bareSync] = await compare(
      [
        async () => flat(textOf(await call(vault, "read", { paths: `${name}.md` }))),
        async () => flat((await readFile(file, "utf8")).split("\n").join("\n")),
        () => flat(readFileSync(file, "utf8").split("\n").join("\n")),
      ],
      { rounds: 60, inner: 10 },
    );
    const ratio = fastest(ours) / fastest(bare, bareSync);
    report(
      `read, 200 KB (${name}) / readFile+split+join`,
      `${ratio.toFixed(2)}x (${milliseconds(fastest(ours))})`,
      "≤ 1.5x",
      ratio <= 1.5,
    );
  }
  vault.close();
}

/** Bytes this process has asked the system to read so far; null where the system does not tell. */
function bytesRead(): number | null {
  try {
    return Number(/rchar: (\d+)/u.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  } catch {
    return null;
  }
}

async function benchHead(): Promise<void> {
  const vault = openVault("head");
  const sizes = { small: 2_000_000, large: 50_000_000 };
  for (const [name, size] of Object.entries(sizes))
    writeFileSync(path.join(vault.root, `${name}.md`), fillTo(size, FRENCH));
  const first = performance.now();
  await call(vault, "read", { paths: "large.md", head: 2000 });
  console.log(
    `        read(head=2000) of 50 MB never seen before: ${milliseconds(performance.now() - first)} (its lines are counted once, in 1 MB pieces)`,
  );
  const [small, large] = await compare(
    [
      async () => call(vault, "read", { paths: "small.md", head: 2000 }),
      async () => call(vault, "read", { paths: "large.md", head: 2000 }),
    ],
    { rounds: 40, inner: 5 },
  );
  const ratio = fastest(large) / fastest(small);
  report(
    "read(head=2000), 50 MB / 2 MB",
    `${ratio.toFixed(2)}x (${milliseconds(fastest(large))})`,
    "≤ 1.2x",
    ratio <= 1.2,
  );

  const before = bytesRead();
  await call(vault, "read", { paths: "large.md", head: 2000 });
  const after = bytesRead();
  if (before !== null && after !== null) {
    report(
      "read(head=2000) of 50 MB, bytes read",
      `${((after - before) / 1000).toFixed(0)} kB`,
      "< 1 MB",
      after - before < 1e6,
    );
  }
  const collect = async (): Promise<NodeJS.MemoryUsage> => {
    // Twice, with a pause: what the first round frees outside the heap is only counted later.
    globalThis.gc?.();
    await wait(100);
    globalThis.gc?.();
    return process.memoryUsage();
  };
  await call(vault, "read", { paths: "large.md", head: 2000 });
  const heap = await collect();
  const kept: unknown[] = [];
  for (let at = 0; at < 20; at += 1)
    kept.push(await call(vault, "read", { paths: "large.md", head: 2000 }));
  const now = await collect();
  const grown = (now.heapUsed + now.external - heap.heapUsed - heap.external) / kept.length;
  report(
    "read(head=2000) of 50 MB, memory it keeps",
    `${(grown / 1000).toFixed(0)} kB`,
    "< 1 MB",
    grown < 1e6,
  );

  const again = createVault({ root: vault.root, state: vault.state });
  const fresh = performance.now();
  await call(again, "read", { paths: "large.md", head: 2000 });
  console.log(
    `        the same from a newly opened vault: ${milliseconds(performance.now() - fresh)} (the count was kept)`,
  );
  again.close();
  vault.close();
}

function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const fd = openSync(to, "r+");
  fsyncSync(fd);
  closeSync(fd);
}

function rewriteDurably(from: string, to: string): void {
  const bytes = readFileSync(from);
  const fd = openSync(to, "w");
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
  fsyncSync(fd);
  closeSync(fd);
}

async function benchAppend(): Promise<void> {
  const vault = openVault("append");
  const file = path.join(vault.root, "changelog.md");
  writeFileSync(file, `---\ntokens: 1\n---\n\n${fillTo(50_000_000, FRENCH)}`);
  const copy = path.join(folder, "copy.md");
  let entry = 0;
  const [ours, copied, rewritten] = await compare(
    [
      async () =>
        call(vault, "append", {
          path: "changelog.md",
          content: `# 2026-03-09\n\n## Entrée ${(entry += 1)}\nTexte.`,
          position: "top",
        }),
      () => copyDurably(file, copy),
      () => rewriteDurably(file, copy),
    ],
    { rounds: 15 },
  );
  const bare = fastest(copied, rewritten);
  const ratio = fastest(ours) / bare;
  report(
    "append top, 50 MB / copying it",
    `${ratio.toFixed(2)}x (${milliseconds(fastest(ours))} / ${milliseconds(bare)})`,
    "≤ 1.3x",
    ratio <= 1.3,
  );
  vault.close();
}

async function benchTree(): Promise<void> {
  const vault = openVault("tree");
  for (let project = 0; project < 500; project += 1) {
    const base = path.join(vault.root, `projects/p${project}/bucket`);
    mkdirSync(base, { recursive: true });
    for (let note = 0; note < 20; note += 1) {
      writeFileSync(
        path.join(base, `note-${note}.md`),
        `---\nupdated: 2026-03-09T10:00:00\n---\n\n${FRENCH.repeat(20)}`,
      );
    }
  }
  const cold = openVault("tree");
  vault.totals.scan();
  const [warm, walk] = await compare(
    [
      async () => call(vault, "tree", { path: "vault/" }),
      async () => call(cold, "tree", { path: "vault/" }),
    ],
    { rounds: 9 },
  );
  const ratio = fastest(warm) / fastest(walk);
  report(
    "tree, 10,000 files, warm totals / full walk",
    `${ratio.toFixed(3)}x (${milliseconds(fastest(warm))} / ${milliseconds(fastest(walk))})`,
    "≤ 0.1x",
    ratio <= 0.1,
  );
  cold.close();
  vault.close();
}

try {
  await benchRead();
  await benchHead();
  await benchAppend();
  await benchTree();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
