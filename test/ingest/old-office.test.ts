import { expect, it } from "vitest";

import { createIngest } from "../../src/ingest/ingest.ts";
import { temporaryVault } from "../../src/testing/temporary-vault.ts";
import { savedAs } from "./libreoffice.ts";
import { samplePresentation, sampleText, sampleWorkbook } from "./sample.ts";
import { lookFor } from "./structure.ts";

it("old Office documents are converted by LibreOffice, and keep their words", async () => {
  const saved = new Map([
    ...(await savedAs(sampleText(), "fodt", ["doc", "rtf"])),
    ...(await savedAs(samplePresentation(), "fodp", ["ppt"])),
    ...(await savedAs(sampleWorkbook(), "fods", ["xls"])),
  ]);
  const now = (): Date => new Date(2026, 2, 14);
  const ingest = createIngest({ vault: temporaryVault({}, now), now });
  for (const [format, bytes] of saved) {
    const { kind, converted } = await ingest.convert({ name: `sample.${format}`, bytes });
    const { words } = lookFor(converted?.markdown ?? "");
    expect(kind.mimeType).toMatch(/msword|rtf|ms-powerpoint|ms-excel/u);
    expect(`${format} ${Number(words) >= 0.99}`).toBe(`${format} true`);
  }
});
