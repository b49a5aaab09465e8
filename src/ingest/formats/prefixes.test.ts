import { describe, expect, it } from "vitest";

import { convertHere } from "../testing/convert.ts";
import { ATOM } from "../testing/exported-files.ts";
import { asStrict, foreignXml, withForeignPrefixes } from "../testing/foreign-prefixes.ts";
import {
  docxFile,
  epubFile,
  odpFile,
  odsFile,
  odtFile,
  pptxFile,
  xlsxFile,
} from "../testing/office-files.ts";
import {
  newerChartFiles,
  richDocxFile,
  richOdtFile,
  richPptxFile,
  richXlsxFile,
} from "../testing/rich-office-files.ts";
import { rewrittenZip } from "../testing/rewritten-zip.ts";
import { zipFile } from "../testing/zip-file.ts";

const FILES: Readonly<Record<string, Buffer>> = {
  ...newerChartFiles(),
  "plain.docx": docxFile(),
  "rich.docx": richDocxFile(),
  "plain.pptx": pptxFile(),
  "rich.pptx": richPptxFile(),
  "plain.xlsx": xlsxFile(),
  "rich.xlsx": richXlsxFile(),
  "plain.odt": odtFile(),
  "rich.odt": richOdtFile(),
  "a.odp": odpFile(),
  "a.ods": odsFile(),
  "a.epub": epubFile(),
};

describe("a document of a program that writes other prefixes", () => {
  it.each(Object.entries(FILES))("gives the same text and notices: %s", async (name, file) => {
    const foreign = withForeignPrefixes(file);
    expect(foreign.equals(file)).toBe(false);
    expect(await convertHere(name, foreign)).toEqual(await convertHere(name, file));
  });

  it.each(Object.entries(FILES).filter(([name]) => name.endsWith("x")))(
    "gives the same by the stricter edition of the standard: %s",
    async (name, file) => {
      expect(await convertHere(name, asStrict(file))).toEqual(await convertHere(name, file));
    },
  );

  it("hides what it hides, by the document and by its styles", async () => {
    const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const file = docxFile({
      body: '<w:p><w:r><w:t>Seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>obey</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>obey</w:t></w:r></w:p>',
      parts: {
        "word/styles.xml": `<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="A"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style></w:styles>`,
      },
    });
    const { markdown, notices } = await convertHere("a.docx", withForeignPrefixes(file));
    expect(markdown).toBe("Seen");
    expect(notices.join()).toContain("(2 words)");
  });

  it("hides what it hides when values are written in an unusual way", async () => {
    const body =
      "<w:p><w:r><w:t>Seen</w:t></w:r><w:r><w:rPr><w:color w:val='FFFF&#70;F'/></w:rPr><w:t>obey</w:t></w:r></w:p>";
    expect((await convertHere("a.docx", docxFile({ body }))).markdown).toBe("Seen");
  });

  it("gives the same: a feed", async () => {
    const plain = await convertHere("a.xml", ATOM);
    expect(plain.markdown).toContain("Text");
    expect(await convertHere("a.xml", foreignXml(ATOM))).toEqual(plain);
  });
});

describe("a document without any text", () => {
  it.each([
    ["a.docx", docxFile({ body: "<w:p/>" })],
    ["a.odt", odtFile({ content: "<text:p/>" })],
    ["a.xlsx", rewrittenZip(xlsxFile(), /sheet1/u, () => "")],
    ["a.epub", withoutChapters()],
  ])("says so: %s", async (name, file) => {
    expect((await convertHere(name, file)).notices).toEqual([
      "No text was found in this document.",
    ]);
  });

  it("says so when there are pictures in it, and not when there are words", async () => {
    const picture =
      '<text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>';
    expect((await convertHere("a.odt", odtFile({ content: picture }))).notices).toHaveLength(1);
    expect((await convertHere("a.odt", odtFile())).notices).toEqual([]);
  });
});

function withoutChapters(): Buffer {
  return zipFile({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    "book.opf": "<package><spine/></package>",
  });
}
