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
  const given = Object.entries(value).filter(([key]) => key !== "mode" && key !== "lines");
  return given.flatMap(([, each]) => stringsIn(each));
}
