import { blockColours } from "../output/colours.ts";
import { arg, defineCommand } from "../table/command.ts";
import { withAnyVault } from "../vault/with-vault.ts";
import { runProgress } from "../output/run-progress.ts";

export const recall = defineCommand({
  name: "recall",
  summary: "Answer a question from the vault, with the sources",
  positionals: {
    question: arg.one("QUESTION", "In plain words"),
  },
  details:
    "With a model (COFFRE_MODEL) an agent looks for the answer and writes a few lines above the sources; without one, the passages that have the words of the question are shown.",
  examples: [
    'coffre recall "why did we choose the second roofer?"',
    'coffre recall "TVA Q3" --json',
  ],
  synonyms: ["ask", "question"],
  run: async (input, context) =>
    withAnyVault(context, "search", async ({ client }) => {
      const { screen } = context;
      const answer = await client.recall(input.one("question"), runProgress(screen));
      screen.progress(null);
      screen.show(answer, () => answer.answer, blockColours);
    }),
});
