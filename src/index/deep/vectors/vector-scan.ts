import {
  isMainThread,
  parentPort,
  Worker,
  workerData,
  type MessagePort,
} from "node:worker_threads";

/** The rows of a matrix nearest to a vector, best first. */
export interface Nearest {
  /** Where in the list of rows each stands. */
  readonly places: Uint32Array;
  /** Cosines, since all vectors have length 1. */
  readonly scores: Float32Array;
}

interface Question {
  readonly matrix: SharedArrayBuffer;
  readonly dimensions: number;
  readonly query: Float32Array;
  /** Which rows may answer. */
  readonly rows: Uint32Array;
  readonly most: number;
}

/** A file that starts itself as a worker is found under the same name from source and from the build. */
const ROLE = "coffre: scan vectors";

/** Compares a vector with many, in a worker thread. Exact: it compares all of them, so a filter hides nothing. One call at a time. */
export class VectorScan {
  readonly #worker = new Worker(new URL(import.meta.url), { workerData: ROLE });
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    // Keeps the process alive only during a call.
    this.#worker.unref();
  }

  async nearest(question: Question): Promise<Nearest> {
    const answer = this.#last.then(() => this.#ask(question));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #ask(question: Question): Promise<Nearest> {
    const { promise, resolve, reject } = Promise.withResolvers<Nearest>();
    const ended = (code: number): void => reject(new Error(`The vector scan ended (${code}).`));
    this.#worker.once("message", resolve).once("error", reject).once("exit", ended);
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    this.#worker.postMessage(question);
    try {
      return await promise;
    } finally {
      this.#worker.unref();
      this.#worker.off("message", resolve).off("error", reject).off("exit", ended);
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function serve(port: MessagePort): void {
  port.on("message", (question: Question) => port.postMessage(scan(question)));
}

function scan({ matrix, dimensions, query, rows, most }: Question): Nearest {
  const values = new Float32Array(matrix);
  const best: { place: number; score: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < rows.length; place += 1) {
    const score = dot(values, (rows[place] ?? 0) * dimensions, query);
    if (best.length >= most && score <= least) continue;
    const before = best.findLastIndex((each) => each.score >= score);
    best.splice(before + 1, 0, { place, score });
    if (best.length > most) best.pop();
    least = best.at(-1)?.score ?? least;
  }
  return {
    places: Uint32Array.from(best, ({ place }) => place),
    scores: Float32Array.from(best, ({ score }) => score),
  };
}

/** Four sums at once: the processor adds them in parallel. */
function dot(values: Float32Array, start: number, query: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const { length } = query;
  const whole = length - (length % 4);
  for (let at = 0; at < whole; at += 4) {
    a += (values[start + at] ?? 0) * (query[at] ?? 0);
    b += (values[start + at + 1] ?? 0) * (query[at + 1] ?? 0);
    c += (values[start + at + 2] ?? 0) * (query[at + 2] ?? 0);
    d += (values[start + at + 3] ?? 0) * (query[at + 3] ?? 0);
  }
  for (let at = whole; at < length; at += 1) a += (values[start + at] ?? 0) * (query[at] ?? 0);
  return a + b + c + d;
}

if (!isMainThread && workerData === ROLE && parentPort !== null) serve(parentPort);
