import { blockColours } from "../../output/colours.ts";
import { arg, defineCommand } from "../../table/command.ts";
import { runTool } from "../../vault/tool-result.ts";

export const read = defineCommand({
  name: "read",
  summary: "Show files with numbered lines",
  positionals: {
    paths: arg.list("PATH", "Files, or folders for the files directly in them", {
      completes: "vault-path",
    }),
  },
  options: {
    head: arg.number("N", "Only the first lines, about N tokens"),
    tail: arg.number("N", "Only the last lines, about N tokens"),
    folded: arg.flag("Only the headings, with the size of what is under each"),
  },
  details: "With --json each file comes with its hash, which edit and write take as --if-hash.",
  examples: [
    "coffre read tasks.md",
    "coffre read projects/garden/ profile.md --head 200",
    "coffre read changelog.md --folded",
  ],
  synonyms: ["cat", "view", "less", "get"],
  run: async (input, context) => {
    const args = {
      paths: input.list("paths"),
      head: input.number("head"),
      tail: input.number("tail"),
      folded: input.flag("folded"),
    };
    return runTool("read", args, context, { need: "look", colouring: blockColours });
  },
});
