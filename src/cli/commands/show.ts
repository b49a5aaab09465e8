import type { HistoryDetail } from "../../server/api/contract.ts";
import { actorName, entryTime, viewText } from "../../server/api/change-view.ts";
import { diffColours } from "../output/colours.ts";
import { arg, defineCommand, entryId } from "../table/command.ts";
import { withVault } from "../vault/with-vault.ts";

export const show = defineCommand({
  name: "show",
  summary: "Show what a change did, line by line",
  positionals: {
    id: arg.one("ID", "From coffre log; its beginning is enough"),
  },
  details: "The id of a batch shows all its changes, oldest first.",
  examples: ["coffre show mfx03k2a", "coffre show mfx03k2a --json"],
  synonyms: ["diff"],
  run: async (input, context) =>
    withVault(context, "look", async ({ client }) => {
      const entries = await client.historyDetail(entryId(input.one("id")));
      const texts = (): string[] =>
        entries.flatMap((entry) => [entryText(entry), ...entry.changes.map(viewText)]);
      context.screen.show(entries, () => texts().join("\n\n"), diffColours);
    }),
});

function entryText(entry: HistoryDetail): string {
  const facts = [
    `change ${entry.id}`,
    `by ${actorName(entry)} on ${entryTime(entry)} with ${entry.call}`,
    entry.batch === null ? "" : `batch ${entry.batch}`,
    entry.undoes === null ? "" : `undoes ${entry.undoes}`,
    entry.undone_by === null ? "" : `undone by ${entry.undone_by}`,
  ];
  return facts.filter((fact) => fact !== "").join("\n");
}
