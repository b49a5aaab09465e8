import type { RunEvent } from "../../src/server/api/agent-contract.ts";

/** Something an agent does, in the order it does it. */
export interface Step {
  readonly id: string;
  readonly kind: "call" | "thinking" | "retry";
  /** Of a call. */
  readonly tool: string;
  readonly text: string;
  readonly isDone: boolean;
}

/** The steps after one more event. Of what the model thinks, one line is shown at a time. */
export function withEvent(steps: readonly Step[], event: RunEvent): readonly Step[] {
  const last = steps.at(-1);
  switch (event.type) {
    case "call":
      return [
        ...settled(steps),
        { id: event.id, kind: "call", tool: event.tool, text: event.about ?? "", isDone: false },
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
