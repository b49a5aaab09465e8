import { accessSync, constants, openAsBlob, statSync } from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../../errors.ts";
import { viewText } from "../../server/api/change-view.ts";
import type { AcceptedUpdate, UpdateView } from "../../server/api/agent-contract.ts";
import type { NamedBlob, RememberRequest } from "../../server/client/remember-request.ts";
import { runProgress } from "../output/run-progress.ts";
import { readStdin } from "../table/stdin.ts";
import { arg, type CommandContext, defineCommand, type ExitCode } from "../table/command.ts";
import { withAnyVault } from "../vault/with-vault.ts";

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
    trust: arg.flag(
      "The text of the files or of standard input is mine: let it change more than inbox and buckets",
    ),
    wait: arg.flag("Until it is filed, and not only until it is safe"),
    preview: arg.flag("Show what would be changed, and change nothing until --accept"),
    accept: arg.text("ID", "Make all changes of a preview, or none when a file changed since"),
    reject: arg.text("ID", "Forget a preview: nothing was changed"),
  },
  usage:
    "[TEXT|-] [--file F]… [--inbox-ref REF] [--trust] [--wait] [--preview] | --accept ID | --reject ID",
  details:
    "TEXT is your own word. What --file and standard input say may be written by others: it is only added to inbox and buckets, unless --trust. With a model (COFFRE_MODEL) an agent files it; without one, or when it is unsure, it waits in the inbox with a question. A running service files it in its turn; without one, this command does so before it ends.",
  examples: [
    'coffre remember "Hale starts on the 12th, deposit paid"',
    "coffre remember --file roof.jpg 'the roof today' --wait",
    'coffre remember --preview "The price went up to 4,200"',
  ],
  synonyms: ["note", "update", "save"],
  run: async (input, context) => {
    for (const answer of ["accept", "reject"] as const) {
      const id = input.text(answer);
      if (id !== undefined) return decide(id, answer, context);
    }
    const files = await Promise.all(input.list("file").map(fileBlob));
    const text = input.text("text");
    const isPiped = text === "-" || (text === undefined && files.length === 0);
    const content = isPiped
      ? await readStdin(context.stdin(), "as an argument, on standard input, or with --file")
      : (text ?? "");
    const inboxRef = input.text("inbox-ref") ?? null;
    const trust = input.flag("trust");
    // Files may come with a text of the person's; piped text is all there is, and may be anybody's.
    const untrusted = isPiped && !trust && content !== "";
    const preview = input.flag("preview");
    const request = { content, files, inboxRef, trust, untrusted, preview };
    return rememberAndShow(request, input.flag("wait") || preview, context);
  },
});

async function decide(
  id: string,
  answer: "accept" | "reject",
  context: CommandContext,
): Promise<ExitCode> {
  await withAnyVault(context, "long", async ({ client }) => {
    const update = await client.decide(id, answer);
    context.screen.show(update, () => updateText(update));
  });
  return 0;
}

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
  return withAnyVault(context, "long", async ({ client, isServed }) => {
    const isAlone = !isServed;
    if (isAlone) {
      screen.progress("Scanning the vault");
      await client.rescan();
      await client.settle(true);
    }
    const id = await client.remember({ ...request, voice: "person" });
    const update =
      isAlone || isWaiting
        ? await client.follow(id, runProgress(screen))
        : ({ id, status: "accepted" } as const);
    screen.progress(null);
    const isFailed = update.status === "failed" || update.status === "cancelled";
    if (isFailed) screen.showFailed(update, () => updateText(update));
    else screen.show(update, () => updateText(update));
    return isFailed ? 1 : 0;
  });
}

/** What came of an update, for people. */
function updateText(update: UpdateView | AcceptedUpdate): string {
  if (update.status === "accepted") {
    return `Accepted as ${update.id}. It is filed in its turn; coffre remember --wait waits for it.`;
  }
  const { report, error, id, status } = update;
  if (report === null) return error ?? `${id} is ${status}.`;
  if (status === "preview") return previewText(update);
  const { text, touched, inbox, batch } = report;
  const lines = [text === "" ? "Done." : text];
  for (const file of touched) lines.push(`  ${file.path} (${file.change})`);
  if (inbox !== null) lines.push(`It waits for an answer: coffre inbox show ${inbox}`);
  if (batch !== null) lines.push(`To take all of it back: coffre undo ${batch}`);
  return lines.join("\n");
}

/** What a preview would change, and how it is answered. */
function previewText({ id, report, changes = [] }: UpdateView): string {
  return [
    report?.text ?? "",
    ...changes.map((change) => viewText(change)),
    `Nothing is changed yet. To change all of it: coffre remember --accept ${id}\nTo forget it: coffre remember --reject ${id}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
