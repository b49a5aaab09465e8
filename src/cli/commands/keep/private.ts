import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { withVault } from "../../vault/with-vault.ts";

export const privateFolders = defineCommand({
  name: "private",
  summary: "Keep folders from models: for agents and AI clients they do not exist",
  positionals: {
    action: arg.text("ACTION", "list (default), add or remove", {
      choices: ["list", "add", "remove"],
    }),
    path: arg.text("PATH", "A folder or file of the vault"),
  },
  usage: "[list] | add PATH | remove PATH",
  details:
    "What is private is never sent to a model or an embedding server; commands and the page show it as before. A note that says private: true in its frontmatter is private too, wherever it is.",
  examples: ["coffre private", "coffre private add journal", "coffre private remove vault/journal"],
  run: async (input, context) => {
    const action = input.text("action") ?? "list";
    const path = input.text("path");
    const { screen } = context;
    if (action !== "list" && path === undefined)
      throw new UsageError(`PATH is missing: what to ${action}.`);
    const answer = await withVault(context, "long", async ({ client }) =>
      action === "list" || path === undefined
        ? client.privates()
        : client.setPrivate(path, action === "add"),
    );
    screen.show(answer, () =>
      answer.paths.length === 0
        ? "No folder is private."
        : ["Private, and hidden from models:", ...answer.paths.map((each) => `  ${each}`)].join(
            "\n",
          ),
    );
  },
});
