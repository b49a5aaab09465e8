import path from "node:path";

import { ingestSettings } from "../../config.ts";
import type { Gathered } from "../../ingest/filing/gather.ts";
import type { UpdateView } from "../../server/api/agent-contract.ts";
import { defineCommand, type CommandContext, type ExitCode } from "../table/command.ts";
import { readHandedFiles } from "../vault/handed-files.ts";
import { withVault } from "../vault/open-vault.ts";
import { withMemory, type Accepted } from "../vault/memory-caller.ts";
import { runProgress } from "../output/run-progress.ts";
import { readStdin } from "../stdin.ts";
import { updateText } from "../output/update-text.ts";

export const remember = defineCommand({
  name: "remember",
  summary: "Hand over a text or files, to be filed where they belong",
  group: "Change",
  positionals: {
    text: {
      kind: "text",
      label: "TEXT",
      summary: "What to remember; standard input when - or when nothing else is given",
    },
  },
  options: {
    file: {
      kind: "list",
      label: "F",
      summary: "A file of this machine: text, picture, PDF, mail, …; may be repeated",
      completes: "file",
    },
    "inbox-ref": { kind: "text", label: "REF", summary: "The inbox item that this answers" },
    trust: {
      kind: "flag",
      summary: "The text of the files is mine: let it change more than inbox and buckets",
    },
    wait: { kind: "flag", summary: "Until it is filed, and not only until it is safe" },
  },
  usage: "[TEXT|-] [--file F]… [--inbox-ref REF] [--trust] [--wait]",
  details:
    "With a model (COFFRE_MODEL) an agent files it; without one, or when it is unsure, it waits in the inbox with a question. A running service files it in its turn; without one, this command does so before it ends.",
  examples: [
    'coffre remember "Hale starts on the 12th, deposit paid"',
    "coffre remember --file roof.jpg 'the roof today' --wait",
    "pbpaste | coffre remember -",
  ],
  synonyms: ["note", "update", "save"],
  run: async (input, context) => {
    const named = input.list("file");
    const files = await readHandedFiles(named, async (file) => convertFile(file, context));
    const text = input.text("text");
    const isPiped = text === "-" || (text === undefined && files.names.length === 0);
    const said = isPiped
      ? await readStdin(context.stdin(), "as an argument, on standard input, or with --file")
      : (text ?? "");
    const { screen } = context;
    return withMemory(context, async (memory) => {
      const onEvent = runProgress(screen);
      const update = await memory.remember(
        {
          content: [said, files.text].filter((part) => part.trim() !== "").join("\n\n"),
          images: files.images,
          sources: files.names,
          isUntrusted: files.text !== "" && !input.flag("trust"),
          inboxRef: input.text("inbox-ref") ?? null,
          from: "cli",
        },
        { isWaiting: input.flag("wait"), onEvent },
      );
      screen.progress(null);
      return showUpdate(update, context);
    });
  },
});

/** For files that are neither text nor images. */
async function convertFile(file: string, context: CommandContext): Promise<Gathered> {
  const { environment, now, screen } = context;
  return withVault(context, async (vault) => {
    const { createIngest } = await import("../../ingest/ingest.ts");
    const ingest = createIngest({ vault, now, settings: ingestSettings(environment) });
    screen.progress(`Reading ${path.basename(file)}…`);
    try {
      return await ingest.convert({ name: path.basename(file), path: path.resolve(file) });
    } finally {
      screen.progress(null);
    }
  });
}

/** Prints what came of an update. */
export function showUpdate(
  update: UpdateView | Accepted,
  { screen }: Pick<CommandContext, "screen">,
): ExitCode {
  const isFailed = update.status === "failed" || update.status === "cancelled";
  if (screen.json && isFailed) screen.failJson(update);
  else if (screen.json) screen.printJson(update);
  else if (isFailed) screen.warn(updateText(update));
  else screen.print(updateText(update));
  return isFailed ? 1 : 0;
}
