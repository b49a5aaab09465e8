import { arg, defineCommand, UsageError, type CommandContext } from "../../table/command.ts";
import { callAfterRead } from "../../vault/read-before-write.ts";
import { shellQuote } from "../../system/shell-quote.ts";
import { readStdin } from "../../table/stdin.ts";
import { withAnyVault } from "../../vault/with-vault.ts";
import { callTool, showResult } from "../../vault/tool-result.ts";

export const write = defineCommand({
  name: "write",
  summary: "Create a file, or replace one",
  positionals: {
    path: arg.one("PATH", "The file", { completes: "vault-path" }),
    text: arg.text("TEXT", "The whole text; standard input when left out or -"),
  },
  options: {
    content: arg.text("TEXT", "The same as TEXT after the path"),
    force: arg.flag("Replace whatever is there"),
    "if-hash": arg.text(
      "HASH",
      "Replace only this version (coffre read PATH --json gives its hash)",
    ),
  },
  details: "Frontmatter keys of an existing file that the new text leaves out are kept.",
  examples: [
    'coffre write bucket/idea.md "A bench under the plum tree."',
    "coffre write projects/garden/state.md --force < state.md",
  ],
  synonyms: ["put", "save", "create", "new"],
  run: async (input, context) => {
    const [path, hash, force] = [input.one("path"), input.text("if-hash"), input.flag("force")];
    if (hash !== undefined && force) {
      throw new UsageError(
        "--force replaces any version and --if-hash only one: give one of them.",
      );
    }
    const content = await contentOf(input.text("text"), input.text("content"), context);
    return withAnyVault(context, "change", async (vault) => {
      const result =
        force || hash !== undefined
          ? await callAfterRead("write", { path, content }, vault, hash)
          : await callTool(vault, "write", { path, content }, "change");
      return showResult(result, vault, {
        hint: (code) => (code === "conflict" ? howToReplace(path) : undefined),
      });
    });
  },
});

async function contentOf(
  text: string | undefined,
  option: string | undefined,
  { stdin }: CommandContext,
): Promise<string> {
  if (text !== undefined && option !== undefined) {
    throw new UsageError("TEXT and --content are the same: give one.");
  }
  if (option !== undefined) return option;
  if (text !== undefined && text !== "-") return text;
  return readStdin(stdin(), "as an argument after the path, or on standard input");
}

function howToReplace(path: string): string {
  const file = shellQuote(path);
  return `To replace it: coffre write ${file} --force, or --if-hash with the hash from: coffre read ${file} --json`;
}
