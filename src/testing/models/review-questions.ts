import { call } from "./house-script.ts";
import type { DemoLanguage, ReviewRun } from "./review-runs.ts";
import type { ScriptedRequest, ScriptedTurn } from "./scripted-model.ts";

/** A question, the words it is looked for with, and a word of the source that answers. */
type Question = readonly [question: string, queries: readonly string[], source: string];

const QUESTIONS: Readonly<Record<DemoLanguage, readonly Question[]>> = {
  en: [
    ["Why did the opening move?", ["opening moved", "decision opening"], "sail-loft"],
    ["What do the electrics cost?", ["electrics cost", "Polmear price"], "sail-loft"],
    ["When is the kiln fetched?", ["kiln fetched Penryn"], "sail-loft"],
    ["Who lends the trailer?", ["trailer", "Jo Carne"], "sail-loft"],
    ["How many places are sold?", ["places sold course"], "sail-loft"],
    ["Why by Bucharest and not by Belgrade?", ["Bucharest Belgrade"], "istanbul"],
    ["How long is my passport valid?", ["passport"], "istanbul"],
    ["What does the trip cost in all?", ["trip cost total", "Istanbul budget"], "istanbul"],
    ["What does Orla want?", ["Orla plates Cormorant"], "tasks"],
  ],
  fr: [
    ["Pourquoi l'ouverture a-t-elle été reportée ?", ["ouverture reportée"], "voilerie"],
    ["Combien coûte l'électricité ?", ["prix électricité", "Le Goff devis"], "voilerie"],
    ["Quand va-t-on chercher le four ?", ["chercher le four Quimper"], "voilerie"],
    ["Qui prête la remorque ?", ["remorque", "Joëlle Carn"], "voilerie"],
    ["Combien de places sont vendues ?", ["places vendues stage"], "voilerie"],
    ["Pourquoi par Bucarest ?", ["Bucarest Belgrade"], "istanbul"],
    ["Mon passeport est-il encore valable ?", ["passeport"], "istanbul"],
    ["Combien coûte le voyage en tout ?", ["prix voyage total"], "istanbul"],
    ["Que faut-il emporter ?", ["liste bagages valise"], "istanbul"],
  ],
};

const ANSWER: Readonly<Record<DemoLanguage, string>> = {
  en: "The vault says so in one place; the passage below is the source, with its date.",
  fr: "Le coffre le dit à un endroit ; le passage ci-dessous en est la source, avec sa date.",
};

const NOTHING: Readonly<Record<DemoLanguage, readonly [string, string]>> = {
  en: ["Where is my helicopter?", "NONE: the vault has nothing about a helicopter."],
  fr: ["Où est mon hélicoptère ?", "NONE : le coffre n'a rien sur un hélicoptère."],
};

/** Ten questions: nine that are looked for once and answered, and one that the vault cannot answer. */
export function questionRuns(lang: DemoLanguage): ReviewRun[] {
  const found = QUESTIONS[lang].map(([text, queries]): ReviewRun => ({
    name: text,
    lang,
    kind: "question",
    text,
    script: [
      { calls: [call("search", { queries })] },
      ({ last }: ScriptedRequest): ScriptedTurn => {
        const [, path = "vault/overview.md", lines = "1-2"] =
          /`(vault\/[^ ]+) \(lines (\d+-\d+)/u.exec(last) ?? [];
        return { text: ANSWER[lang], calls: [call("concat", { files: [{ path, lines }] })] };
      },
    ],
    outcome: "answered",
  }));
  const [text, answer] = NOTHING[lang];
  const none: ReviewRun = {
    name: text,
    lang,
    kind: "question",
    text,
    script: [{ text: answer }],
    outcome: "nothing",
  };
  return [...found, none];
}

/** What each question's source is in, for a test. */
export function sourceOf(lang: DemoLanguage, question: string): string | undefined {
  return QUESTIONS[lang].find(([text]) => text === question)?.[2];
}
