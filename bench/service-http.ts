/** A thousand HTTP calls at once to a real `coffre serve`, beside the least that an HTTP server of Node can do. */
import { Agent, request } from "node:http";
import { text as textOf } from "node:stream/consumers";

import { milliseconds, report, summarise } from "./measure.ts";
import { answers, holdsNote, type Questions } from "./service-questions.ts";

const CALLS = 1000;
const WAVES = 10;

export interface HttpServers {
  /** Of `coffre serve`, with what it wants to be shown. */
  readonly coffre: { readonly address: string; readonly token: string };
  /** Of `bare-http.ts`. */
  readonly bare: { readonly address: string };
}

/** One call, and whether its answer is right. */
interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isRight: (answer: string) => boolean;
}

interface Answer {
  /** Null when it was answered as it should; else what came in its place. */
  readonly lost: string | null;
  /** Of the answer's body, in bytes. */
  readonly size: number;
  readonly took: number;
}

interface Wave {
  readonly answers: readonly Answer[];
  /** From the first call until the last answer. */
  readonly total: number;
}

export async function benchHttp(
  { coffre, bare }: HttpServers,
  questions: Questions,
): Promise<void> {
  const calls = coffreCalls(coffre, questions);
  // Also warms up.
  const { answers: first } = await send(calls);
  const bareCalls = calls.map((call, at) => ({
    ...call,
    url: `${bare.address}/${first[at]?.size ?? 0}`,
    isRight: (answer: string) => Buffer.byteLength(answer) === first[at]?.size,
  }));
  await send(bareCalls);
  const waves: { ours: Wave[]; least: Wave[] } = { ours: [], least: [] };
  for (let round = 0; round < WAVES; round += 1) {
    waves.ours.push(await send(calls));
    waves.least.push(await send(bareCalls));
  }
  const lost = waves.ours.flatMap((wave) => wave.answers.flatMap((answer) => answer.lost ?? []));
  report(
    `HTTP, ${CALLS} calls at once, ${WAVES} times: lost`,
    `${lost.length} of ${CALLS * WAVES}`,
    "0",
    lost.length === 0,
  );
  if (lost[0] !== undefined) console.log(`        the first: ${lost[0]}`);
  const [ours, least] = [timesOf(waves.ours), timesOf(waves.least)];
  const bytes = first.reduce((sum, { size }) => sum + size, 0) / CALLS;
  console.log(
    `        ours            ${describe(ours)}; answers of ${bytes.toFixed(0)} B on average`,
  );
  console.log(`        bare node:http  ${describe(least)}; the same sizes`);
  console.log(`        total, ours / bare: ${(ours.total / least.total).toFixed(2)}x`);
}

/** Reads, searches and trees in turn. */
function coffreCalls(
  { address, token }: HttpServers["coffre"],
  { notes, rare }: Questions,
): Call[] {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = (tool: string, args: unknown, isRight: Call["isRight"]): Call => ({
    url: `${address}/api/tools/${tool}`,
    headers,
    body: JSON.stringify(args),
    isRight,
  });
  const kinds: ((at: number) => Call | null)[] = [
    (at) => {
      const note = notes[at % notes.length];
      if (note === undefined) return null;
      return call("read", { paths: `vault/${note.path}` }, (answer) => holdsNote(answer, note));
    },
    (at) => {
      const question = rare[at % rare.length];
      if (question === undefined) return null;
      return call("search", { queries: [question.words] }, (answer) => answers(answer, question));
    },
    (at) => {
      const note = notes[at % notes.length]?.path ?? "";
      const folder = note.slice(0, note.lastIndexOf("/"));
      return call("tree", { path: `vault/${folder}/` }, (answer) => answer.includes(note));
    },
  ];
  return Array.from({ length: CALLS }, (_, at) => kinds[at % kinds.length]?.(at) ?? []).flat();
}

/** All at once: no socket waits for another. */
async function send(calls: readonly Call[]): Promise<Wave> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const started = performance.now();
  const sent = await Promise.all(calls.map(async (call) => sendOne(call, agent)));
  const total = performance.now() - started;
  agent.destroy();
  // Not before: looking at one answer would keep the others waiting.
  return {
    total,
    answers: sent.map(({ status, text, took }, at) => ({
      lost:
        status === 200 && calls[at]?.isRight(text) === true
          ? null
          : `${status} ${text.slice(0, 300)}`,
      size: Buffer.byteLength(text),
      took,
    })),
  };
}

interface Received {
  readonly status: number;
  readonly text: string;
  readonly took: number;
}

async function sendOne({ url, headers, body }: Call, agent: Agent): Promise<Received> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<Omit<Received, "took">>();
  const fail = (error: unknown): void => resolve({ status: 0, text: String(error) });
  request(url, { method: "POST", agent, headers }, (response) => {
    textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), fail);
  })
    .on("error", fail)
    .end(body);
  return { ...(await promise), took: performance.now() - started };
}

interface WaveTimes {
  readonly p50: number;
  readonly p99: number;
  readonly total: number;
}

function timesOf(waves: readonly Wave[]): WaveTimes {
  const times = waves
    .flatMap((wave) => wave.answers.map(({ took }) => took))
    .toSorted((a, b) => a - b);
  return {
    p50: times[Math.floor(times.length * 0.5)] ?? Number.NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    total: summarise(waves.map(({ total }) => total)).median,
  };
}

function describe({ p50, p99, total }: WaveTimes): string {
  return `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, all in ${milliseconds(total)}`;
}
