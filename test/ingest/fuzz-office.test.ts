import { describe, expect, it } from "vitest";

import {
  docxFile,
  epubFile,
  odpFile,
  odsFile,
  odtFile,
  pptxFile,
  xlsxFile,
} from "../../src/ingest/testing/office-files.ts";
import {
  richDocxFile,
  richOdtFile,
  richPptxFile,
  richXlsxFile,
} from "../../src/ingest/testing/rich-office-files.ts";
import { fuzz } from "./fuzz.ts";

describe("2,000 mutated office documents", () => {
  it.each([
    ["a.docx", docxFile()],
    ["a.odt", odtFile()],
    ["a.odp", odpFile()],
    ["a.ods", odsFile()],
    ["a.pptx", pptxFile()],
    ["a.xlsx", xlsxFile()],
    ["a.epub", epubFile()],
    ["rich.docx", richDocxFile()],
    ["rich.odt", richOdtFile()],
    ["rich.pptx", richPptxFile()],
    ["rich.xlsx", richXlsxFile()],
  ])("bring nothing down: %s", async (name, original) => {
    const { converted, refused } = await fuzz(name, original, 1);
    expect(converted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });
});
