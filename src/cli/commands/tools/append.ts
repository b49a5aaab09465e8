import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { readStdin } from "../../table/stdin.ts";
import { runTool } from "../../vault/tool-result.ts";

export const append = defineCommand({
  name: "append",
  summary: "Add text at the top or bottom of a file",
  positionals: {
    path: arg.one("PATH", "The file; it is created when missing", { completes: "vault-path" }),
    text: arg.text("TEXT", "What to add; standard input when left out or -"),
  },
  options: {
    top: arg.flag("Right after the frontmatter, as for a changelog"),
    bottom: arg.flag("At the end"),
  },
  usage: "PATH [TEXT] --top|--bottom",
  examples: [
    'coffre append tasks.md "- [ ] Call the roofer" --bottom',
    "coffre append changelog.md --top < today.md",
    "date | coffre append bucket/times.md --bottom",
  ],
  synonyms: ["add", "prepend"],
  run: async (input, context) => {
    if (input.flag("top") === input.flag("bottom")) {
      throw new UsageError("Say where the text goes: either --top or --bottom.");
    }
    const text = input.text("text");
    const content =
      text === undefined || text === "-"
        ? await readStdin(context.stdin(), "as an argument after the path, or on standard input")
        : text;
    const position = input.flag("top") ? "top" : "bottom";
    const args = { path: input.one("path"), content, position };
    return runTool("append", args, context, { need: "change" });
  },
});
