import { describe, expect, it } from "vitest";

import { convertPdf } from "../../src/ingest/formats/pdf.ts";
import { savedAs } from "./libreoffice.ts";
import { flatDocument, SAMPLE, sampleText } from "./sample.ts";
import { lookFor } from "./structure.ts";

const TAGGED =
  'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"},"ExportBookmarks":{"type":"boolean","value":"false"}}';
const UNTAGGED =
  'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"false"},"ExportBookmarks":{"type":"boolean","value":"false"}}';

async function markdownOf(flat: string, format: string): Promise<string> {
  const bytes = (await savedAs(flat, "fodt", [format])).get(format) ?? Buffer.alloc(0);
  const job = { name: "layout.pdf", bytes, ocr: { folder: "/no/language/data" } };
  return (await convertPdf(job, () => {})).markdown;
}

const paragraph = (text: string, style = ""): string =>
  `<text:p${style === "" ? "" : ` text:style-name="${style}"`}>${text}</text:p>`;

/** Sentences that are told apart, so that their order can be looked at. */
const sentences = (from: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, at) =>
      `Sentence ${from + at} says that the kiln was opened on day ${from + at} of the year.`,
  );

const END =
  "After both columns the text goes on over the whole width of the page, as it did before them, to the end.";

const HEBREW = [
  "שלום לכל הקוראים של המסמך הזה שנכתב בעברית",
  "התנור נפתח בשנת 2024 על ידי חברי הסדנה",
  "כל אחד מביא סינר ומגבת לשיעור הראשון",
];
const ARABIC = ["مرحبا بكم في ورشة الفخار الجديدة", "يفتح الفرن كل يوم في الساعة التاسعة صباحا"];

const STYLES = [
  '<style:style style:name="C" style:family="section"><style:section-properties><style:columns fo:column-count="2" fo:column-gap="0.6cm"/></style:section-properties></style:style>',
  '<style:style style:name="R" style:family="paragraph"><style:paragraph-properties style:writing-mode="rl-tb" fo:text-align="start"/></style:style>',
  '<style:style style:name="K" style:family="table-cell"><style:table-cell-properties fo:border="0.5pt solid #000000" fo:padding="0.1cm"/></style:style>',
].join("");

const cell = (text: string, spans = ""): string =>
  `<table:table-cell table:style-name="K" office:value-type="string" ${spans}>${paragraph(text)}</table:table-cell>`;
const COVERED = "<table:covered-table-cell/>";
const row = (...cells: string[]): string => `<table:table-row>${cells.join("")}</table:table-row>`;
const LONG =
  "opened by two members of the workshop, each with a key, after it has cooled for a whole night";
const TABLE = `<table:table table:name="T"><table:table-column table:number-columns-repeated="3"/>${[
  row(cell("Kiln"), cell("Prices", 'table:number-columns-spanned="2"'), COVERED),
  row(cell("small", 'table:number-rows-spanned="2"'), cell("winter"), cell("12")),
  row(COVERED, cell("summer"), cell("10")),
  row(cell("large"), cell(LONG), cell("23")),
].join("")}</table:table>`;

const document = (body: string): string =>
  flatDocument("text", STYLES, `<office:text>${body}</office:text>`);

describe("a PDF that LibreOffice wrote", () => {
  it("has the structure that its tags name, and the same by its layout alone", async () => {
    for (const format of [TAGGED, UNTAGGED]) {
      const found = lookFor(await markdownOf(sampleText(), format));
      expect({ format, ...found }).toEqual({
        format,
        words: "1.000",
        headings: "yes",
        levels: "yes",
        bullets: "yes",
        nested: "yes",
        numbered: "yes",
        table: "yes",
        link: "yes",
      });
    }
    expect(SAMPLE.headings).toHaveLength(4);
  });

  it("is read column after column", async () => {
    const columns = `<text:section text:style-name="C" text:name="s">${sentences(1, 60)
      .map((text) => paragraph(text))
      .join("")}</text:section>`;
    for (const format of [TAGGED, UNTAGGED]) {
      const markdown = await markdownOf(document(`${columns}${paragraph(END)}`), format);
      const order = [...markdown.matchAll(/Sentence (\d+) says/gu)].map(([, number]) =>
        Number(number),
      );
      expect(order).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
      expect(markdown).not.toContain("|");
      expect(markdown).toContain("Sentence 7 says that the kiln was opened on day 7 of the year.");
      expect(markdown.endsWith(END)).toBe(true);
    }
  });

  it("keeps merged cells and cells of several lines in their rows", async () => {
    const body = `${paragraph("Before the table.")}${TABLE}${paragraph("After the table.")}`;
    for (const format of [TAGGED, UNTAGGED]) {
      const markdown = await markdownOf(document(body), format);
      expect(markdown.split("\n").filter((line) => line.startsWith("|"))).toEqual([
        "| Kiln | Prices |  |",
        "| --- | --- | --- |",
        "| small | winter | 12 |",
        "|  | summer | 10 |",
        `| large | ${LONG} | 23 |`,
      ]);
      expect(markdown).toMatch(/Before the table\.\n\n\|[^#]*\|\n\nAfter the table\./u);
    }
  });

  it("is read from right to left, with its words apart", async () => {
    for (const lines of [HEBREW, ARABIC]) {
      const body = document(lines.map((text) => paragraph(text, "R")).join(""));
      for (const format of [TAGGED, UNTAGGED]) {
        const markdown = (await markdownOf(body, format)).replace("<!-- page 1 -->", "");
        const words = markdown.trim().split(/\s+/u);
        expect(words).toEqual(lines.join(" ").split(" "));
      }
    }
  });
});
