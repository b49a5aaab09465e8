import { describe, expect, it } from "vitest";

import type { RunEvent } from "../../src/server/api/agent-contract.ts";
import { withEvent, type Step } from "./steps.ts";

function stepsOf(...events: RunEvent[]): readonly Step[] {
  return events.reduce<readonly Step[]>((steps, event) => withEvent(steps, event), []);
}

describe("what an agent does", () => {
  it("is shown call by call, with what each is about", () => {
    const steps = stepsOf(
      {
        type: "call",
        id: "1",
        tool: "search",
        args: '{"queries":["kiln","deposit"],"mode":"fast"}',
        about: "kiln, deposit",
      },
      { type: "call", id: "2", tool: "read", args: '{"paths":"vault/a.md"}', about: "vault/a.md" },
      { type: "result", id: "1", tool: "search", isError: false, text: "…" },
    );
    expect(steps).toMatchObject([
      { tool: "search", text: "kiln, deposit", isDone: true },
      { tool: "read", text: "vault/a.md", isDone: false },
    ]);
  });

  it("puts the words of a thought together", () => {
    const steps = stepsOf(
      { type: "thinking", text: "Hale is " },
      { type: "thinking", text: "the roofer." },
      { type: "call", id: "1", tool: "tree", args: "{}" },
    );
    expect(steps).toMatchObject([{ text: "Hale is the roofer.", isDone: true }, { tool: "tree" }]);
  });

  it("shows a call without what it is about, as a service of an older version sends it", () => {
    expect(stepsOf({ type: "call", id: "1", tool: "read", args: "{not json" })).toMatchObject([
      { tool: "read", text: "" },
    ]);
  });
});
