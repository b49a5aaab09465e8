import { describe, expect, it } from "vitest";

import { saysTheNote } from "./says-the-note.ts";

const ROOF = `# 2026-11-04

## [decision] Hale does the roof
Dearer by 300, but before the frost. Deposit of 4,300 not paid.
The opening is on 2026-11-20, with the band
and the choir from Penryn.
Brand refused.`;

const TOIT = `## Toiture
Le Goff fait le toit avant le gel. L'acompte de 2 400 € n'est pas payé.
Le rendez-vous du 3 mars est annulé.`;

describe("lines hold a note", () => {
  it.each([
    [ROOF, "Hale does the roof"],
    [ROOF, "Hale does the roof, before the frost. The deposit is not paid."],
    [ROOF, "The opening is on November 20, with the choir from Penryn"],
    [ROOF, "Brand has refused"],
    [ROOF, "Dearer by 300"],
    [TOIT, "Le Goff fait le toit"],
    [TOIT, "Acompte de 2400 € pas payé"],
    [TOIT, "Le rendez-vous du 03/03/2027 est annulé"],
  ])("%# %s", (text, note) => {
    expect(saysTheNote(text, note)).toBe(true);
  });

  it.each([
    ["is denied", ROOF, "Hale does not do the roof any more"],
    ["is denied, in short", ROOF, "Hale doesn't do the roof"],
    ["is over", ROOF, "Hale has stopped the roof"],
    ["is off, though the day is there", ROOF, "The opening on the 20th is cancelled"],
    [
      "is off, in a long sentence",
      ROOF,
      "The opening with the band and the choir from Penryn, with the frost and the roof and the deposit, is cancelled",
    ],
    ["is affirmed, and denied there", ROOF, "The deposit of 4,300 is paid"],
    ["has another day", ROOF, "The opening is on December 20"],
    ["has another month", ROOF, "The opening is on the 20th of March"],
    ["has another figure of the same digits", ROOF, "A deposit of 3,004"],
    ["has another name", ROOF, "The roof is done by Jonah"],
    ["is after, where they say before", ROOF, "Hale does the roof after the frost"],
    [
      "has a second sentence that is new",
      ROOF,
      "Hale does the roof before the frost. Jo likes it.",
    ],
    ["is denied in French", TOIT, "Le Goff ne fait plus le toit"],
    ["is affirmed in French, and denied there", TOIT, "L'acompte de 2 400 € est payé"],
    ["is not off in French, and off there", TOIT, "Le rendez-vous du 3 mars n'est pas annulé"],
    ["says nothing", ROOF, "…"],
  ])("but not one that %s", (_, text, note) => {
    expect(saysTheNote(text, note)).toBe(false);
  });
});
