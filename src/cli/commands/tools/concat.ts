import { blockColours } from "../../output/colours.ts";
import { arg, defineCommand } from "../../table/command.ts";
import { withAnyVault } from "../../vault/with-vault.ts";
import { showResult } from "../../vault/tool-result.ts";
import { splitRange } from "./line-range.ts";

export const concat = defineCommand({
  name: "concat",
  summary: "Assemble files and line ranges into one text",
  positionals: {
    files: arg.list(
      "PATH[:LINES]",
      "Files in order, each with the lines to take: notes.md:9-14, or :9 for one",
      { completes: "vault-path" },
    ),
  },
  examples: [
    "coffre concat profile.md projects/garden/state.md:5-20",
    "coffre concat changelog.md:1-12 changelog.md:40",
  ],
  synonyms: ["join"],
  run: async (input, context) =>
    withAnyVault(context, "look", async (vault) => {
      const named = input.list("files");
      const files = await Promise.all(named.map(async (file) => splitRange(file, vault.client)));
      const call = { name: "concat", args: { files }, profile: "search" } as const;
      const result = await vault.client.callTool({ ...call, isRepeatable: true });
      return showResult(result, vault, { colouring: blockColours });
    }),
});
