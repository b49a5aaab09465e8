import { readFileSync } from "node:fs";

import { blockColours } from "../../output/colours.ts";
import { explainErrno } from "../../../errors.ts";
import { decodeText, readStdin, type InputStream } from "../../table/stdin.ts";
import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { callAfterRead, expectHash } from "../../vault/read-before-write.ts";
import { shellQuote } from "../../system/shell-quote.ts";
import { withVault } from "../../vault/with-vault.ts";
import { callTool, showResult } from "../../vault/tool-result.ts";

export const edit = defineCommand({
  name: "edit",
  summary: "Replace one passage of a file",
  positionals: {
    path: arg.one("PATH", "The file", { completes: "vault-path" }),
  },
  options: {
    old: arg.text(
      "TEXT",
      "The passage: unique in the file, or with its line numbers as read shows them",
    ),
    new: arg.text("TEXT", 'What replaces it; "" removes it'),
    "old-file": arg.text("FILE", "The passage from a file, or - for standard input", {
      completes: "file",
    }),
    "new-file": arg.text("FILE", "The replacement from a file, or - for standard input", {
      completes: "file",
    }),
    "if-hash": arg.text("HASH", "Edit only this version (coffre read PATH --json gives its hash)"),
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

/** A text given on the command line, or the file it is in. */
interface Source {
  readonly text: string | undefined;
  readonly file: string | undefined;
}

/** The two texts of an edit, from wherever each is given. */
async function chooseTexts(
  oldSource: Source,
  newSource: Source,
  stdin: () => InputStream,
): Promise<{ old: string; new: string }> {
  checkSource("old", oldSource);
  checkSource("new", newSource);
  if (oldSource.file === "-" && newSource.file === "-") {
    throw new UsageError("Only one of --old-file and --new-file can be standard input.");
  }
  const given = { old: await read(oldSource, stdin), new: await read(newSource, stdin) };
  return {
    old: oldSource.file === undefined ? given.old : withoutLoneEnding(given.old, given.new),
    new: newSource.file === undefined ? given.new : withoutLoneEnding(given.new, given.old),
  };
}

function checkSource(name: string, { text, file }: Source): void {
  if (text === undefined && file === undefined) {
    throw new UsageError(`--${name} is missing; give it, or --${name}-file.`);
  }
  if (text !== undefined && file !== undefined) {
    throw new UsageError(`--${name} and --${name}-file exclude each other: give one.`);
  }
}

async function read({ text, file }: Source, stdin: () => InputStream): Promise<string> {
  if (text !== undefined || file === undefined) return text ?? "";
  if (file === "-") return readStdin(stdin(), "on standard input, or name a file");
  try {
    return decodeText(readFileSync(file), file);
  } catch (error) {
    throw explainErrno(error, file);
  }
}

/**
 * Every file ends with a line ending, most arguments do not. Taken to the letter, replacing a word by the one in a file would break
 * the line after it.
 */
function withoutLoneEnding(text: string, other: string): string {
  const isLone = other !== "" && !other.endsWith("\n");
  return isLone ? text.replace(/\r?\n$/u, "") : text;
}
