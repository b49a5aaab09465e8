import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { replaceFact, SCENES } from "./evidence-scenes.ts";
import { inspected } from "./picture.ts";
import { startService } from "./service.ts";

useChromium();

it.each(["en", "fr"] as const)(
  "an answer says under its words which of its sources no longer hold (%s)",
  async (lang) => {
    const { question, query, older, replaced, note } = SCENES[lang];
    const service = await startService({ lang });
    const { page, complaints } = await visit(service.link, { locale: lang });
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(question);
    await page.keyboard.press("Enter");
    await page.getByRole("figure").first().waitFor();
    expect(await page.getByText(older).count()).toBe(0);
    replaceFact(service, lang);
    await page.getByText(older).waitFor();
    await page.getByText(replaced).first().waitFor();
    await inspected(page, "evidence", lang);
    await page.goto(`${service.address}/search?q=${encodeURIComponent(query)}`);
    await page.getByText(note).first().waitFor();
    await inspected(page, "replaced", lang);
    expect(complaints).toEqual([]);
  },
  90_000,
);
