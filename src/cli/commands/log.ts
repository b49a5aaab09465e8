import type { HistoryEntry } from "../../vault/history/history-types.ts";
import { parsePath } from "../../vault/paths.ts";
import { logColours } from "../output/colours.ts";
import { defineCommand, type ExitCode } from "../table/command.ts";
import {
  actorName,
  changeJson,
  describeChanges,
  entryJson,
  entryTime,
} from "../../server/api/describe-change.ts";
import { withVault } from "../vault/open-vault.ts";
import { UsageError } from "../table/usage-error.ts";

const USUAL_LIMIT = 20;

export const log = defineCommand({
  name: "log",
  summary: "List the changes, newest first",
  group: "History",
  positionals: {},
  options: {
    path: {
      kind: "text",
      label: "PATH",
      summary: "Only what touched this file, or something under this folder",
      completes: "vault-path",
    },
    limit: {
      kind: "number",
      label: "N",
      summary: `At most N changes, ${USUAL_LIMIT} when left out`,
    },
  },
  examples: ["coffre log", "coffre log --path projects/garden/ --limit 5"],
  synonyms: ["history", "changes"],
  run: async (input, context) => {
    const limit = input.number("limit") ?? USUAL_LIMIT;
    if (limit < 1) throw new UsageError(`--limit must be 1 or more, not ${limit}.`);
    const named = input.text("path");
    const path = named === undefined ? null : parsePath(named).path;
    return withVault(context, async (vault): Promise<ExitCode> => {
      const entries = await vault.log({ path, limit });
      const { screen } = context;
      if (screen.json) {
        screen.printJson(
          entries.map((entry) => ({
            ...entryJson(entry),
            changes: entry.changes.map(changeJson),
          })),
        );
      } else if (entries.length === 0) screen.print("No change yet.");
      else screen.print(logLines(entries).join("\n"), logColours);
      return 0;
    });
  },
});

function logLines(entries: readonly HistoryEntry[]): string[] {
  const actorWidth = widest(entries.map(actorName));
  const callWidth = widest(entries.map(({ call }) => call));
  return entries.map((entry) => {
    const notes = [
      entry.undoes === null ? "" : `(undoes ${entry.undoes})`,
      entry.undoneBy === null ? "" : "(undone)",
      entry.batch === null ? "" : `(batch ${entry.batch})`,
    ];
    const what = [describeChanges(entry.changes), ...notes].filter((text) => text !== "").join(" ");
    const [actor, call] = [actorName(entry).padEnd(actorWidth), entry.call.padEnd(callWidth)];
    return `${entry.id}  ${entryTime(entry)}  ${actor}  ${call}  ${what}`;
  });
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}
