import type { HistoryItem } from "../../server/api/contract.ts";
import { logColours } from "../output/colours.ts";
import { arg, defineCommand, UsageError } from "../table/command.ts";
import { actorName, describeChanges, entryTime } from "../../server/api/change-view.ts";
import { withAnyVault } from "../vault/with-vault.ts";

const USUAL_LIMIT = 20;

export const log = defineCommand({
  name: "log",
  summary: "List the changes, newest first",
  options: {
    path: arg.text("PATH", "Only what touched this file, or something under this folder", {
      completes: "vault-path",
    }),
    limit: arg.number("N", `At most N changes, ${USUAL_LIMIT} when left out`),
  },
  examples: ["coffre log", "coffre log --path projects/garden/ --limit 5"],
  synonyms: ["history", "changes"],
  run: async (input, context) => {
    const limit = input.number("limit") ?? USUAL_LIMIT;
    if (limit < 1) throw new UsageError(`--limit must be 1 or more, not ${limit}.`);
    return withAnyVault(context, "look", async ({ client }) => {
      const entries = await client.history(input.text("path") ?? null, limit);
      const { translate } = context.screen;
      const text = (): string =>
        entries.length === 0 ? "No change yet." : logText(entries, translate);
      context.screen.show(entries, text, entries.length === 0 ? undefined : logColours);
    });
  },
});

function logText(entries: readonly HistoryItem[], translate: (text: string) => string): string {
  const actorWidth = widest(entries.map(actorName));
  const callWidth = widest(entries.map(({ call }) => call));
  const lines = entries.map((entry) => {
    const notes = [
      entry.undoes === null ? "" : `(undoes ${entry.undoes})`,
      entry.undone_by === null ? "" : "(undone)",
      entry.batch === null ? "" : `(batch ${entry.batch})`,
    ];
    const what = [describeChanges(entry.changes), ...notes]
      .filter((text) => text !== "")
      .map(translate)
      .join(" ");
    const [actor, call] = [actorName(entry).padEnd(actorWidth), entry.call.padEnd(callWidth)];
    return `${entry.id}  ${entryTime(entry)}  ${actor}  ${call}  ${what}`;
  });
  return lines.join("\n");
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}
