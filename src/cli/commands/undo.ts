import { ExpectedError } from "../../errors.ts";
import { arg, defineCommand, entryId, type ExitCode } from "../table/command.ts";
import { describeChange } from "../../server/api/change-view.ts";
import { settle } from "../vault/tool-result.ts";
import { withVault } from "../vault/with-vault.ts";
import { shellQuote } from "../system/shell-quote.ts";

export const undo = defineCommand({
  name: "undo",
  summary: "Take back a change, or all changes of a batch",
  positionals: {
    id: arg.one("ID", "From coffre log; its beginning is enough"),
  },
  options: {
    force: arg.flag("Even if the file changed since; what is there now stays in the history"),
  },
  details: "An undo is a change like any other: it can itself be undone.",
  examples: ["coffre undo mfx03k2a", "coffre undo mfx03k2a --force"],
  synonyms: ["revert", "restore"],
  run: async (input, context) => {
    const [id, force, { screen }] = [entryId(input.one("id")), input.flag("force"), context];
    return withVault(context, "change", async ({ client, owner }): Promise<ExitCode> => {
      try {
        const answer = await client.undo(id, force);
        const { history, changes } = answer;
        if (owner !== null) await settle(client, screen);
        const did = changes.map((change) => `  ${describeChange(change)}`);
        screen.show(answer, () =>
          history === null
            ? "Nothing had to be changed."
            : [`Undid ${id}. History: ${history}.`, ...did].join("\n"),
        );
        return 0;
      } catch (error) {
        if (!(error instanceof ExpectedError) || error.code !== "conflict" || force) throw error;
        const hint = `To undo it all the same: coffre undo ${shellQuote(id)} --force`;
        screen.fail({ code: error.code, message: error.message, hint });
        return 1;
      }
    });
  },
});
