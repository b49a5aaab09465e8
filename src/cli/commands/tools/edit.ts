import { readFileSync } from "node:fs";

import { blockColours } from "../../output/colours.ts";
import { explainErrno } from "../../../errors.ts";
import { decodeText, readStdin, type InputStream } from "../../table/stdin.ts";
import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { callAfterRead } from "../../vault/read-before-write.ts";
import { shellQuote } from "../../system/shell-quote.ts";
import { withAnyVault } from "../../vault/with-vault.ts";
import { showResult } from "../../vault/tool-result.ts";
import { REPLACES, replacesOf } from "./replaces-option.ts";

export const edit = defineCommand({
  name: "edit",
  summary: "Replace one passage of a file, or change its frontmatter keys",
  positionals: {
    path: arg.one("PATH", "The file", { completes: "vault-path" }),
  },
  options: {
    old: arg.text(
      "TEXT",
      "The passage: unique in the file, or with its line numbers as read shows them",
    ),
    section: arg.text("HEADING", "Instead of a passage: all under this heading, which stays"),
    new: arg.text("TEXT", 'What replaces it; "" removes it'),
    "old-file": arg.text("FILE", "The passage from a file, or - for standard input", {
      completes: "file",
    }),
    "new-file": arg.text("FILE", "The replacement from a file, or - for standard input", {
      completes: "file",
    }),
    set: arg.list("KEY=VALUE", "Set a key of the frontmatter; several times for several keys"),
    remove: arg.list("KEY", "Remove a key of the frontmatter; several times for several keys"),
    replaces: arg.list(REPLACES.value, REPLACES.summary),
    "if-hash": arg.text("HASH", "Edit only this version (coffre read PATH --json gives its hash)"),
  },
  usage:
    "PATH [(--old TEXT | --old-file FILE | --section HEADING) (--new TEXT | --new-file FILE)] [--set KEY=VALUE]... [--remove KEY]... [--replaces PATH:LINES[=OLD]]... [--if-hash HASH]",
  details:
    "The last line ending of a FILE counts only if the other text has one too, so that both can be mixed with arguments.",
  examples: [
    'coffre edit tasks.md --old "- [ ] Call the roofer" --new "- [x] Call the roofer"',
    'coffre edit projects/garden/state.md --section "Focus" --new "The new roof"',
    "coffre edit projects/garden/state.md --set status=done --set 'tags=[garden, 2026]' --remove due",
  ],
  synonyms: ["replace", "sed", "change"],
  run: async (input, context) => {
    const [path, hash] = [input.one("path"), input.text("if-hash")];
    const args = {
      path,
      ...(await passageOf(
        { text: input.text("old"), file: input.text("old-file") },
        { text: input.text("new"), file: input.text("new-file") },
        input.text("section"),
        context.stdin,
      )),
      ...propertiesOf(input.list("set"), input.list("remove")),
      ...replacesOf(input.list("replaces")),
    };
    if (Object.keys(args).length === 1) {
      throw new UsageError(
        "Say what to change: --old or --section with --new, or --set, --remove.",
      );
    }
    return withAnyVault(context, "change", async (vault) => {
      const result = await callAfterRead("edit", args, vault, hash);
      return showResult(result, vault, {
        colouring: blockColours,
        hint: (code) =>
          code === "conflict" && hash !== undefined
            ? `Its present hash is in: coffre read ${shellQuote(path)} --json`
            : undefined,
      });
    });
  },
});

/** `--set` and `--remove` as the tool takes them. */
function propertiesOf(
  set: readonly string[],
  remove: readonly string[],
): { properties?: { set: string[]; remove: readonly string[] } } {
  if (set.length + remove.length === 0) return {};
  const lines = set.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) {
      throw new UsageError(`--set takes KEY=VALUE, like status=done, not ${JSON.stringify(pair)}.`);
    }
    return `${pair.slice(0, equals)}: ${pair.slice(equals + 1)}`;
  });
  return { properties: { set: lines, remove } };
}

/** The place and its new text; nothing when only keys are changed. */
async function passageOf(
  oldSource: Source,
  newSource: Source,
  section: string | undefined,
  stdin: () => InputStream,
): Promise<{ old_content?: string; section?: string; new_content?: string }> {
  if (section !== undefined) {
    if (isGiven(oldSource))
      throw new UsageError("--section and --old exclude each other: give one.");
    checkSource("new", newSource);
    return { section, new_content: await read(newSource, stdin) };
  }
  if (!isGiven(oldSource) && !isGiven(newSource)) return {};
  const texts = await chooseTexts(oldSource, newSource, stdin);
  return { old_content: texts.old, new_content: texts.new };
}

function isGiven({ text, file }: Source): boolean {
  return text !== undefined || file !== undefined;
}

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
