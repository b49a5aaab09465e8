import { describe, expect, it } from "vitest";

import { convertHere } from "../testing/convert.ts";
import { CLAUDE, slackFile } from "../testing/exported-files.ts";
import { msgFile } from "../testing/msg-file.ts";
import {
  docxFile,
  epubFile,
  odsFile,
  odtFile,
  pptxFile,
  xlsxFile,
} from "../testing/office-files.ts";
import { pdfFile } from "../testing/pdf-file.ts";
import { placedPdf } from "../testing/placed-pdf.ts";
import { pngFile } from "../testing/png-file.ts";
import { rewrittenZip } from "../testing/rewritten-zip.ts";
import { zipFile } from "../testing/zip-file.ts";

async function noticesOf(name: string, content: string | Uint8Array): Promise<string> {
  return (await convertHere(name, content)).notices.join("\n");
}

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

describe("what is attached to a PDF", () => {
  it("is taken in, also when it hangs on a place of a page", async () => {
    const { inside, notices } = await convertHere(
      "a.pdf",
      pdfFile([["One"]], { attached: { "prices.csv": "a,b", "note.txt": "Hello" } }),
    );
    const texts = inside.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]);
    expect(Object.fromEntries(texts)).toEqual({ "note.txt": "Hello", "prices.csv": "a,b" });
    expect(notices).toEqual([]);
    const pinned = placedPdf([
      {
        texts: [{ x: 60, y: 60, text: "One" }],
        // Its bytes are the object before it: in a file of one page, the ninth.
        annotations: [
          "<</Type/EmbeddedFile/Length 5>>stream\nHello\nendstream",
          "<</Type/Annot/Subtype/FileAttachment/Contents(See this)/Rect[300 700 320 720]/FS<</Type/Filespec/F(pinned.txt)/EF<</F 9 0 R>>>>>>",
        ],
      },
    ]);
    const { markdown, inside: hanging } = await convertHere("b.pdf", pinned);
    expect(markdown).toContain("> Comment: See this");
    expect(hanging.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ["pinned.txt", "Hello"],
    ]);
  });
});

describe("a note says what was left out:", () => {
  it("headers and footers of a Word document, page numbers aside", async () => {
    const header = (text: string): string =>
      `<w:hdr xmlns:w="${WORD}"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:hdr>`;
    const file = docxFile({
      relations: [
        ["header", "header1.xml"],
        ["header", "header2.xml"],
        ["footer", "footer1.xml"],
      ],
      parts: {
        "word/header1.xml": header("Draft of March"),
        "word/header2.xml": header("Draft of March"),
        "word/footer1.xml": header("1 / 12"),
      },
    });
    expect(await noticesOf("a.docx", file)).toBe(
      "Headers and footers of the pages were left out (3 words).",
    );
  });

  it("headers and footers of an OpenDocument text, and none of sheets, which always have them", async () => {
    const margin = (name: string, text: string): string =>
      `<style:${name}><text:p>${text}</text:p></style:${name}>`;
    const hidden = '<style:footer style:display="false"><text:p>Nobody</text:p></style:footer>';
    const page = margin("header", "Draft of March") + margin("header-left", "Draft of March");
    const styles = `<office:document-styles><office:master-styles><style:master-page>${page}${hidden}</style:master-page></office:master-styles></office:document-styles>`;
    const text = odtFile({ parts: { "styles.xml": styles } });
    expect(await noticesOf("a.odt", text)).toBe(
      "Headers and footers of the pages were left out (3 words).",
    );
    const sheet = rewrittenZip(text, /^content/u, (xml) =>
      xml.replaceAll("office:text>", "office:spreadsheet>"),
    );
    expect(await noticesOf("a.ods", sheet)).toBe("");
  });

  it("footers, dates and films of a presentation", async () => {
    const shape = (type: string, text: string): string =>
      `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    const file = pptxFile({
      slide: shape("ftr", "Garden club") + shape("dt", "2 March 2024") + shape("sldNum", "2"),
      relations: [
        ["video", "../media/a.mp4"],
        ["media", "../media/a.mp4"],
      ],
    });
    expect(await noticesOf("a.pptx", file)).toBe(
      "Headers and footers of the slides were left out (5 words).\nFilms and recordings in the presentation were left out: 1.",
    );
  });

  it("outputs of a notebook that are cut, and pictures of its texts that are not kept", async () => {
    const cells = [
      {
        cell_type: "code",
        source: "run()",
        outputs: [{ output_type: "stream", text: "x".repeat(20_001) }],
      },
      {
        cell_type: "markdown",
        source: "![bed](attachment:my%20bed.png) ![plan](attachment:b.tiff)",
        attachments: {
          "my bed.png": { "image/png": pngFile().toString("base64") },
          "b.tiff": { "image/tiff": "bm8=" },
        },
      },
    ];
    const { markdown, images, notices } = await convertHere("a.ipynb", JSON.stringify({ cells }));
    expect(markdown).toContain("![bed](attachment:image-1.png) *(picture: plan)*");
    expect(images).toHaveLength(1);
    expect(notices[0]).toBe("Outputs of more than 20,000 characters were cut: 1.");
    expect(notices[1]).toContain("were left out: 1.");
  });

  it("files beside the conversations of an archive", async () => {
    const file = zipFile({
      "conversations.json": CLAUDE,
      "chat.html": "<html></html>",
      "projects.json": "[]",
      "file-1.png": pngFile(),
    });
    expect(await noticesOf("export.zip", file)).toBe(
      "Other files of the export were left out: 2 (projects.json, file-1.png).",
    );
  });

  it("words in drawings of a page and of a book", async () => {
    const drawing =
      "<svg><text>two words</text><foreignObject><div>third</div></foreignObject></svg>";
    const expected = "Drawings in the text were left out (3 words in them).";
    const page = `<html><body><p>Text</p>${drawing}</body></html>`;
    expect(await noticesOf("a.html", page)).toBe(expected);
    const book = rewrittenZip(epubFile(), /bis\.xhtml$/u, (xml) =>
      xml.replace("<h2>", `${drawing}<h2>`),
    );
    expect(await noticesOf("a.epub", book)).toBe(expected);
    expect(await noticesOf("a.html", page.replaceAll(/<text>.*<\/div>/gu, "<path/>"))).toBe("");
  });

  it("cells of a workbook that are too far to the right", async () => {
    const cells = '<c r="SG1"><v>1</v></c><c r="SH1"/>';
    expect(await noticesOf("a.xlsx", xlsxFile({ cells }))).toBe(
      "Cells right of column 500 were left out: 1 with something in them.",
    );
  });

  it("nothing of formulas whose result a workbook does not hold: they stand in their cells", async () => {
    const cells = '<c r="G1"><f>SUM(B2:B3)</f></c><c r="H1" t="str"><f>IF(A1,1)</f></c>';
    const { markdown } = await convertHere("a.xlsx", xlsxFile({ cells }));
    expect(markdown).toContain("| =SUM(B2:B3) |");
    expect(markdown).not.toContain("IF(");
  });

  it("pictures of a workbook that are not kept; others are taken in", async () => {
    const picture = (id: string): string =>
      `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" descr="A bed"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="${id}"/></xdr:blipFill></xdr:pic>`;
    const { markdown, images, notices } = await convertHere(
      "a.xlsx",
      xlsxFile({
        relations: [["drawing", "../drawings/drawing1.xml"]],
        parts: {
          "xl/drawings/drawing1.xml": `<xdr:wsDr>${picture("rId1")}${picture("rId2")}</xdr:wsDr>`,
          "xl/drawings/_rels/drawing1.xml.rels":
            '<Relationships><Relationship Id="rId1" Type="x/image" Target="../media/a.png"/><Relationship Id="rId2" Type="x/image" Target="../media/a.emf"/></Relationships>',
          "xl/media/a.png": pngFile(),
          "xl/media/a.emf": Buffer.from("no picture"),
        },
      }),
    );
    expect(markdown).toContain("![A bed](attachment:image-1.png)");
    expect(images).toHaveLength(1);
    expect(notices.join()).toContain("were left out: 1.");
  });

  it("objects of older programs in an OpenDocument file", async () => {
    const content =
      '<text:p><draw:frame><draw:object-ole xlink:href="./Object 1"/><draw:image xlink:href="x.png"/></draw:frame></text:p>';
    expect(await noticesOf("a.odt", odtFile({ content }))).toContain("An embedded object");
  });

  const cell = (text: string, times = 1): string =>
    `<table:table-cell table:number-columns-repeated="${times}">${text === "" ? "" : `<text:p>${text}</text:p>`}</table:table-cell>`;
  const table = (row: string, times = 1): string =>
    `<table:table><table:table-row table:number-rows-repeated="${times}">${row}</table:table-row></table:table>`;

  it.each([
    ["cells that are repeated", table(cell("a", 300))],
    ["rows that are repeated", table(cell("a"), 300)],
    ["a cell after many empty ones", table(cell("a") + cell("", 300) + cell("b"))],
    ["more columns than fit", table(cell("a", 180) + cell("b", 180) + cell("c", 180))],
  ])("%s in an OpenDocument file", async (_, content) => {
    expect(await noticesOf("a.odt", odtFile({ content }))).toContain(
      "Some cells were left out, in 1 row:",
    );
  });

  it("nothing of the empty rest of a sheet", async () => {
    expect(await noticesOf("a.ods", odsFile())).toBe("");
    const content = table(cell("a", 200) + cell("", 16_000));
    expect(await noticesOf("a.odt", odtFile({ content }))).toBe("");
  });

  it("points and series of a chart, below it", async () => {
    const points = (count: number): string =>
      Array.from({ length: count }, (_, at) => `<c:pt idx="${at}"><c:v>1</c:v></c:pt>`).join("");
    const series = (count: number): string =>
      `<c:ser><c:val><c:numRef><c:numCache>${points(count)}</c:numCache></c:numRef></c:val></c:ser>`;
    const withChart = (all: string): Buffer =>
      xlsxFile({
        relations: [["drawing", "../drawings/drawing1.xml"]],
        parts: {
          "xl/drawings/drawing1.xml":
            '<xdr:wsDr><xdr:graphicFrame><c:chart r:id="rId1"/></xdr:graphicFrame></xdr:wsDr>',
          "xl/drawings/_rels/drawing1.xml.rels":
            '<Relationships><Relationship Id="rId1" Type="x/chart" Target="../charts/chart1.xml"/></Relationships>',
          "xl/charts/chart1.xml": `<c:chartSpace><c:chart>${all}</c:chart></c:chartSpace>`,
        },
      });
    const long = await convertHere("a.xlsx", withChart(series(2010)));
    expect(long.markdown).toContain("*Left out of this chart: 10 points.*");
    const wide = await convertHere("a.xlsx", withChart(series(1).repeat(53)));
    expect(wide.markdown).toContain("*Left out of this chart: 3 series.*");
  });

  it("texts of a drawing", async () => {
    const texts = Array.from({ length: 2003 }, (_, at) => `<text>n${at}</text>`).join("");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${texts}</svg>`;
    expect(await noticesOf("a.svg", svg)).toBe(
      "Texts of the drawing were left out: 3 after the first 2000.",
    );
  });

  it("channels of Slack", async () => {
    const { notices, inside } = await convertHere("slack.zip", slackFile(), { notes: 0 });
    expect(inside).toEqual([]);
    expect(notices).toEqual(["Channels were left out: 1. At most 0 are taken in at once."]);
  });

  it("attachments of an Outlook mail", async () => {
    const { inside, notices } = await convertHere("a.msg", msgFile({ "1000": "Voici." }, 503));
    expect(inside).toHaveLength(500);
    expect(notices).toEqual(["Attachments were left out: 3. At most 500 of a mail are taken in."]);
  });
});
