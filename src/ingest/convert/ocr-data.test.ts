import path from "node:path";

import { describe, expect, it } from "vitest";

import { ingestSettings } from "../../config.ts";
import { temporaryFolder, writeFiles } from "../../testing/temporary-vault.ts";
import { findOcrData } from "./ocr-data.ts";

describe("the language data for reading scans", () => {
  it("is taken from the folder that is named, for the languages that are there", () => {
    const folder = temporaryFolder();
    writeFiles(folder, { "eng.traineddata": "", "deu.traineddata": "" });
    expect(findOcrData({ folder })).toEqual({ folder, languages: ["eng"] });
    expect(findOcrData({ folder, languages: ["deu", "eng"] })?.languages).toEqual(["deu", "eng"]);
  });

  it("is none when the folder is missing, or has no language that is wanted", () => {
    const folder = temporaryFolder();
    expect(findOcrData({ folder })).toBeNull();
    expect(findOcrData({ folder: path.join(folder, "none") })).toBeNull();
  });

  it("is configured by COFFRE_TESSDATA, else by Tesseract's own variable", () => {
    const { ocr } = ingestSettings({
      TESSDATA_PREFIX: "/a",
      COFFRE_TESSDATA: "/b",
      COFFRE_OCR_LANGUAGES: "fra+deu",
    });
    expect(ocr).toEqual({ folder: path.resolve("/b"), languages: ["fra", "deu"] });
    expect(ingestSettings({ TESSDATA_PREFIX: "/a" }).ocr).toEqual({ folder: path.resolve("/a") });
    expect(ingestSettings({}).ocr).toEqual({});
  });
});
