import { expect, it } from "vitest";

import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import type { Script } from "../../testing/models/scripted-model.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");
const NOTE =
  "Le couvreur commence le 20 et l'acompte de 400 est payé, il faut commander les ardoises.";

/** What is said and kept of a note that could not be filed. */
async function notFiled(
  script: Script,
  note = NOTE,
): Promise<{ home: AgentHome; text: string; review: string }> {
  const home = await agentHome(houseFiles, script, { now, attempts: 1 });
  const { status, report } = await home.remember(note);
  expect(status).toBe("parked");
  const { review } = await home.memory.inbox.show(report?.inbox ?? "");
  return { home, text: report?.text ?? "", review };
}

it.each([
  [529, "il a renvoyé 529 (refused with 529)."],
  [401, "il a renvoyé 401 (refused with 401). Vérifiez sa clé."],
])(
  "says in French why a French note is not filed when the model answers %i",
  async (status, why) => {
    const { text, review } = await notFiled([{ status }]);
    const reason = `Le modèle openai-compatible/scripted n’a pas répondu : ${why}`;
    expect(text).toMatch(/^Non classé : ceci attend dans vault\/inbox\/\S+ /u);
    expect(text).toContain(reason);
    expect(review).toContain(`${reason}\n\n## Ce que j'ai cherché`);
  },
);

it("says so when the model cannot be reached", async () => {
  const { home, text: broken } = await notFiled([{ text: "Je classe cela.", drops: true }]);
  expect(broken).toMatch(/n’a pas répondu : (?:sa réponse|la connexion) s’est/u);
  home.model.close();
  const { report } = await home.remember(NOTE);
  expect(report?.text).toMatch(/n’a pas répondu : (?:il n’a pas pu être joint|la connexion)/u);
});

it("says so when the models have had their tokens of the day", async () => {
  const home = await agentHome(houseFiles, [{ text: "Fait." }], { now, dailyTokens: 1 });
  await home.remember("Le chat dort sur le toit de la maison.");
  const { report } = await home.remember(NOTE);
  expect(report?.text).toMatch(/^Non classé : .* Les modèles ont eu leurs tokens du jour : /u);
});

it("says it in English for an English note", async () => {
  const { text } = await notFiled(
    [{ status: 529 }],
    "The roofer starts on the 20th of this month.",
  );
  expect(text).toContain("did not answer: it answered 529 (refused with 529).");
});
