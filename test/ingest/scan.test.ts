import { expect, it } from "vitest";

import { convertPdf, recall } from "../../src/ingest/formats/pdf.ts";
import { imagePdf } from "../../src/ingest/testing/pdf-file.ts";
import { savedAs } from "./libreoffice.ts";
import { SAMPLE, sampleText } from "./sample.ts";

it("reads a page that is only a picture, with the language data of this machine", async () => {
  const saved = await savedAs(sampleText(), "fodt", ["jpg"]);
  const scan = imagePdf(saved.get("jpg") ?? Buffer.alloc(0));
  const { markdown, notices, isPartial } = await convertPdf(
    { name: "scan.pdf", bytes: scan, ocr: {} },
    () => {},
  );
  expect(notices).toEqual(["The text of page 1 was read from a picture: expect mistakes."]);
  expect(isPartial).toBe(false);
  const firstPage = [SAMPLE.intro, SAMPLE.link.text, ...SAMPLE.steps, ...SAMPLE.table.flat()].join(
    "\n",
  );
  expect(recall(firstPage, markdown)).toBeGreaterThan(0.8);
});
