import type { RecallAnswer } from "../../src/server/api/agent-contract.ts";
import { readEventStream } from "../api/event-stream.ts";
import { problemOf, saidProblem, unreachable, type RequestProblem } from "../api/problem.ts";
import { send } from "../api/request.ts";
import { Store } from "../api/store.ts";
import { withEvent, type Step } from "../steps/steps.ts";

/** A question, and how far its answer is. */
export interface Asked {
  readonly question: string;
  readonly steps: readonly Step[];
  readonly answer: RecallAnswer | null;
  readonly problem: RequestProblem | null;
  readonly isStopped: boolean;
}

/** Asks the search agent, one question at a time. The last question is kept while other views are shown. */
export class AskModel {
  readonly asked = new Store<Asked | null>(null);
  #abort: AbortController | null = null;

  /** The answer comes step by step in {@link asked}. */
  async ask(question: string): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    let asked: Asked = { question, steps: [], answer: null, problem: null, isStopped: false };
    const set = (part: Partial<Asked>): void => {
      asked = { ...asked, ...part };
      if (this.#abort === abort) this.asked.set(asked);
    };
    set({});
    try {
      const response = await send("/api/search", {
        method: "POST",
        headers: { accept: "text/event-stream", "content-type": "application/json" },
        body: JSON.stringify({ question }),
        signal: abort.signal,
      });
      for await (const { name, data } of readEventStream(response)) {
        if (name === "answer") set({ answer: JSON.parse(data) });
        else if (name === "problem") set({ problem: await problemIn(data) });
        else set({ steps: withEvent(asked.steps, JSON.parse(data)) });
      }
      if (asked.answer === null && asked.problem === null) {
        set({ problem: unreachable() });
      }
    } catch (error) {
      if (abort.signal.aborted) set({ isStopped: true });
      else set({ problem: problemOf(error) });
    }
  }

  stop(): void {
    this.#abort?.abort();
  }
}

async function problemIn(data: string): Promise<RequestProblem> {
  const { code, detail }: { code: string; detail: string } = JSON.parse(data);
  return saidProblem(code, detail);
}
