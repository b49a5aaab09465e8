import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { ConverterProcess } from "../../src/ingest/convert/converter-process.ts";
import { kindOf } from "../../src/ingest/convert/file-kind.ts";
import { DEFAULT_LIMITS } from "../../src/ingest/limits.ts";
import { savedAs } from "./libreoffice.ts";
import { samplePresentation, sampleText, sampleWorkbook } from "./sample.ts";
import { lookFor, type Found } from "./structure.ts";

const NONE = { folder: "/no/language/data" };

async function foundIn(bytes: Buffer, format: string): Promise<Found> {
  const converter = new ConverterProcess(DEFAULT_LIMITS);
  onTestFinished(() => converter.close());
  const name = `sample.${format}`;
  const kind = await kindOf(name, bytes);
  const job = { name, bytes, kind, limits: DEFAULT_LIMITS, ocr: NONE };
  return lookFor((await converter.convert(job)).markdown);
}

const ALL = {
  headings: "yes",
  levels: "yes",
  bullets: "yes",
  nested: "yes",
  numbered: "yes",
  table: "yes",
  link: "yes",
};

/** What each format carries when LibreOffice writes it: all of this must come through. */
const CARRIED: Readonly<Record<string, Partial<Found>>> = {
  docx: ALL,
  odt: ALL,
  pdf: ALL,
  html: ALL,
  // LibreOffice writes headings and lists of a book as plain paragraphs.
  epub: { table: "yes", link: "yes" },
  pptx: {
    headings: "yes",
    bullets: "yes",
    nested: "yes",
    numbered: "yes",
    table: "yes",
    link: "yes",
  },
  odp: {
    headings: "yes",
    bullets: "yes",
    nested: "yes",
    numbered: "yes",
    table: "yes",
    link: "yes",
  },
  xlsx: { table: "yes" },
  ods: { table: "yes" },
};

const LEAST_RECALL = 0.99;

describe("a document that LibreOffice saved", () => {
  it("keeps its words and the structure that its format carries, as the table in docs/ingest.md says", async () => {
    const saved = new Map([
      ...(await savedAs(sampleText(), "fodt", ["docx", "odt", "pdf", "html", "epub"])),
      ...(await savedAs(samplePresentation(), "fodp", ["pptx", "odp"])),
      ...(await savedAs(sampleWorkbook(), "fods", ["xlsx", "ods"])),
    ]);
    const rows: string[] = [];
    for (const [format, bytes] of saved) {
      const found = await foundIn(bytes, format);
      const carried = CARRIED[format] ?? {};
      expect({ format, ...found }).toMatchObject({ format, ...carried });
      expect(Number(found.words)).toBeGreaterThanOrEqual(LEAST_RECALL);
      const cells = Object.entries(found).map(([part, value]) =>
        part === "words" || Object.hasOwn(carried, part) ? value : "—",
      );
      rows.push(`| ${format.toUpperCase()} | ${cells.join(" | ")} |`);
    }
    const docs = readFileSync(path.join(import.meta.dirname, "../../docs/ingest.md"), "utf8");
    expect(docs).toContain(rows.join("\n"));
  });
});
