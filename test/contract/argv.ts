import { z } from "zod";

import type { ToolName } from "../../src/tools/registry.ts";
import type { Args } from "./doors.ts";

const Files = z.array(z.object({ path: z.string(), lines: z.string().nullish() }));

/** A call as a person types it. */
export function argvOf(tool: ToolName, args: Args): string[] {
  const one = (name: string): string[] => list(args[name]);
  const option = (name: string, typed = name): string[] =>
    list(args[name]).flatMap((value) => [`--${typed}`, value]);
  switch (tool) {
    case "read": {
      const folded = args["folded"] === true ? ["--folded"] : [];
      return ["read", ...one("paths"), ...option("head"), ...option("tail"), ...folded];
    }
    case "concat": {
      const files = Files.parse(args["files"]);
      const typed = files.map(({ path, lines }) => (lines ? `${path}:${lines}` : path));
      return ["concat", ...typed];
    }
    case "tree":
      return ["tree", ...one("path"), ...option("depth")];
    case "search":
      return ["search", ...one("queries"), ...option("scopes", "scope"), ...option("limit")];
    case "write":
      return ["write", ...one("path"), ...option("content")];
    case "edit":
      return [
        "edit",
        ...one("path"),
        ...option("old_content", "old"),
        ...option("new_content", "new"),
      ];
    case "append":
      return ["append", ...one("path"), ...one("content"), `--${one("position").join("")}`];
    case "move":
      return ["move", ...one("from"), ...one("to")];
    case "delete":
      return ["delete", ...one("path")];
  }
}

/** Nothing for what is left out or null. */
function list(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
