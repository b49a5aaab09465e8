/** What a call costs more that passes through `coffre serve` than one that is answered by the process that keeps the vault. */
import { existsSync, readFileSync } from "node:fs";

import { milliseconds, report, summarise } from "./measure.ts";
import type { McpSession, ToolRequest } from "./mcp-session.ts";
import { ours } from "./service-peers.ts";
import { answers, holdsNote, type Questions } from "./service-questions.ts";

const ROUNDS = 600;
const WARM_UP = 200;
const MOST = 1.2;
/** Linux counts the time of a process in hundredths of a second. */
const TICK = 10;

/** A server, with every process that works for one call of it. */
export interface Served {
  readonly session: McpSession;
  readonly processes: readonly (number | null)[];
}

interface Call {
  readonly request: ToolRequest;
  readonly isRight: (answer: string) => boolean;
}

/** Both in turn, with no other server between, so that neither finds the processor colder. */
export async function benchThrough(
  direct: Served,
  through: Served,
  { notes, rare, common }: Questions,
): Promise<void> {
  const { read, search } = ours("", "", { root: "", state: "" });
  const reads = notes.map((note) => ({
    request: read(note.path),
    isRight: (answer: string) => holdsNote(answer, note),
  }));
  const searches = (questions: Questions["rare"]): Call[] =>
    questions.map((question) => ({
      request: search(question),
      isRight: (answer) => answers(answer, question),
    }));
  await compareBoth("read", { direct, through, calls: reads });
  await compareBoth("search, rare words", { direct, through, calls: searches(rare) });
  await compareBoth("search, common words", { direct, through, calls: searches(common) });
}

async function compareBoth(
  what: string,
  {
    direct,
    through,
    calls,
  }: { readonly direct: Served; readonly through: Served; readonly calls: readonly Call[] },
): Promise<void> {
  const sides = [direct, through].map((side) => ({ side, times: [] as number[], before: 0 }));
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const each of sides) {
      if (round === 0) each.before = processorTime(each.side);
      const call = calls[(round + WARM_UP) % calls.length];
      if (call === undefined) throw new Error(`There is nothing to ask for: ${what}.`);
      const { text, took } = await each.side.session.call(call.request);
      if (!call.isRight(text)) throw new Error(`No right answer, ${what}: ${text.slice(0, 500)}`);
      if (round >= 0) each.times.push(took);
    }
  }
  const [one, other] = sides.map(({ side, times, before }) => ({
    ...summarise(times),
    work: (processorTime(side) - before) / ROUNDS,
  }));
  if (one === undefined || other === undefined) return;
  for (const [kind, theirs, own] of [
    ["p50", other.median, one.median],
    ["processor", other.work, one.work],
  ] as const) {
    // Where the system does not tell the time of other processes.
    if (Number.isNaN(own)) continue;
    report(
      `${what}, through serve / direct, ${kind}`,
      `${(theirs / own).toFixed(2)}x (${milliseconds(theirs)} / ${milliseconds(own)})`,
      `≤ ${MOST}x`,
      theirs / own <= MOST,
    );
  }
}

/** In milliseconds. */
function processorTime({ processes }: Served): number {
  if (!existsSync("/proc/self/stat")) return Number.NaN;
  return processes.reduce<number>((sum, pid) => {
    const [, fields = ""] = readFileSync(`/proc/${String(pid)}/stat`, "utf8").split(") ");
    const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
    return sum + (user + system) * TICK;
  }, 0);
}
