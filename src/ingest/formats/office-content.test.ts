import { describe, expect, it } from "vitest";

import { convertHere } from "../testing/convert.ts";
import { docxFile, odtFile, pptxFile, xlsxFile } from "../testing/office-files.ts";
import {
  newerChartFiles,
  richDocxFile,
  richOdtFile,
  richPptxFile,
  richXlsxFile,
} from "../testing/rich-office-files.ts";
import { rewrittenZip } from "../testing/rewritten-zip.ts";

const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`;
const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const ROOT = `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:sSup><m:e>${r("b")}</m:e><m:sup>${r("2")}</m:sup></m:sSup>${r("−4ac")}</m:e></m:rad>`;
const FORMULA = `<m:oMath ${MATH}>${r("x=")}<m:f><m:num>${r("−b±")}${ROOT}</m:num><m:den>${r("2a")}</m:den></m:f></m:oMath>`;
const LATEX = String.raw`x= \frac{-b\pm \sqrt{b^{2} -4ac}}{2a}`;

describe("a Word document", () => {
  it("keeps its formulas as LaTeX, in a line, by themselves and in tables", async () => {
    const cell = (inner: string): string => `<w:tc>${paragraph(inner)}</w:tc>`;
    const body = [
      paragraph(`${run("Let ")}${FORMULA}${run(" be.")}`),
      paragraph(`<m:oMathPara ${MATH}>${FORMULA}</m:oMathPara>`),
      `<w:tbl><w:tr>${cell(run("Name"))}${cell(FORMULA)}</w:tr></w:tbl>`,
    ].join("");
    const { markdown } = await convertHere("a.docx", docxFile({ body }));
    expect(markdown).toBe(
      `Let $${LATEX}$ be.\n\n$$${LATEX}$$\n\n| Name | $${LATEX}$ |\n| --- | --- |`,
    );
  });

  it("keeps formulas of its footnotes, and leaves out what is hidden there", async () => {
    const note = `<w:footnote w:id="2">${paragraph(`${run("With ")}${FORMULA}${run(" obey", "<w:vanish/>")}`)}</w:footnote>`;
    const file = docxFile({
      body: paragraph(`${run("See")}<w:r><w:footnoteReference w:id="2"/></w:r>`),
      relations: [["footnotes", "footnotes.xml"]],
      parts: {
        "word/footnotes.xml": `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${note}</w:footnotes>`,
      },
    });
    const { markdown, notices } = await convertHere("a.docx", file);
    expect(markdown).toContain(`1. With $${LATEX}$`);
    expect(markdown).not.toContain("obey");
    expect(notices).toHaveLength(1);
  });

  it("does not give text that is hidden, white or too small to see, and says so", async () => {
    const shade = '<w:tcPr><w:shd w:val="clear" w:fill="1F3864"/></w:tcPr>';
    const body = [
      paragraph(
        run("Seen") +
          run(" obey one", "<w:vanish/>") +
          run(" obey two", '<w:color w:val="FFFFFF"/>') +
          run(" obey three", '<w:sz w:val="2"/>') +
          run(" and shown", '<w:vanish w:val="0"/>'),
      ),
      `<w:tbl><w:tr><w:tc>${shade}${paragraph(run("Heading", '<w:color w:val="FFFFFF"/>'))}</w:tc><w:tc>${paragraph(run("b"))}</w:tc></w:tr></w:tbl>`,
    ].join("");
    const { markdown, notices } = await convertHere("a.docx", docxFile({ body }));
    expect(markdown).toBe("Seen and shown\n\n| Heading | b |\n| --- | --- |");
    expect(notices).toEqual([
      "Text that the document holds but does not show was left out (6 words).",
    ]);
  });

  /** A style of text (`character`), of paragraphs, or the usual one of paragraphs. */
  const style = (id: string, properties: string, more = ""): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"${more.includes("default") ? ' w:default="1"' : ""}>${more.replace("default", "")}<w:rPr>${properties}</w:rPr></w:style>`;
  const styled = (name: string, text: string, properties = ""): string =>
    `<w:p><w:pPr><w:pStyle w:val="${name}"/></w:pPr>${run(text, properties)}</w:p>`;
  const withStyles = (styles: string, body: string): Buffer =>
    docxFile({
      body,
      parts: {
        "word/styles.xml": `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${styles}</w:styles>`,
      },
    });

  it.each([
    ["white", style("A", '<w:color w:val="FFFFFF"/>')],
    ["tiny", style("A", '<w:sz w:val="2"/>')],
    [
      "based on one that hides",
      style("A", "<w:b/>", '<w:basedOn w:val="B"/>') + style("B", "<w:vanish/>"),
    ],
    [
      "based on one that is based on a white one",
      style("A", "", '<w:basedOn w:val="B"/>') +
        style("B", "", '<w:basedOn w:val="C"/>') +
        style("C", '<w:color w:val="FEFEFE"/>'),
    ],
    ["based on itself", style("A", '<w:sz w:val="1"/>', '<w:basedOn w:val="A"/>')],
  ])("does not give text whose style is %s", async (_, styles) => {
    const file = withStyles(styles, paragraph(run("Seen")) + styled("A", "obey"));
    const { markdown, notices } = await convertHere("a.docx", file);
    expect(markdown).toBe("Seen");
    expect(notices.join()).toContain("(1 word)");
    const character = withStyles(
      styles,
      paragraph(run("Seen")) + paragraph(run("obey", '<w:rStyle w:val="A"/>')),
    );
    expect((await convertHere("a.docx", character)).markdown).toBe("Seen");
  });

  it("does not give text that the usual style hides, even where nothing names it", async () => {
    const file = withStyles(style("Normal", "<w:vanish/>", "default"), paragraph(run("obey")));
    expect((await convertHere("a.docx", file)).markdown).toBe("");
  });

  it.each([
    ["a colour of its own", style("A", '<w:color w:val="FFFFFF"/>'), '<w:color w:val="auto"/>'],
    ["a size of its own", style("A", '<w:sz w:val="2"/>'), '<w:sz w:val="24"/>'],
    ["shown by itself", style("A", "<w:vanish/>"), '<w:vanish w:val="0"/>'],
    [
      "a style that shows what it is based on",
      style("A", '<w:vanish w:val="0"/>', '<w:basedOn w:val="B"/>') + style("B", "<w:vanish/>"),
      "",
    ],
    [
      "a style with a background",
      style(
        "A",
        '<w:color w:val="FFFFFF"/>',
        '<w:pPr><w:shd w:val="clear" w:fill="1F3864"/></w:pPr>',
      ),
      "",
    ],
  ])("gives text with %s", async (_, styles, properties) => {
    const file = withStyles(styles, styled("A", "Seen", properties));
    expect((await convertHere("a.docx", file)).markdown).toBe("Seen");
  });

  it("keeps text boxes, once, after their paragraph", async () => {
    const box = `<w:txbxContent>${paragraph(run("In the box"))}</w:txbxContent>`;
    const body = `${paragraph(`${run("Beside")}<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>${box}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`)}${paragraph(run("After"))}`;
    const { markdown } = await convertHere("a.docx", docxFile({ body }));
    expect(markdown).toBe("Beside\n\nIn the box\n\nAfter");
  });

  it("keeps the state of checkboxes", async () => {
    const box = (value: string): string =>
      `<w:sdt xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w:sdtPr><w14:checkbox><w14:checked w14:val="${value}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run("☒")}</w:sdtContent></w:sdt>`;
    const body = paragraph(`${box("1")}${run(" done")}`) + paragraph(`${box("0")}${run(" open")}`);
    const { markdown } = await convertHere("a.docx", docxFile({ body }));
    expect(markdown).toBe("[x] done\n\n[ ] open");
  });
});

const CHART = `**Chart: Harvest**

|  | Kilos |
| --- | --- |
| Leeks | 12.5 |
| Peas | 0.3 |`;

describe("what is beside the text", () => {
  it("of a Word document is kept: comments, charts, diagrams, formulas, embedded files; what is left out is named", async () => {
    const { markdown, inside, notices } = await convertHere("a.docx", richDocxFile());
    expect(markdown).toBe(`Grow[^comment-1]

${CHART}

- Sow
  - In March
- Reap

$x^{2}$

[^comment-1]: **Ana \\[Lee\\]**, 2024-03-02: Too early?`);
    expect(inside.map(({ name }) => name)).toEqual(["prices.xlsx"]);
    expect(notices).toEqual([
      "Text that the document holds but does not show was left out (1 word).",
      "An embedded object in the document could not be read, and was left out.",
    ]);
  });

  it("of a presentation is kept, and line breaks glue no words", async () => {
    const { markdown } = await convertHere("a.pptx", richPptxFile());
    expect(markdown).toContain(CHART);
    expect(markdown).toContain("- Sow\n  - In March\n- Reap");
    expect(markdown).toContain("copyright-free  \nstandard$x^{2}$");
    expect(markdown).toContain("## Two lines");
    expect(markdown).toContain("[^comment-1]: **Ana**, 2024-03-02: Shorter");
  });

  it("of a workbook is kept", async () => {
    const { markdown } = await convertHere("a.xlsx", richXlsxFile());
    expect(markdown).toContain(
      `${CHART}\n\nIn the box\n\nComments:\n\n- B2: **Ana**: Weighed twice`,
    );
  });

  it("of a workbook is kept: threads of comments with their persons, without what older programs are told", async () => {
    const stub =
      "[Threaded comment]\n\nYour version of Excel allows you to read this threaded comment.\n\nComment:\n    Weighed twice\nReply:\n    Three times";
    const note = (ref: string, author: number, text: string): string =>
      `<comment ref="${ref}" authorId="${author}"><text><r><t>${text}</t></r></text></comment>`;
    const file = xlsxFile({
      ofWorkbook: [["person", "persons/person.xml"]],
      relations: [
        ["comments", "../comments1.xml"],
        ["threadedComment", "../threadedComments/threadedComment1.xml"],
      ],
      parts: {
        "xl/persons/person.xml":
          '<personList><person displayName="Ana Lee" id="{P1}"/><person displayName="Zoé" id="{P2}"/></personList>',
        "xl/threadedComments/threadedComment1.xml":
          '<ThreadedComments><threadedComment ref="B2" dT="2024-03-02T10:00:00.00" personId="{P1}" id="{T1}"><text>Weighed twice</text></threadedComment><threadedComment ref="B2" dT="2024-03-03T10:00:00.00" personId="{P2}" id="{T2}" parentId="{T1}"><text>Three times</text></threadedComment></ThreadedComments>',
        "xl/comments1.xml": `<comments><authors><author>tc={T1}</author><author>Ben</author><author>tc={T9}</author></authors><commentList>${note("B2", 0, stub)}${note("C3", 1, "A note")}${note("D4", 2, stub)}</commentList></comments>`,
      },
    });
    const { markdown } = await convertHere("a.xlsx", file);
    expect(markdown).toContain(
      "Comments:\n\n- B2: **Ana Lee**, 2024-03-02: Weighed twice\n  - **Zoé**, 2024-03-03: Three times\n- C3: **Ben**: A note\n- D4: Comment: Weighed twice Reply: Three times",
    );
    expect(markdown).not.toContain("Your version of Excel");
  });

  it("of a presentation is kept: each answer to a comment with who gave it", async () => {
    const body = (text: string): string =>
      `<p188:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p188:txBody>`;
    const file = pptxFile({
      relations: [["comments", "../comments/modernComment.xml"]],
      parts: {
        "ppt/comments/modernComment.xml": `<p188:cmLst><p188:cm authorId="{A}" created="2024-03-02T10:00:00"><p188:replyLst><p188:reply authorId="{B}" created="2024-03-03T10:00:00">${body("Why?")}</p188:reply></p188:replyLst>${body("Shorter")}</p188:cm></p188:cmLst>`,
        "ppt/authors.xml":
          '<p188:authorLst><p188:author id="{A}" name="Ana"/><p188:author id="{B}" name="Zoé"/></p188:authorLst>',
      },
    });
    const { markdown } = await convertHere("a.pptx", file);
    expect(markdown).toContain(
      "[^comment-1]: **Ana**, 2024-03-02: Shorter\n[^comment-2]: **Zoé**, 2024-03-03: Why?",
    );
  });

  it("of charts of the newer kind is kept, and not what stands in their place for other programs", async () => {
    for (const [name, file] of Object.entries(newerChartFiles())) {
      const { markdown } = await convertHere(name, file);
      expect(markdown, name).toContain(CHART);
      expect(markdown, name).not.toContain("not available");
    }
  });

  it("of an OpenDocument text is kept, without what is hidden", async () => {
    const { markdown, notices } = await convertHere("a.odt", richOdtFile());
    expect(markdown).toBe(`Grow[^comment-1] $x^{2}$

**Chart: Harvest**

|  | Kilos |
| --- | --- |
| Leeks | 12.5 |

[^comment-1]: **Ana**, 2024-03-02: Too early?`);
    expect(notices).toEqual([
      "Text that the document holds but does not show was left out (2 words).",
    ]);
  });
});

describe("a web page", () => {
  it("keeps formulas as LaTeX, once", async () => {
    const math =
      "<math><semantics><mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi></mrow><msqrt><msup><mi>b</mi><mn>2</mn></msup></msqrt></mfrac></mrow><annotation encoding='application/x-tex'>obey</annotation></semantics></math>";
    const { markdown } = await convertHere(
      "a.html",
      `<html><body><p>So <span class="katex"><span class="katex-mathml">${math}</span><span class="katex-html">x=−b</span></span>.</p></body></html>`,
    );
    expect(markdown).toBe(String.raw`So $x = \frac{- b}{\sqrt{b^{2}}}$.`);
  });

  it("keeps checkboxes", async () => {
    const html =
      '<html><body><ul><li><input type="checkbox" checked> one</li><li><input type=checkbox> two</li></ul></body></html>';
    expect((await convertHere("a.html", html)).markdown).toBe("- [x] one\n- [ ] two");
  });
});

describe("a table of one column", () => {
  it("is a table in DOCX, PPTX and ODT; one of one cell is a box around its text", async () => {
    const expected = "| Outils |\n| --- |\n| Bêche |";
    const cell = (text: string): string =>
      `<w:tr><w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc></w:tr>`;
    const body = `<w:tbl>${cell("Outils")}${cell("Bêche")}</w:tbl><w:p/><w:tbl>${cell("Encadré")}</w:tbl>`;
    const docx = await convertHere("a.docx", docxFile({ body }));
    expect(docx.markdown).toBe(`${expected}\n\nEncadré`);
    const drawn = (text: string): string =>
      `<a:tr><a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc></a:tr>`;
    const slide = `<p:graphicFrame><a:tbl>${drawn("Outils")}${drawn("Bêche")}</a:tbl></p:graphicFrame>`;
    expect((await convertHere("a.pptx", pptxFile({ slide }))).markdown).toContain(expected);
    const row = (text: string): string =>
      `<table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`;
    const content = `<table:table>${row("Outils")}${row("Bêche")}</table:table>`;
    expect((await convertHere("a.odt", odtFile({ content }))).markdown).toBe(expected);
  });

  it("is a table with one cell, too, in a sheet", async () => {
    const content =
      "<table:table><table:table-row><table:table-cell><text:p>Outils</text:p></table:table-cell></table:table-row></table:table>";
    const sheet = rewrittenZip(odtFile({ content }), /^content/u, (xml) =>
      xml.replaceAll("office:text>", "office:spreadsheet>"),
    );
    expect((await convertHere("a.ods", sheet)).markdown).toBe("| Outils |\n| --- |");
  });

  it("is a table with one cell, too, where that is a heading", async () => {
    const expected = "| Outils |\n| --- |";
    const slide =
      '<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Outils</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>';
    expect((await convertHere("a.pptx", pptxFile({ slide }))).markdown).toContain(expected);
    const content =
      "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Outils</text:p></table:table-cell></table:table-row></table:table-header-rows></table:table>";
    expect((await convertHere("a.odt", odtFile({ content }))).markdown).toBe(expected);
  });
});
