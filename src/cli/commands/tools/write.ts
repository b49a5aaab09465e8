import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { callAfterRead, expectHash } from "../../vault/read-before-write.ts";
import { shellQuote } from "../../system/shell-quote.ts";
import { readStdin } from "../../table/stdin.ts";
import { withVault } from "../../vault/with-vault.ts";
import { callTool, showResult } from "../../vault/tool-result.ts";

export const write = defineCommand({
  name: "write",
  summary: "Create a file, or replace one",
  positionals: {
    path: arg.one("PATH", "The file", { completes: "vault-path" }),
  },
  options: {
    content: arg.text("TEXT", "The whole text; standard input when left out"),
    force: arg.flag("Replace whatever is there"),
    "if-hash": arg.text(
      "HASH",
      "Replace only this version (coffre read PATH --json gives its hash)",
    ),
  },
  details: "Frontmatter keys of an existing file that the new text leaves out are kept.",
  examples: [
    'coffre write bucket/idea.md --content "A bench under the plum tree."',
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
    const content =
      input.text("content") ??
      (await readStdin(context.stdin(), "with --content, or on standard input"));
    return withVault(context, "change", async (vault) => {
      if (hash !== undefined) await expectHash(path, hash, vault);
      const result = force
        ? await callAfterRead(path, "write", { path, content }, vault)
        : await callTool(vault, "write", { path, content }, "change");
      return showResult(result, vault.place, context, {
        hint: (code) => (code === "conflict" ? howToReplace(path) : undefined),
      });
    });
  },
});

function howToReplace(path: string): string {
  const file = shellQuote(path);
  return `To replace it: coffre write ${file} --force, or --if-hash with the hash from: coffre read ${file} --json`;
}
