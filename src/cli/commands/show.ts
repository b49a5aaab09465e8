import type { HistoryEntry } from "../../vault/history/history-types.ts";
import type { Vault } from "../../vault/vault.ts";
import { diffColours } from "../output/colours.ts";
import { defineCommand, type ExitCode } from "../table/command.ts";
import { actorName, entryJson, entryTime } from "../../server/api/describe-change.ts";
import { entryId } from "../entry-id.ts";
import { withVault } from "../vault/open-vault.ts";

export const show = defineCommand({
  name: "show",
  summary: "Show what a change did, line by line",
  group: "History",
  positionals: {
    id: { kind: "one", label: "ID", summary: "From coffre log; its beginning is enough" },
  },
  options: {},
  details: "The id of a batch shows all its changes, oldest first.",
  examples: ["coffre show mfx03k2a", "coffre show mfx03k2a --json"],
  synonyms: ["diff"],
  run: async (input, context) =>
    withVault(context, async (vault): Promise<ExitCode> => {
      const entries = await vault.entries(entryId(input.one("id")));
      const { screen } = context;
      if (screen.json) {
        const { viewChange } = await import("../../server/api/change-view.ts");
        const views = entries.map(async (entry) => ({
          ...entryJson(entry),
          changes: await Promise.all(entry.changes.map(async (each) => viewChange(each, vault))),
        }));
        screen.printJson(await Promise.all(views));
      } else {
        const texts = await Promise.all(entries.map(async (entry) => entryText(entry, vault)));
        screen.print(texts.join("\n\n"), diffColours);
      }
      return 0;
    }),
});

async function entryText(entry: HistoryEntry, vault: Vault): Promise<string> {
  const { viewChange, viewText } = await import("../../server/api/change-view.ts");
  const facts = [
    `change ${entry.id}`,
    `by ${actorName(entry)} on ${entryTime(entry)} with ${entry.call}`,
    entry.batch === null ? "" : `batch ${entry.batch}`,
    entry.undoes === null ? "" : `undoes ${entry.undoes}`,
    entry.undoneBy === null ? "" : `undone by ${entry.undoneBy}`,
  ];
  const changes: string[] = [];
  for (const change of entry.changes) {
    changes.push(viewText(change, await viewChange(change, vault)));
  }
  return [facts.filter((fact) => fact !== "").join("\n"), ...changes].join("\n\n");
}
