import type { InboxItem, InboxItemText } from "../../agents/contract.ts";
import { asWritten } from "../output/colours.ts";
import { arg, defineCommand, UsageError } from "../table/command.ts";
import { withAnyVault } from "../vault/with-vault.ts";
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
    const { screen } = context;
    if (action === "list") {
      const items = await withAnyVault(context, "look", async ({ client }) => client.inbox());
      if (items.length === 0) return screen.show({ items }, () => "Nothing waits.");
      return screen.show({ items }, () => items.map(itemText).join("\n\n"), asWritten);
    }
    if (ref === undefined) throw new UsageError(`REF is missing: which item to ${action}.`);
    if (action === "show") {
      const item = await withAnyVault(context, "look", async ({ client }) => client.inboxItem(ref));
      return screen.show(item, () => wholeText(item, screen.translate), asWritten);
    }
    if (answer === undefined) throw new UsageError("ANSWER is missing: where the item belongs.");
    return rememberAndShow({ content: answer, inboxRef: ref }, input.flag("wait"), context);
  },
});

function itemText({ ref, title, question }: InboxItem): string {
  return question === null ? `${ref}\n  ${title}` : `${ref}\n  ${title}\n  ${question}`;
}

function wholeText(
  { review, originals, path }: InboxItemText,
  translate: (text: string) => string,
): string {
  const files = originals.map((file) => `  ${file}`);
  const shown = review === "" ? translate(`${path} has no review.`) : review;
  return [
    shown,
    ...(files.length === 0 ? [] : [`\n${translate("Originals:")}\n${files.join("\n")}`]),
  ].join("\n");
}
