import { ExpectedError } from "../../errors.ts";
import type { VaultClient } from "../../server/client/vault-client.ts";
import { arg, defineCommand, entryId } from "../table/command.ts";
import { describeChange } from "../../server/api/change-view.ts";
import { settle } from "../vault/tool-result.ts";
import { withAnyVault } from "../vault/with-vault.ts";
import { shellQuote } from "../system/shell-quote.ts";

/** Changes named one by one; an adoption has thousands. */
const MOST_SHOWN = 100;

export const undo = defineCommand({
  name: "undo",
  summary: "Take back a change, or all changes of a batch",
  positionals: {
    id: arg.one("ID", "From coffre log, its beginning is enough; or last, for the newest change"),
  },
  options: {
    force: arg.flag("Even if the file changed since; what is there now stays in the history"),
  },
  details: "An undo is a change like any other: it can itself be undone.",
  examples: ["coffre undo last", "coffre undo mfx03k2a", "coffre undo mfx03k2a --force"],
  synonyms: ["revert", "restore"],
  run: async (input, context) => {
    const [given, force, { screen }] = [entryId(input.one("id")), input.flag("force"), context];
    return withAnyVault(context, "change", async ({ client, isServed }) => {
      const id = given === "last" ? await lastChange(client) : given;
      try {
        const answer = await client
          .undo(id, force, (done, total) => {
            if (total > MOST_SHOWN) screen.progress(`Taking back: ${done} of ${total} files`);
          })
          .finally(() => screen.progress(null));
        const { history, changes, skipped = [], made_by: by = [] } = answer;
        if (isServed) await settle(client, screen);
        const did = changes.map((change) => `  ${describeChange(change)}`);
        screen.show(answer, () =>
          history === null
            ? "Nothing had to be changed."
            : [
                `Undid ${id}. History: ${history}.`,
                ...by.map((name) => `  made by ${name}`),
                ...did.slice(0, MOST_SHOWN),
                ...(did.length > MOST_SHOWN ? [`  and ${did.length - MOST_SHOWN} more`] : []),
                ...skipped.map((path) => `  left as it is, because it changed since: ${path}`),
              ].join("\n"),
        );
      } catch (error) {
        if (!(error instanceof ExpectedError) || error.code !== "conflict" || force) throw error;
        const hint = `To undo it all the same: coffre undo ${shellQuote(id)} --force`;
        screen.fail({ code: error.code, message: error.message, hint });
        return 1;
      }
    });
  },
});

/** Under which the background job keeps its first change to a file: nobody means that one by `last`. */
const OWN_CALL = "frontmatter";

/** What `last` means: the newest change that is neither undone nor an undo, so that repeating the command goes further back. */
async function lastChange(client: VaultClient): Promise<string> {
  for (let limit = 50; ; limit *= 4) {
    const entries = await client.history(null, limit);
    const left = entries.filter(({ undoes, undone_by: by }) => undoes === null && by === null);
    const last = left.find(({ call }) => call !== OWN_CALL);
    if (last !== undefined) return last.batch ?? last.id;
    if (entries.length >= limit) continue;
    const [own] = left;
    throw new ExpectedError(
      "not_found",
      own === undefined
        ? "There is no change to take back."
        : `There is no change to take back but frontmatter that coffre wrote into notes. To take that back: coffre undo ${own.id}`,
    );
  }
}
