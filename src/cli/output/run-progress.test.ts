import { describe, expect, it } from "vitest";

import type { RunEvent } from "../../agents/contract.ts";
import { french } from "../../texts/french.ts";
import { runProgress } from "./run-progress.ts";
import { Screen } from "./screen.ts";

/** The lines that a person at a terminal sees, one after the other. */
function shown(events: readonly RunEvent[], language = null as typeof french | null): string[] {
  let written = "";
  const stderr = { write: (text: string) => (written += text), isTTY: true };
  const stdout = { write: () => {}, isTTY: true };
  const screen = new Screen({ stdout, stderr, environment: {}, json: false, language });
  const show = runProgress(screen);
  for (const event of events) show(event);
  return written.split("\r\u001b[2K").slice(1);
}

describe("the progress line", () => {
  it("says what is done, and not how it was called", () => {
    const call = { type: "call", id: "1", tool: "search", args: '{"queries":["kiln"]}' } as const;
    const lines = shown([
      { ...call, about: "kiln" },
      { ...call, tool: "append", about: "vault/changelog.md" },
      { ...call, tool: "tree", about: "" },
    ]);
    expect(lines).toEqual([
      "Searching for kiln",
      "Adding to vault/changelog.md",
      "Looking at the tree",
    ]);
    expect(shown([{ ...call, about: "four" }], french)).toEqual(["Cherche four"]);
  });

  it("keeps thoughts and the answer apart, and begins with a whole word", () => {
    const thought = "The person speaks of the roofer, whom the note of Monday names too, so it is";
    const lines = shown([
      { type: "thinking", text: thought },
      { type: "thinking", text: " clear." },
      { type: "text", text: "I file it." },
      { type: "thinking", text: "Done?" },
    ]);
    expect(lines).toEqual([
      "Thinking: … the roofer, whom the note of Monday names too, so it is",
      "Thinking: … whom the note of Monday names too, so it is clear.",
      "I file it.",
      "Thinking: Done?",
    ]);
  });

  it("says why a call was refused in words", () => {
    const text = "Error (not_found): There is no vault/a.md.";
    const lines = shown([{ type: "result", id: "1", tool: "read", isError: true, text }]);
    expect(lines).toEqual(["There is no vault/a.md."]);
  });
});
