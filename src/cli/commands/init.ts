import path from "node:path";

import { languageOf, vaultFolder, type Environment } from "../../config.ts";
import { arg, defineCommand, UsageError } from "../table/command.ts";
import { makeVault } from "../vault/with-vault.ts";
import { shellQuote } from "../system/shell-quote.ts";

export const init = defineCommand({
  name: "init",
  summary: "Make a vault, or add what is missing in one",
  positionals: {
    folder: arg.text("DIR", "Its folder; the usual one when left out", { completes: "folder" }),
  },
  options: {
    demo: arg.flag("With a small lived-in vault to try things on"),
    lang: arg.text("LANG", "Language of the files, that of the system when left out", {
      choices: ["en", "fr"],
    }),
  },
  details: "Never touches a file that exists.",
  examples: ["coffre init", "coffre init ~/notes --lang fr", "coffre init /tmp/try --demo"],
  synonyms: ["setup"],
  run: async (input, context) => {
    const { environment, named, screen } = context;
    const given = input.text("folder");
    if (given !== undefined && named.vault !== undefined) {
      throw new UsageError("DIR and --vault name the same thing: give one.");
    }
    const folder = vaultFolder(given ?? named.vault, environment);
    const lang = languageOf(environment, input.text("lang"));
    const made = await makeVault(folder, lang, input.flag("demo"), context);
    screen.show(made, () =>
      made.created.length === 0
        ? `Nothing to do: the vault in ${folder} has all its files.`
        : welcome(made.created, folder, environment),
    );
  },
});

function welcome(made: readonly string[], folder: string, environment: Environment): string {
  const isUsual = path.resolve(folder) === vaultFolder(undefined, environment);
  const vault = isUsual ? "" : ` --vault ${shellQuote(folder)}`;
  return [
    `Made ${made.length} ${made.length === 1 ? "file" : "files"} in ${folder}`,
    "",
    "Next:",
    `  coffre tree${vault}`,
    `  coffre read overview.md${vault}`,
    `  coffre remember "Try coffre this week"${vault}`,
    ...(isUsual ? [] : ["", `To leave out --vault: export COFFRE_VAULT=${shellQuote(folder)}`]),
  ].join("\n");
}
