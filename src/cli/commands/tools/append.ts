import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { readStdin } from "../../table/stdin.ts";
import { runTool } from "../../vault/tool-result.ts";
import { REPLACES, replacesOf } from "./replaces-option.ts";

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
    replaces: arg.list(REPLACES.value, REPLACES.summary),
  },
  usage: "PATH [TEXT] --top|--bottom [--replaces PATH:LINES[=OLD]]...",
  examples: [
    'coffre append tasks.md "- [ ] Call the roofer" --bottom',
    "coffre append changelog.md --top < today.md",
    'coffre append changelog.md "## Slates: £310 more" --top --replaces "changelog.md:40-44=£4,280"',
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
    const replaces = replacesOf(input.list("replaces"));
    const args = { path: input.one("path"), content, position, ...replaces };
    return runTool("append", args, context, { need: "change" });
  },
});
