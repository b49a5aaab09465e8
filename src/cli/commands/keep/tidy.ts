import type { TidyView } from "../../../server/api/agent-contract.ts";
import { asWritten } from "../../output/colours.ts";
import { runProgress } from "../../output/run-progress.ts";
import { arg, defineCommand } from "../../table/command.ts";
import { withVault } from "../../vault/with-vault.ts";

export const tidy = defineCommand({
  name: "tidy",
  summary: "Look for what is untidy, and propose in the inbox how to put it right",
  options: {
    daily: arg.text("on|off", "Do it once a day when the service is idle; off by default", {
      choices: ["on", "off"],
    }),
  },
  usage: "[--daily on|off]",
  details:
    "Nothing is changed: all proposals are one item of the inbox, with numbered diffs, in place of the last one. Answer it with yes, no, or numbers like 1,3: those are made as one change of the history. With a model (COFFRE_MODEL) it also words what a program cannot.",
  examples: ["coffre tidy", "coffre tidy --json", "coffre tidy --daily on"],
  synonyms: ["clean", "lint", "review"],
  run: async (input, context) => {
    const { screen } = context;
    const daily = input.text("daily");
    return withVault(context, "long", async ({ client, owner }) => {
      if (daily !== undefined) {
        const view = await client.tidyDaily(daily === "on");
        screen.show(view, () =>
          view.daily
            ? "The vault is looked through once a day, when the service is idle."
            : "The vault is looked through only when you ask for it.",
        );
        return;
      }
      if (owner === null) {
        screen.progress("Scanning the vault");
        await client.rescan();
        await client.settle(true);
      }
      const view = await client.tidy(runProgress(screen));
      screen.progress(null);
      screen.show(view, () => tidyText(view, screen.translate), asWritten);
    });
  },
});

/** The titles are in the language of the vault, the rest in that of the person. */
function tidyText(view: TidyView, translate: (text: string) => string): string {
  const { ref, language, proposals, notes, problem } = view;
  if (ref === null) return translate("Nothing is untidy.");
  return [
    ...(problem === null ? [] : [translate(`The model could not help: ${problem}`)]),
    ...proposals.map(({ number, title }) => `${number}. ${title[language]}`),
    ...notes.map(({ title }) => `–  ${title[language]}`),
    translate(`Nothing is changed yet. To see the changes: coffre inbox show ${ref}`),
    ...(proposals.length === 0
      ? []
      : [translate(`To make them: coffre inbox answer ${ref} yes, or numbers like 1,3`)]),
  ].join("\n");
}
