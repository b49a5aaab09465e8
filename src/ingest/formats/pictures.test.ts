import { describe, expect, it } from "vitest";

import { convertHere } from "../testing/convert.ts";
import { keepFile } from "../testing/exported-files.ts";
import { docxFile, epubFile, odtFile, pptxFile } from "../testing/office-files.ts";
import { pngFile } from "../testing/png-file.ts";
import { rewrittenZip } from "../testing/rewritten-zip.ts";
import { zipFile } from "../testing/zip-file.ts";

const LEFT_OUT =
  "Pictures that are damaged, missing, of a kind that is not kept, or more than 100 were left out: 1.";
const damaged = (): string => "no picture";

const slide =
  '<p:pic><p:nvPicPr><p:cNvPr id="9" name="x" descr="A bed"/></p:nvPicPr><p:blipFill><a:blip r:embed="rId2"/></p:blipFill></p:pic>';
const frame =
  '<text:p><draw:frame><draw:image xlink:href="Pictures/b.svm"/><svg:title>No</svg:title><svg:desc>A bed</svg:desc></draw:frame>text</text:p>';

describe("a picture that is not kept is named, with what it shows:", () => {
  it.each([
    ["a.docx", rewrittenZip(docxFile(), /image1\.png$/u, damaged), "*(picture: Un arrosoir)*"],
    [
      "a.pptx",
      pptxFile({
        slide,
        relations: [["image", "../media/a.emf"]],
        parts: { "ppt/media/a.emf": "no picture" },
      }),
      "*(picture: A bed)*",
    ],
    ["a.odt", odtFile({ content: frame }), "*(picture: A bed)*"],
    ["a.epub", rewrittenZip(epubFile(), /a\.png$/u, damaged), "*(picture: plan)*"],
    [
      "a.html",
      '<html><body><p>Text</p><img alt="A bed" src="data:image/svg+xml,%3Csvg/%3E"></body></html>',
      "*(picture: A bed)*",
    ],
  ])("%s", async (name, file, shown) => {
    const { markdown, images, notices } = await convertHere(name, file);
    expect(markdown).toContain(shown);
    expect(images).toEqual([]);
    expect(notices).toEqual([LEFT_OUT]);
  });

  it("once, when it is shown many times", async () => {
    const bad = `<img src="data:image/tiff;base64,${Buffer.from("no").toString("base64")}">`;
    const page = `<html><body><p>Text</p>${bad}${bad}</body></html>`;
    expect((await convertHere("a.html", page)).notices).toEqual([LEFT_OUT]);
  });
});

describe("a picture in several forms", () => {
  it("is shown once in an OpenDocument text, in the form that is kept", async () => {
    const content =
      '<text:p>text<draw:frame><draw:image xlink:href="Pictures/a.svg"/><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>';
    const { markdown, notices } = await convertHere(
      "a.odt",
      odtFile({ content, parts: { "Pictures/a.svg": "<svg/>" } }),
    );
    expect(markdown).toBe("text![](attachment:image-1.png)");
    expect(notices).toEqual([]);
  });

  it("is the cover of a book, inside a drawing", async () => {
    const cover = '<svg viewBox="0 0 1 1"><image xlink:href="img/a.png" width="1"/></svg>';
    const file = rewrittenZip(epubFile(), /bis\.xhtml$/u, (xml) =>
      xml.replace("<h2>", `${cover}<h2>`).replace(/<img[^>]*>/u, ""),
    );
    const { markdown, notices } = await convertHere("a.epub", file);
    expect(markdown.startsWith("![](attachment:image-1.png)")).toBe(true);
    expect(notices).toEqual([]);
  });
});

describe("what hangs on a note of Google Keep", () => {
  it("and is no picture is a file beside it; what is missing is named", async () => {
    const note = (attachments: readonly string[]): string =>
      JSON.stringify({
        title: "Heard",
        userEditedTimestampUsec: 1_709_373_600_000_000,
        attachments: attachments.map((filePath) => ({ filePath })),
      });
    const file = zipFile({
      "Takeout/Keep/Heard.json": note(["a.png", "b.3gp", "gone.png"]),
      "Takeout/Keep/a.png": pngFile(),
      "Takeout/Keep/b.3gp": "sound",
    });
    const { inside } = await convertHere("takeout.zip", file);
    expect(inside.map(({ name }) => name)).toEqual(["2024-03-02 Heard.md", "b.3gp"]);
    expect(inside[0]?.converted?.images).toHaveLength(1);
    expect(inside[0]?.converted?.notices).toEqual([LEFT_OUT]);
    const usual = await convertHere("takeout.zip", keepFile());
    expect(usual.inside[0]?.converted?.notices).toEqual([]);
  });
});
