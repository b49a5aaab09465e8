import { demoFiles } from "../../vault/templates.ts";
import { call, PIXEL } from "./house-script.ts";
import { questionRuns } from "./review-questions.ts";
import type { Script, ScriptedCall, ScriptedTurn } from "./scripted-model.ts";

/*
 * The runs that were once done by hand with an intelligent model, as scripts: notes and questions on both demo vaults. A script does what
 * such a model does with what it is shown now.
 */

export type DemoLanguage = "en" | "fr";

/** The day on which the demo plays. */
export const demoNow = (): Date => new Date("2026-11-16T10:00:00");

export function demoVault(lang: DemoLanguage): Record<string, string | Buffer> {
  return Object.fromEntries(demoFiles(lang, demoNow()).map(({ path, content }) => [path, content]));
}

export interface ReviewRun {
  readonly name: string;
  readonly lang: DemoLanguage;
  readonly kind: "note" | "question";
  readonly text: string;
  /** Base64. */
  readonly image?: string;
  readonly script: Script;
  readonly outcome: "filed" | "inbox" | "answered" | "nothing";
  /** A text that is in one of the vault's files afterwards. */
  readonly leaves?: readonly [file: string, text: string];
}

/** What differs between the two vaults. */
interface Words {
  readonly studio: string;
  readonly trip: string;
  readonly blocking: readonly [string, string];
  readonly opening: readonly [string, string];
  readonly mapOpening: readonly [string, string];
  readonly openingDate: readonly [string, string];
  readonly leave: readonly [string, string];
  readonly trailer: readonly [string, string];
  readonly task: string;
  readonly asked: string;
  readonly known: RegExp;
  readonly notes: Readonly<Record<NoteName, string>>;
}

const NAMES = [
  "one fact",
  "a changed fact",
  "two projects",
  "a new project",
  "a task done",
  "ambiguous",
  "contradiction",
  "transcript",
  "image",
  "known already",
  "known, falsely",
] as const;

type NoteName = (typeof NAMES)[number];

const WORDS: Readonly<Record<DemoLanguage, Words>> = {
  en: {
    studio: "vault/projects/sail-loft",
    trip: "vault/projects/istanbul-by-train",
    blocking: ["(clause 7).", "(clause 7). Graham Nance says yes, by letter."],
    opening: ["Active. Opening on 2026-12-20,", "Active. Opening on 2026-12-27,"],
    mapOpening: ["The opening is on 2026-12-20,", "The opening is on 2026-12-27,"],
    openingDate: ["- 2026-12-20: opening,", "- 2026-12-27: opening,"],
    leave: ["home on 2027-01-30.", "home on 2027-02-01."],
    trailer: ["ask who has the key.", "Jonah has the key."],
    task: "# Tell the 31 people about the new dates\nstatus: todo | prio: high | added: 2026-11-08 | project: sail-loft\nOffer the money back to whoever cannot come. Bea has the list.\n",
    asked:
      "# Review: a deposit\n\n## What I looked for\n\ndeposit\n\n## What I found\n\nTwo.\n\n## What I propose\n\nNothing yet.\n\n## Question\n\nWhich deposit?\n",
    known: /^(\d+)\s*\| \| Kiln, second-hand/mu,
    notes: {
      "one fact": "Graham Nance of the Harbour Trust says yes to turning the back door, by letter.",
      "a changed fact": "The opening of the sail loft moves to 2026-12-27.",
      "two projects":
        "Jonah has the key of the loading yard for the kiln, and we come home from Istanbul on 2027-02-01.",
      "a new project":
        "New project: a glaze book with Imogen, 60 recipes, to be printed in spring.",
      "a task done": "All 31 people know about the new dates, nobody wants the money back.",
      ambiguous: "The deposit is paid.",
      contradiction: "Polmear's price for the electrics was £3,900, was it not?",
      transcript: `Call with the network operator about the sail loft. ${"They connect the three-phase supply in the morning, and somebody has to be there. ".repeat(30)}`,
      image: "The floor of the sail loft today.",
      "known already": "The kiln, second-hand: £2,400 paid, transport not included.",
      "known, falsely": "The landlord raises the rent of Brook Street by £40 from January.",
    },
  },
  fr: {
    studio: "vault/projects/voilerie",
    trip: "vault/projects/istanbul-en-train",
    blocking: ["(article 7).", "(article 7). Gilles Nédélec est d'accord, par lettre."],
    opening: ["En cours. Ouverture le 2026-12-20,", "En cours. Ouverture le 2026-12-27,"],
    mapOpening: ["L'ouverture est le 2026-12-20,", "L'ouverture est le 2026-12-27,"],
    openingDate: ["- 2026-12-20 : ouverture,", "- 2026-12-27 : ouverture,"],
    leave: ["retour le 2027-01-30.", "retour le 2027-02-01."],
    trailer: ["demander qui a la clé.", "Jonas a la clé."],
    task: "# Prévenir les 31 inscrits des nouvelles dates\nstatus: à-faire | prio: haute | ajoutée: 2026-11-08 | projet: voilerie\nProposer le remboursement à ceux qui ne pourront pas venir. Béa a la liste.\n",
    asked:
      "# Revue : une caution\n\n## Ce que j'ai cherché\n\ncaution\n\n## Ce que j'ai trouvé\n\nDeux.\n\n## Ce que je propose\n\nRien encore.\n\n## Question\n\nQuelle caution ?\n",
    known: /^(\d+)\s*\| \| Four d'occasion/mu,
    notes: {
      "one fact":
        "Gilles Nédélec de la Société du port est d'accord pour la porte de derrière, par lettre.",
      "a changed fact": "L'ouverture de la voilerie passe au 2026-12-27.",
      "two projects":
        "Jonas a la clé de la cour de livraison pour le four, et nous rentrons d'Istanbul le 2027-02-01.",
      "a new project":
        "Nouveau projet : un livre d'émaux avec Inès, 60 recettes, imprimé au printemps.",
      "a task done":
        "Les 31 inscrits connaissent les nouvelles dates, personne ne veut être remboursé.",
      ambiguous: "La caution est payée.",
      contradiction: "Le prix de Le Goff pour l'électricité était de 3 900 €, non ?",
      transcript: `Appel avec le gestionnaire du réseau pour la voilerie. ${"Ils raccordent le triphasé le matin, et il faut que quelqu'un soit là. ".repeat(30)}`,
      image: "Le sol de la voilerie aujourd'hui.",
      "known already": "Le four d'occasion : 2 400 €, payé, transport non compris.",
      "known, falsely":
        "Le propriétaire augmente le loyer de la rue du Ruisseau de 40 € en janvier.",
    },
  },
};

function edit(path: string, [old_content, new_content]: readonly [string, string]): ScriptedCall {
  return call("edit", { path, old_content, new_content });
}

function entry(path: string, title: string): ScriptedCall {
  const content = `# 2026-11-16\n\n## ${title}\nAs told.`;
  return call("append", { path, content, position: "top" });
}

const REPORT: ScriptedTurn = { text: "Noted where it belongs; nothing is open." };

/** The turns of each note, and what they leave. */
function turnsOf(
  lang: DemoLanguage,
): Readonly<Record<NoteName, Pick<ReviewRun, "script" | "outcome" | "leaves">>> {
  const words = WORDS[lang];
  const { studio, trip, asked } = words;
  const [state, tasks] = [`${studio}/state.md`, `${studio}/tasks.md`];
  const changelog = `${studio}/changelog.md`;
  const inVault = (path: string): string => path.slice("vault/".length);
  const ask: ScriptedTurn = {
    calls: [call("write", { path: "vault/inbox/2026-11-16-asked/review.md", content: asked })],
  };
  const ready = (body: string, name: string): string =>
    /originals lie ready: (vault\/inbox\/[\w-]+\/)/u.exec(body)?.[1]?.concat(name) ?? "vault/x.md";
  return {
    "one fact": {
      // The note is nearer to the tasks, which leave no room for the whole state.
      script: [
        { calls: [call("read", { paths: state })] },
        { calls: [edit(state, words.blocking), entry(changelog, "Door")] },
        REPORT,
      ],
      outcome: "filed",
      leaves: [inVault(state), words.blocking[1]],
    },
    "a changed fact": {
      script: [
        {
          calls: [
            edit(state, words.opening),
            edit(state, words.openingDate),
            edit("vault/overview.md", words.mapOpening),
            entry(changelog, "[decision] Opening on 2026-12-27"),
            call("search", { queries: ["2026-12-20"] }),
          ],
        },
        REPORT,
      ],
      outcome: "filed",
      leaves: ["overview.md", words.mapOpening[1]],
    },
    "two projects": {
      script: [
        {
          calls: [
            call("read", { paths: [`${trip}/state.md`, tasks] }),
            edit(tasks, words.trailer),
            edit(`${trip}/state.md`, words.leave),
            entry(changelog, "Key"),
            entry(`${trip}/changelog.md`, "Home on 2027-02-01"),
          ],
        },
        REPORT,
      ],
      outcome: "filed",
      leaves: [`${inVault(trip)}/state.md`, words.leave[1]],
    },
    "a new project": {
      script: [
        {
          calls: ["description", "state", "changelog"].map((name) =>
            call("write", {
              path: `vault/projects/glaze-book/${name}.md`,
              content: `## ${name}\n`,
            }),
          ),
        },
        REPORT,
      ],
      outcome: "filed",
      leaves: ["projects/glaze-book/state.md", "## state"],
    },
    "a task done": {
      script: [{ calls: [edit(tasks, [words.task, ""]), entry(changelog, "Told")] }, REPORT],
      outcome: "filed",
      leaves: [inVault(changelog), "## Told"],
    },
    ambiguous: { script: [ask, { text: "Asked." }], outcome: "inbox" },
    contradiction: { script: [ask, { text: "Asked." }], outcome: "inbox" },
    transcript: {
      script: [
        ({ body }): ScriptedTurn => ({
          calls: [
            call("move", {
              from: ready(body, "original.md"),
              to: `${studio}/bucket/2026-11-16-call.md`,
            }),
            entry(changelog, "Call"),
          ],
        }),
        REPORT,
      ],
      outcome: "filed",
      leaves: [`${inVault(studio)}/bucket/2026-11-16-call.md`, words.notes.transcript.trim()],
    },
    image: {
      script: [
        ({ body }): ScriptedTurn => ({
          calls: [
            call("move", {
              from: ready(body, "floor.png"),
              to: `${studio}/bucket/2026-11-16-floor.png`,
            }),
            entry(changelog, "Photo"),
          ],
        }),
        REPORT,
      ],
      outcome: "filed",
      leaves: [inVault(changelog), "## Photo"],
    },
    "known already": {
      script: [
        ({ body }): ScriptedTurn => {
          const line = words.known.exec(body.replaceAll(String.raw`\n`, "\n"))?.[1] ?? "0";
          return { text: `KNOWN: ${state}:${line}` };
        },
      ],
      outcome: "filed",
    },
    "known, falsely": { script: [{ text: "KNOWN: it is all there." }], outcome: "inbox" },
  };
}

/** All 42: eleven notes and ten questions in each language. */
export const reviewRuns: readonly ReviewRun[] = (["en", "fr"] as const).flatMap((lang) => [
  ...NAMES.map((name): ReviewRun => {
    const image = name === "image" ? { image: PIXEL } : {};
    const text = WORDS[lang].notes[name];
    return { name, lang, kind: "note", text, ...image, ...turnsOf(lang)[name] };
  }),
  ...questionRuns(lang),
]);
