import { expect } from "vitest";

import type { ToolName } from "../../src/tools/registry.ts";
import type { Args, Door } from "./doors.ts";
import type { DoorStatement } from "./statement.ts";

interface Available {
  readonly tool: ToolName;
  readonly update: boolean;
  readonly search: boolean;
  /** A call that changes nothing. */
  readonly args: Args;
}

const missing = "vault/none/none.md";

const TABLE: readonly Available[] = [
  { tool: "tree", update: true, search: true, args: { path: missing } },
  { tool: "read", update: true, search: true, args: { paths: missing } },
  { tool: "search", update: true, search: true, args: { queries: ["…"] } },
  { tool: "concat", update: false, search: true, args: { files: [{ path: missing }] } },
  { tool: "write", update: true, search: false, args: { path: missing, content: "" } },
  {
    tool: "edit",
    update: true,
    search: false,
    args: { path: missing, old_content: "a", new_content: "b" },
  },
  {
    tool: "append",
    update: true,
    search: false,
    args: { path: missing, content: "", position: "top" },
  },
  { tool: "move", update: true, search: false, args: { from: missing, to: "vault/x.md" } },
  { tool: "delete", update: true, search: false, args: { path: missing } },
];

/** A tool that a caller does not have is not known to it; one that it has refuses these calls for their own reason. */
const UNKNOWN = /There is no tool "/u;

async function expectTool(door: Door, { tool, args }: Available, isThere: boolean): Promise<void> {
  if (door.kind === "MCP") expect((await door.tools()).includes(tool)).toBe(isThere);
  const said = await door.ask(tool, args).then(
    ({ text }) => text,
    (error: unknown) => String(error),
  );
  expect(UNKNOWN.test(said)).toBe(!isThere);
}

/** One statement for each cell of the table of tools and profiles. */
export const AVAILABILITY: readonly DoorStatement[] = TABLE.flatMap((row) =>
  (["update", "search"] as const).map((profile): DoorStatement => {
    const isThere = row[profile];
    return {
      states: `${row.tool} ${isThere ? "exists" : "does not exist"} for the ${profile} profile`,
      profile,
      // A person has all nine as commands.
      notInShell: true,
      check: async (door) => expectTool(door, row, isThere),
    };
  }),
);
