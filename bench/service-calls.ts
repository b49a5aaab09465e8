/** The same calls to several MCP servers, in turn. */
import { milliseconds, report, summarise, type Times } from "./measure.ts";
import type { McpSession } from "./mcp-session.ts";
import type { Contender } from "./service-peers.ts";
import { answers, holdsNote, type Questions } from "./service-questions.ts";

/** A server that runs. */
export interface Running extends Contender {
  readonly session: McpSession;
}

interface Comparison {
  readonly what: string;
  readonly kind: keyof Contender["goals"];
  readonly rounds: number;
  readonly warmUp: number;
  /** One call, and how long it took. Fails when its answer is not right: nobody is measured on an error. */
  readonly call: (server: Running, at: number) => Promise<number>;
}

const READS = { kind: "read", rounds: 1000, warmUp: 200 } as const;
const SEARCHES = { kind: "search", rounds: 40, warmUp: 10 } as const;

/** @param peers compared to ours */
export async function benchCalls(
  ours: Running,
  peers: readonly Running[],
  { notes, rare, common }: Questions,
): Promise<void> {
  await compareCalls(ours, peers, {
    ...READS,
    what: "read",
    call: async (server, at) => {
      const note = pick(notes, at);
      const { text, took } = await server.session.call(server.read(note.path));
      if (!holdsNote(text, note)) throw wrong(note.path, text);
      return took;
    },
  });
  for (const [kind, questions] of Object.entries({ rare, common })) {
    await compareCalls(ours, peers, {
      ...SEARCHES,
      what: `search, ${kind} words`,
      call: async (server, at) => {
        const question = pick(questions, at);
        const { text, took } = await server.session.call(server.search(question));
        if (!answers(text, question)) throw wrong(question.words, text);
        return took;
      },
    });
  }
}

/** Round after round, so that a busy moment of the machine falls on all. */
async function compareCalls(
  ours: Running,
  peers: readonly Running[],
  { what, kind, rounds, warmUp, call }: Comparison,
): Promise<void> {
  const own: number[] = [];
  const theirs = new Map<Running, number[]>(peers.map((peer) => [peer, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    own.push(await call(ours, round));
    for (const [peer, times] of theirs) {
      try {
        times.push(await call(peer, round));
      } catch (error) {
        console.log(`        ${what}: ${peer.name} is left out: ${String(error)}`);
        theirs.delete(peer);
      }
    }
  }
  const measured = summarise(own.slice(warmUp));
  // While others are asked, the processor forgets a server: this is what ours does when it is asked again at once.
  const again: number[] = [];
  for (let round = 0; round < rounds; round += 1) again.push(await call(ours, round));
  const warm = milliseconds(summarise(again).median);
  console.log(`        ${what}: ours ${describe(measured)}; call after call p50 ${warm}`);
  for (const [peer, times] of theirs) {
    const goal = peer.goals[kind];
    reportRatio(`${what}: ${peer.name} / ours`, summarise(times.slice(warmUp)), measured, goal);
  }
}

function reportRatio(what: string, theirs: Times, ours: Times, goal: number | null): void {
  const ratio = theirs.median / ours.median;
  const figure = `${ratio.toFixed(ratio < 10 ? 2 : 0)}x (${describe(theirs)})`;
  if (goal === null) console.log(`        ${what.padEnd(46)} ${figure}`);
  else report(what, figure, `≥ ${goal}x`, ratio >= goal);
}

function describe({ median, p95 }: Times): string {
  return `p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}`;
}

function pick<T>(all: readonly T[], at: number): T {
  const found = all[at % all.length];
  if (found === undefined) throw new Error("There is nothing to ask for.");
  return found;
}

function wrong(asked: string, answer: string): Error {
  return new Error(`no right answer for ${asked}: ${answer.slice(0, 500)}`);
}
