import { blockColours } from "../../output/colours.ts";
import { defineCommand } from "../../table/command.ts";
import { splitRange } from "../../vault/line-range.ts";
import { withTools } from "../../vault/tool-caller.ts";
import { showResult } from "../../output/tool-result.ts";

export const concat = defineCommand({
  name: "concat",
  summary: "Assemble files and line ranges into one text",
  group: "Look",
  positionals: {
    files: {
      kind: "list",
      label: "PATH[:LINES]",
      summary: "Files in order, each with the lines to take: notes.md:9-14, or :9 for one",
      completes: "vault-path",
    },
  },
  options: {},
  examples: [
    "coffre concat profile.md projects/garden/state.md:5-20",
    "coffre concat changelog.md:1-12 changelog.md:40",
  ],
  synonyms: ["join"],
  run: async (input, context) =>
    withTools(context, async ({ vault, call }) => {
      const words = input.list("files");
      const files = await Promise.all(words.map(async (file) => splitRange(file, vault)));
      return showResult(await call("concat", { files }), vault, context, {
        colouring: blockColours,
      });
    }),
});
