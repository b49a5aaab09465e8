import { arg, defineCommand } from "../../table/command.ts";
import { runTool } from "../../vault/tool-result.ts";

export const move = defineCommand({
  name: "move",
  summary: "Move or rename a file or folder",
  positionals: {
    from: arg.one("FROM", "The file or folder", { completes: "vault-path" }),
    to: arg.one("TO", "Its new path, or the folder to put it in", { completes: "vault-path" }),
  },
  options: {
    "no-update-links": arg.flag("Leave the links to it, and its own, as they are written"),
  },
  details:
    "Never replaces anything. Links to what moved are rewritten, so that they still lead there.",
  examples: [
    "coffre move bucket/plan.md projects/garden/plan.md",
    "coffre move projects/garden archive/",
  ],
  synonyms: ["mv", "rename", "ren"],
  run: async (input, context) =>
    runTool(
      "move",
      {
        from: input.one("from"),
        to: input.one("to"),
        update_links: !input.flag("no-update-links"),
      },
      context,
      { need: "change" },
    ),
});
