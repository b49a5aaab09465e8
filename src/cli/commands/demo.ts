import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { languageOf } from "../../config.ts";
import { arg, type CommandContext, defineCommand } from "../table/command.ts";
import { shiftDates } from "../../vault/templates.ts";
import { findCommand, parseCommand } from "../table/parse.ts";
import { makeVault, withVault } from "../vault/with-vault.ts";
import type { Style } from "../output/screen.ts";
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
    const lang = languageOf(context.environment, input.text("lang"));
    const folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), "coffre-demo-")));
    const named = { vault: path.join(folder, "vault"), state: path.join(folder, "state") };
    const there: CommandContext = { ...context, named };
    const print = (style: Style, words: string): void =>
      context.screen.print(words, (text, paint) => paint(style, text));
    try {
      await makeVault(named.vault, lang, true, there);
      const { steps, ending } = await readTour(lang);
      for (const { says, argv: written } of steps) {
        const argv = written.map((word) => shiftDates(word, context.now()));
        const words = argv.includes("ID") ? await withLastChange(argv, there) : argv;
        print("bold", `\n${says}`);
        print("cyan", `$ coffre ${words.map(shellQuote).join(" ")}`);
        await runStep(words, there);
      }
      print("bold", `\n${ending}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** A walk through the demo vault. In a step, `ID` stands for the last change; dates are those of the demo files. */
async function readTour(lang: "en" | "fr") {
  const { z } = await import("zod");
  const Step = z.object({ says: z.string(), argv: z.array(z.string()) });
  const Tour = z.object({ steps: z.array(Step), ending: z.string() });
  return Tour.parse(JSON.parse(template(`tour/${lang}.json`)));
}

/** What is refused is part of the tour. */
async function runStep(words: readonly string[], context: CommandContext): Promise<void> {
  const [name = "", ...rest] = words;
  const command = findCommand(name, await context.commands());
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
