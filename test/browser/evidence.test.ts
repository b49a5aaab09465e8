import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { pictures } from "./picture.ts";
import { startService } from "./service.ts";

useChromium();

const SCENES = {
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

it.each(["en", "fr"] as const)(
  "an answer says under its words which of its sources no longer hold (%s)",
  async (lang) => {
    const { log, question, entry, query, older, replaced, note } = SCENES[lang];
    const service = await startService({ lang });
    const { page, complaints } = await visit(service.link, { locale: lang });
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(question);
    await page.keyboard.press("Enter");
    await page.getByRole("figure").first().waitFor();
    expect(await page.getByText(older).count()).toBe(0);
    const text = service.read(log);
    const heading = /^## \[d[ée]cision\] (.*lectri.*)$/mu.exec(text)?.[1] ?? "";
    const body = text.indexOf("# 20");
    const added = entry.replace("HEADING", `décision ${heading}`);
    service.write(log, text.slice(0, body) + added + text.slice(body));
    await page.getByText(older).waitFor();
    await page.getByText(replaced).first().waitFor();
    await pictures(page, "evidence", lang);
    await page.goto(`${service.address}/search?q=${encodeURIComponent(query)}`);
    await page.getByText(note).first().waitFor();
    await pictures(page, "replaced", lang);
    expect(complaints).toEqual([]);
  },
  90_000,
);
