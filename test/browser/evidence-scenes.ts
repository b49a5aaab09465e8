import type { TestService } from "./service.ts";

/** Of the demo vaults: a question whose answer a newer fact replaces. */
export const SCENES = {
  en: {
    log: "projects/sail-loft/changelog.md",
    question: "Who does the electrics, and for how much?",
    entry:
      "# 2026-11-16\n\n## Four more sockets\nPolmear wants £4,510 now.\nReplaces: [[projects/sail-loft/changelog#decision Polmear does the electrics]] (£4,280)\n\n",
    query: "Polmear electrics",
    older: /Since this answer, \d+ sources? ha(?:s|ve) moved or changed:/u,
    replaced: "replaced by",
    note: "replaced 2026-11-16",
  },
  fr: {
    log: "projects/voilerie/changelog.md",
    question: "Qui fait l’électricité, et pour combien ?",
    entry:
      "# 2026-11-16\n\n## Quatre prises de plus\nIl demande 4 510 € maintenant.\nRemplace : [[projects/voilerie/changelog#HEADING]]\n\n",
    query: "électricité",
    older: /Depuis cette réponse, \d+ sources? (?:a|ont) bougé ou changé :/u,
    replaced: "remplacée par",
    note: "remplacé le 2026-11-16",
  },
} as const;

/** Writes the newer fact above those of the changelog. */
export function replaceFact(service: TestService, lang: keyof typeof SCENES): void {
  const { log, entry } = SCENES[lang];
  const text = service.read(log);
  const heading = /^## \[d[ée]cision\] (.*lectri.*)$/mu.exec(text)?.[1] ?? "";
  const body = text.indexOf("# 20");
  const added = entry.replace("HEADING", `décision ${heading}`);
  service.write(log, text.slice(0, body) + added + text.slice(body));
}
