import { blockColours } from "../../output/colours.ts";
import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { callTool, showResult } from "../../vault/tool-result.ts";
import { withAnyVault } from "../../vault/with-vault.ts";
import { splitRange } from "./line-range.ts";

export const read = defineCommand({
  name: "read",
  summary: "Show files with numbered lines",
  positionals: {
    paths: arg.list(
      "PATH[:LINES]",
      "Files, with :9-14 only these lines; or folders for the files directly in them",
      { completes: "vault-path" },
    ),
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
    "coffre read changelog.md:10-20",
  ],
  synonyms: ["cat", "view", "less", "get"],
  run: async (input, context) => {
    const paths = input.list("paths");
    const args = {
      paths,
      head: input.number("head"),
      tail: input.number("tail"),
      folded: input.flag("folded"),
    };
    return withAnyVault(context, "look", async (vault) => {
      const files = await Promise.all(paths.map(async (file) => splitRange(file, vault.client)));
      const isPart = files.some(({ lines }) => lines !== undefined);
      if (isPart && (args.head !== undefined || args.tail !== undefined || args.folded)) {
        throw new UsageError(
          "Lines after the path say what to show: leave out --head, --tail and --folded.",
        );
      }
      const result = isPart
        ? await vault.client.callTool({
            name: "concat",
            args: { files },
            profile: "search",
            isRepeatable: true,
          })
        : await callTool(vault, "read", args, "look");
      return showResult(result, vault, { colouring: blockColours });
    });
  },
});
