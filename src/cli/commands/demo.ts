import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { languageOf } from "../../config.ts";
import type { Vault } from "../../vault/vault.ts";
import { defineCommand, type CommandContext } from "../table/command.ts";
import { findCommand } from "../table/find-command.ts";
import { withVault, withVaultIn } from "../vault/open-vault.ts";
import { parseCommand } from "../table/parse.ts";
import { shellQuote } from "../shell-quote.ts";
import { endings, tours } from "../output/tour.ts";

export const demo = defineCommand({
  name: "demo",
  summary: "Show in a minute what coffre does, on a temporary vault",
  group: "Help",
  positionals: {},
  options: {
    lang: {
      kind: "text",
      label: "LANG",
      summary: "Language of the tour, that of the system when left out",
      choices: ["en", "fr"],
    },
  },
  details: "Every command of the tour really runs, and can be typed on a vault of your own.",
  examples: ["coffre demo", "coffre demo --lang fr"],
  synonyms: ["tour", "tutorial"],
  run: async (input, context) => {
    const chosen = input.text("lang");
    const lang = chosen === "fr" || chosen === "en" ? chosen : languageOf(context.environment);
    const folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), "coffre-demo-")));
    const named = { vault: path.join(folder, "vault"), state: path.join(folder, "state") };
    const there: CommandContext = { ...context, named };
    try {
      await makeVault(named.vault, lang, there);
      for (const { says, argv } of tours[lang]) {
        const words = argv.includes("ID") ? await withLastChange(argv, there) : argv;
        context.screen.print(`\n${says}`, (text, paint) => paint("bold", text));
        context.screen.print(`$ coffre ${words.map(shellQuote).join(" ")}`, (text, paint) =>
          paint("cyan", text),
        );
        await runStep(words, there);
      }
      context.screen.print(`\n${endings[lang]}`, (text, paint) => paint("bold", text));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return 0;
  },
});

async function makeVault(
  folder: string,
  lang: "en" | "fr",
  context: CommandContext,
): Promise<void> {
  const { initVault, makeVaultFolder } = await import("../../vault/init.ts");
  makeVaultFolder(folder);
  await withVaultIn(folder, context, async (vault) =>
    initVault(vault, { lang, demo: true, now: context.now(), actor: "demo" }),
  );
}

/** What is refused is part of the tour. */
async function runStep(words: readonly string[], context: CommandContext): Promise<void> {
  const [name = "", ...rest] = words;
  const command = findCommand(name, context.commands);
  await command.run(parseCommand(command, rest), context);
}

async function withLastChange(
  argv: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const lastId = async (vault: Vault): Promise<string> =>
    (await vault.log({ path: null, limit: 1 }))[0]?.id ?? "";
  const id = await withVault(context, lastId);
  return argv.map((word) => (word === "ID" ? id : word));
}
