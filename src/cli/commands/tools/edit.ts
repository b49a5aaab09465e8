import { blockColours } from "../../output/colours.ts";
import { defineCommand } from "../../table/command.ts";
import { chooseTexts } from "../../edit-texts.ts";
import { callAfterRead, expectHash } from "../../vault/read-before-write.ts";
import { shellQuote } from "../../shell-quote.ts";
import { withVault } from "../../vault/with-vault.ts";
import { callTool, showResult } from "../../output/tool-result.ts";

export const edit = defineCommand({
  name: "edit",
  summary: "Replace one passage of a file",
  group: "Change",
  positionals: {
    path: { kind: "one", label: "PATH", summary: "The file", completes: "vault-path" },
  },
  options: {
    old: {
      kind: "text",
      label: "TEXT",
      summary: "The passage: unique in the file, or with its line numbers as read shows them",
    },
    new: { kind: "text", label: "TEXT", summary: 'What replaces it; "" removes it' },
    "old-file": {
      kind: "text",
      label: "FILE",
      summary: "The passage from a file, or - for standard input",
      completes: "file",
    },
    "new-file": {
      kind: "text",
      label: "FILE",
      summary: "The replacement from a file, or - for standard input",
      completes: "file",
    },
    "if-hash": {
      kind: "text",
      label: "HASH",
      summary: "Edit only this version (coffre read PATH --json gives its hash)",
    },
  },
  usage: "PATH (--old TEXT | --old-file FILE) (--new TEXT | --new-file FILE) [--if-hash HASH]",
  details:
    "The last line ending of a FILE counts only if the other text has one too, so that both can be mixed with arguments.",
  examples: [
    'coffre edit tasks.md --old "- [ ] Call the roofer" --new "- [x] Call the roofer"',
    'coffre edit profile.md --old "12 | Lives in Ghent" --new "12 | Lives in Bruges"',
    "coffre edit projects/garden/state.md --old-file before.txt --new-file - < after.txt",
  ],
  synonyms: ["replace", "sed", "change"],
  run: async (input, context) => {
    const [path, hash] = [input.one("path"), input.text("if-hash")];
    const texts = await chooseTexts(
      { text: input.text("old"), file: input.text("old-file") },
      { text: input.text("new"), file: input.text("new-file") },
      context.stdin,
    );
    const args = { path, old_content: texts.old, new_content: texts.new };
    return withVault(context, "change", async (vault) => {
      if (hash !== undefined) await expectHash(path, hash, vault);
      const result =
        hash === undefined
          ? await callAfterRead(path, "edit", args, vault)
          : await callTool(vault, "edit", args, "change");
      return showResult(result, vault.place, context, {
        colouring: blockColours,
        hint: (code) =>
          code === "conflict" && hash !== undefined
            ? `Its present hash is in: coffre read ${shellQuote(path)} --json`
            : undefined,
      });
    });
  },
});
