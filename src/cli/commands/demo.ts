import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { languageOf } from "../../config.ts";
import { arg, type CommandContext, defineCommand } from "../table/command.ts";
import { shiftDates } from "../../vault/templates.ts";
import { findCommand, parseCommand } from "../table/parse.ts";
import { withVault } from "../vault/with-vault.ts";
import { shellQuote } from "../system/shell-quote.ts";
import { template } from "../system/template.ts";

export const demo = defineCommand({
  name: "demo",
  summary: "Show in a minute what coffre does, on a temporary vault",
  options: {
    lang: arg.text("LANG", "Language of the tour, that of the system when left out", {
      choices: ["en", "fr"],
    }),
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
      const { steps, ending } = await readTour(lang);
      for (const { says, argv: written } of steps) {
        const argv = written.map((word) => shiftDates(word, context.now()));
        const words = argv.includes("ID") ? await withLastChange(argv, there) : argv;
        context.screen.print(`\n${says}`, (text, paint) => paint("bold", text));
        context.screen.print(`$ coffre ${words.map(shellQuote).join(" ")}`, (text, paint) =>
          paint("cyan", text),
        );
        await runStep(words, there);
      }
      context.screen.print(`\n${ending}`, (text, paint) => paint("bold", text));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return 0;
  },
});

/** A walk through the demo vault. In a step, `ID` stands for the last change; dates are those of the demo files. */
async function readTour(lang: "en" | "fr") {
  const { z } = await import("zod");
  const Step = z.object({ says: z.string(), argv: z.array(z.string()) });
  const Tour = z.object({ steps: z.array(Step), ending: z.string() });
  return Tour.parse(JSON.parse(template(`tour/${lang}.json`)));
}

async function makeVault(
  folder: string,
  lang: "en" | "fr",
  context: CommandContext,
): Promise<void> {
  const { makeVaultFolder } = await import("../../vault/init.ts");
  makeVaultFolder(folder);
  await withVault(context, "change", async ({ client }) => client.init({ lang, demo: true }));
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
  const [last] = await withVault(context, "look", async ({ client }) => client.history(null, 1));
  const id = last?.id ?? "";
  return argv.map((word) => (word === "ID" ? id : word));
}
