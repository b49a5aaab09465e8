import type { InboxItem, InboxItemText } from "../../agents/contract.ts";
import {
  arg,
  defineCommand,
  UsageError,
  type CommandContext,
  type ExitCode,
} from "../table/command.ts";
import { withVault } from "../vault/with-vault.ts";
import { rememberAndShow } from "./remember.ts";

export const inbox = defineCommand({
  name: "inbox",
  summary: "Show what waits for an answer, and answer it",
  positionals: {
    action: arg.text("ACTION", "list (default), show or answer", {
      choices: ["list", "show", "answer"],
    }),
    ref: arg.text("REF", "The item: the name of its folder"),
    answer: arg.text("ANSWER", "In plain words; a project's name is enough"),
  },
  options: {
    wait: arg.flag("With answer: until it is filed"),
  },
  usage: "[list] | show REF | answer REF ANSWER [--wait]",
  details:
    "Without a model, an answer is the name of a project (or bucket): the item is filed there.",
  examples: [
    "coffre inbox",
    "coffre inbox show 2026-01-31-note-about-jo",
    'coffre inbox answer 2026-01-31-note-about-jo "the trailer, so sail-loft"',
  ],
  run: async (input, context) => {
    const action = input.text("action") ?? "list";
    const ref = input.text("ref");
    const answer = input.text("answer");
    if (action === "list") return list(context);
    if (ref === undefined) throw new UsageError(`REF is missing: which item to ${action}.`);
    if (action === "show") return show(ref, context);
    if (answer === undefined) throw new UsageError("ANSWER is missing: where the item belongs.");
    return rememberAndShow({ content: answer, inboxRef: ref }, input.flag("wait"), context);
  },
});

async function list(context: CommandContext): Promise<ExitCode> {
  const { screen } = context;
  const items = await withVault(context, "look", async ({ client }) => client.inbox());
  const text = items.length === 0 ? "Nothing waits." : items.map(itemText).join("\n\n");
  screen.show({ items }, () => text);
  return 0;
}

async function show(ref: string, context: CommandContext): Promise<ExitCode> {
  const { screen } = context;
  const item = await withVault(context, "look", async ({ client }) => client.inboxItem(ref));
  screen.show(item, () => wholeText(item));
  return 0;
}

function itemText({ ref, title, question }: InboxItem): string {
  return question === null ? `${ref}\n  ${title}` : `${ref}\n  ${title}\n  ${question}`;
}

function wholeText({ review, originals, path }: InboxItemText): string {
  const files = originals.map((file) => `  ${file}`);
  const shown = review === "" ? `${path} has no review.` : review;
  return [shown, ...(files.length === 0 ? [] : [`\nOriginals:\n${files.join("\n")}`])].join("\n");
}
