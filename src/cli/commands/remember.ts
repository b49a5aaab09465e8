import { accessSync, constants, openAsBlob, statSync } from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../../errors.ts";
import type { UpdateView } from "../../server/api/agent-contract.ts";
import type { NamedBlob, RememberRequest } from "../../server/client/vault-client.ts";
import { runProgress } from "../output/run-progress.ts";
import { readStdin } from "../table/stdin.ts";
import { arg, type CommandContext, defineCommand, type ExitCode } from "../table/command.ts";
import { withVault } from "../vault/with-vault.ts";

export const remember = defineCommand({
  name: "remember",
  summary: "Hand over a text or files, to be filed where they belong",
  positionals: {
    text: arg.text("TEXT", "What to remember; standard input when - or when nothing else is given"),
  },
  options: {
    file: arg.list("F", "A file of this machine: text, picture, PDF, mail, …; may be repeated", {
      completes: "file",
    }),
    "inbox-ref": arg.text("REF", "The inbox item that this answers"),
    trust: arg.flag("The text of the files is mine: let it change more than inbox and buckets"),
    wait: arg.flag("Until it is filed, and not only until it is safe"),
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
    const files = await Promise.all(input.list("file").map(fileBlob));
    const text = input.text("text");
    const isPiped = text === "-" || (text === undefined && files.length === 0);
    const content = isPiped
      ? await readStdin(context.stdin(), "as an argument, on standard input, or with --file")
      : (text ?? "");
    const inboxRef = input.text("inbox-ref") ?? null;
    const request = { content, files, inboxRef, trust: input.flag("trust") };
    return rememberAndShow(request, input.flag("wait"), context);
  },
});

/** A file of this machine, read while it is sent. */
export async function fileBlob(file: string): Promise<NamedBlob> {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw explainErrno(error, file);
  }
  if (statSync(file).isFile()) return { name: path.basename(file), blob: await openAsBlob(file) };
  throw new ExpectedError("not_a_file", `${file} is not a file.`);
}

/** Hands something over and prints what came of it. Without a running service it is filed before this resolves. */
export async function rememberAndShow(
  request: RememberRequest,
  isWaiting: boolean,
  context: CommandContext,
): Promise<ExitCode> {
  const { screen } = context;
  return withVault(context, "long", async ({ client, owner }) => {
    const isAlone = owner === null;
    if (isAlone) {
      screen.progress("Scanning the vault");
      await client.rescan();
      await client.settle(true);
    }
    const id = await client.remember(request);
    const update =
      isAlone || isWaiting
        ? await client.follow(id, runProgress(screen))
        : ({ id, status: "accepted" } as const);
    screen.progress(null);
    return showUpdate(update, context);
  });
}

function showUpdate(
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

/** An update that was accepted and has not ended yet. */
interface Accepted {
  readonly id: string;
  readonly status: "accepted";
}

/** What came of an update, for people. */
function updateText(update: UpdateView | Accepted): string {
  if (update.status === "accepted") {
    return `Accepted as ${update.id}. It is filed in its turn; coffre remember --wait waits for it.`;
  }
  const { report, error, id, status } = update;
  if (report === null) return error ?? `${id} is ${status}.`;
  const { text, touched, inbox, batch } = report;
  const lines = [text === "" ? "Done." : text];
  for (const file of touched) lines.push(`  ${file.path} (${file.change})`);
  if (inbox !== null) lines.push(`It waits for an answer: coffre inbox show ${inbox}`);
  if (batch !== null) lines.push(`To take all of it back: coffre undo ${batch}`);
  return lines.join("\n");
}
