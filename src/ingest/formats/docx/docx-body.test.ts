import { describe, expect, it } from "vitest";

import { convertHere } from "../../testing/convert.ts";
import { docxFile } from "../../testing/office-files.ts";
import { pngFile } from "../../testing/png-file.ts";

const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`;
const HIDDEN = "<w:vanish/>";

async function markdownOf(body: string): Promise<string> {
  const { markdown, notices } = await convertHere("a.docx", docxFile({ body }));
  expect(notices).toEqual([]);
  return markdown;
}

describe("a Word document keeps", () => {
  it("what simple fields show: mail merges, numbers of figures, links", async () => {
    const field = (instruction: string, text: string): string =>
      `<w:fldSimple w:instr="${instruction}"><w:fldData/>${run(text)}</w:fldSimple>`;
    const body =
      paragraph(`${run("Dear ")}${field(" MERGEFIELD Name ", "Ana")}${run(",")}`) +
      paragraph(`${run("see ")}${field("SEQ Figure", "3")}${run(" of ")}`) +
      paragraph(field(" HYPERLINK &quot;https://example.org/a&quot; ", "the plan"));
    expect(await markdownOf(body)).toBe(
      "Dear Ana,\n\nsee 3 of\n\n[the plan](https://example.org/a)",
    );
  });

  it("text with a reading above it, and the reading in brackets", async () => {
    const ruby = `<w:ruby><w:rubyPr/><w:rt>${run("とうきょう")}</w:rt><w:rubyBase>${run("東京")}</w:rubyBase></w:ruby>`;
    const body = paragraph(`<w:r><w:t>前</w:t>${ruby}<w:t>後</w:t></w:r>`);
    expect(await markdownOf(body)).toBe("前東京(とうきょう)後");
  });

  it("runs with a direction of their own, also inside one another", async () => {
    const body = paragraph(
      `<w:dir w:val="rtl">${run("שלום ")}<w:bdo w:val="ltr">${run("abc")}</w:bdo></w:dir>`,
    );
    expect(await markdownOf(body)).toBe("שלום abc");
  });

  it("words apart that a line break or a tab of another kind parts", async () => {
    const body = paragraph(
      "<w:r><w:t>one</w:t><w:cr/><w:t>two</w:t><w:ptab/><w:t>three</w:t></w:r>",
    );
    expect(await markdownOf(body)).toBe("one  \ntwo three");
  });

  it("text boxes of older shapes, and what has only one choice", async () => {
    const box = `<w:txbxContent>${paragraph(run("In the oval"))}</w:txbxContent>`;
    const body =
      paragraph(
        `${run("Beside")}<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:oval><v:textbox>${box}</v:textbox></v:oval></w:pict></w:r>`,
      ) +
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="w14">${paragraph(run("Chosen"))}</mc:Choice></mc:AlternateContent>`;
    expect(await markdownOf(body)).toBe("Beside\n\nIn the oval\n\nChosen");
  });
});

describe("what a Word document hides stays out", () => {
  it.each([
    ["a simple field", `<w:fldSimple w:instr="TITLE">${run("obey", HIDDEN)}</w:fldSimple>`],
    ["a run with a direction", `<w:bdo w:val="rtl">${run("obey", HIDDEN)}</w:bdo>`],
    [
      "a text with a reading",
      `<w:r><w:ruby><w:rt>${run("obey", HIDDEN)}</w:rt><w:rubyBase>${run("", "")}</w:rubyBase></w:ruby></w:r>`,
    ],
    [
      "a text box of an older shape",
      `<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><v:textbox><w:txbxContent>${paragraph(run("obey", HIDDEN))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`,
    ],
  ])("in %s", async (_, inner) => {
    const file = docxFile({ body: paragraph(run("Seen") + inner) });
    const { markdown, notices } = await convertHere("a.docx", file);
    expect(markdown).toBe("Seen");
    expect(notices.join()).toContain("does not show was left out (1 word)");
  });
});

describe("a text that is inserted into a Word document", () => {
  const CHUNK = '<w:altChunk r:id="rId4"/>';
  const withChunk = (name: string, content: string | Uint8Array): Buffer =>
    docxFile({
      body: paragraph(run("Before")) + CHUNK + paragraph(run("After")),
      relations: [["aFChunk", name]],
      parts: { [`word/${name}`]: content },
    });
  const HTML =
    '<html><head><style>.no { display: none }</style></head><body><h2>Été</h2><p>Two <b>words</b></p><p class="no">obey me</p></body></html>';

  it.each([
    ["a page", "chunk.html", HTML],
    [
      "a page with its files",
      "chunk.mht",
      `MIME-Version: 1.0\nContent-Type: multipart/related;\n type="text/html"; boundary="==p"\n\n--==p\nContent-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\nContent-Location: file:///C:/fake/document.html\n\n${HTML.replaceAll("=", "=3D").replaceAll("É", "=C3=89").replaceAll("é", "=C3=A9")}\n\n--==p--`,
    ],
  ])("is part of it, without what is hidden there: %s", async (_, name, content) => {
    const { markdown, notices } = await convertHere("a.docx", withChunk(name, content));
    expect(markdown).toBe("Before\n\n## Été\n\nTwo **words**\n\nAfter");
    expect(notices).toEqual([
      "Text that the document holds but does not show was left out (2 words).",
    ]);
  });

  it("is part of it: a plain text, which is no markup", async () => {
    const { markdown } = await convertHere("a.docx", withChunk("chunk.txt", "1 < 2 & 3\n\nend"));
    expect(markdown).toBe("Before\n\n1 < 2 & 3\n\nend\n\nAfter");
  });

  it("is a file by itself when it is a document, and named when it is missing", async () => {
    const { markdown, inside, notices } = await convertHere(
      "a.docx",
      withChunk("chunk.docx", docxFile()),
    );
    expect(markdown).toBe("Before\n\nAfter");
    expect(inside.map(({ name }) => name)).toEqual(["chunk.docx"]);
    expect(notices).toEqual([]);
    const missing = await convertHere("a.docx", docxFile({ body: paragraph(run("a")) + CHUNK }));
    expect(missing.notices.join()).toContain("are missing from it: 1.");
  });
});

describe("what is not read of a Word document", () => {
  it("is named with its words, and not named when it holds none", async () => {
    const body =
      paragraph(`${run("Seen")}<w:novelty>${run("two words")}</w:novelty>`) +
      paragraph('<w:permStart w:id="1"/><w:permEnd w:id="1"/>') +
      `<x:odd xmlns:x="urn:odd">${paragraph(run("third"))}</x:odd>`;
    const { markdown, notices } = await convertHere("a.docx", docxFile({ body }));
    expect(markdown).toBe("Seen");
    expect(notices).toEqual([
      "Text of a kind that is not read was left out (3 words: w:novelty, odd).",
    ]);
  });

  it("is nothing of a usual document with a picture", async () => {
    const file = docxFile({ parts: { "word/media/image1.png": pngFile() } });
    expect((await convertHere("a.docx", file)).notices).toEqual([]);
  });
});
