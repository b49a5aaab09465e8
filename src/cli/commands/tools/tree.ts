import { treeColours } from "../../output/colours.ts";
import { arg, defineCommand } from "../../table/command.ts";
import { runTool } from "../../vault/tool-result.ts";

export const tree = defineCommand({
  name: "tree",
  summary: "Show folders and files with their tokens and last change",
  positionals: {
    path: arg.text("PATH", "A folder or file; the whole vault when left out", {
      completes: "vault-path",
    }),
  },
  options: {
    depth: arg.number("N", "Unfold only N levels; 0 for the line alone"),
  },
  examples: ["coffre tree", "coffre tree projects --depth 1", "coffre tree --json"],
  synonyms: ["ls", "dir", "list"],
  run: async (input, context) => {
    const args = { path: input.text("path"), depth: input.number("depth") };
    return runTool("tree", args, context, { need: "look", colouring: treeColours });
  },
});
