import type { RecallAnswer, RunEvent } from "../../src/server/agent-contract.ts";
import { readEventStream } from "../api/event-stream.ts";
import { problemOf, RequestProblem } from "../api/problem.ts";
import { send } from "../api/request.ts";
import { Store } from "../api/store.ts";

/** Something the search agent does, in the order it does it. */
export interface Step {
  readonly id: string;
  readonly kind: "call" | "thinking" | "retry";
  /** Of a call. */
  readonly tool: string;
  readonly text: string;
  readonly isDone: boolean;
}

/** A question, and how far its answer is. */
export interface Asked {
  readonly question: string;
  readonly steps: readonly Step[];
  readonly answer: RecallAnswer | null;
  readonly problem: RequestProblem | null;
  readonly isStopped: boolean;
}

/** Asks the search agent, one question at a time. What was asked last is kept while one looks at other views. */
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
        else if (name === "problem") set({ problem: problemIn(data) });
        else set({ steps: withEvent(asked.steps, JSON.parse(data)) });
      }
      if (asked.answer === null && asked.problem === null) {
        set({ problem: new RequestProblem("unreachable", "") });
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

function problemIn(data: string): RequestProblem {
  const { code, detail }: { code: string; detail: string } = JSON.parse(data);
  return new RequestProblem(code, detail);
}

/** The steps after one more event. Of what the model thinks, one line is shown at a time. */
export function withEvent(steps: readonly Step[], event: RunEvent): readonly Step[] {
  const last = steps.at(-1);
  switch (event.type) {
    case "call":
      return [
        ...settled(steps),
        { id: event.id, kind: "call", tool: event.tool, text: argsText(event.args), isDone: false },
      ];
    case "result":
      return steps.map((step) => (step.id === event.id ? { ...step, isDone: true } : step));
    case "thinking":
      if (last?.kind === "thinking") {
        return [...steps.slice(0, -1), { ...last, text: last.text + event.text }];
      }
      return [
        ...steps,
        {
          id: `thinking ${steps.length}`,
          kind: "thinking",
          tool: "",
          text: event.text,
          isDone: false,
        },
      ];
    case "retry":
      return [
        ...steps,
        { id: `retry ${steps.length}`, kind: "retry", tool: "", text: event.reason, isDone: true },
      ];
    case "text":
    case "done":
    case "error":
      return settled(steps);
  }
}

function settled(steps: readonly Step[]): readonly Step[] {
  return steps.map((step) => (step.kind === "thinking" ? { ...step, isDone: true } : step));
}

/** What a call is about: its words and paths, without the rest of its arguments. */
function argsText(args: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(args);
  } catch {
    return "";
  }
  return stringsIn(parsed).join(", ");
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((each) => stringsIn(each));
  if (typeof value !== "object" || value === null) return [];
  const told = Object.entries(value).filter(([key]) => key !== "mode" && key !== "lines");
  return told.flatMap(([, each]) => stringsIn(each));
}
