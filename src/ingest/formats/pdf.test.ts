import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { convertHere } from "../testing/convert.ts";
import { pdfFile } from "../testing/pdf-file.ts";
import { recall, wordsOf } from "./pdf.ts";

describe("a PDF", () => {
  it("gives its pages with markers, and the title it has", async () => {
    const file = pdfFile([["Premiere page du rapport"], ["Seconde page"]], { title: "Rapport" });
    const { title, markdown, notices } = await convertHere("r.pdf", file);
    expect(title).toBe("Rapport");
    expect(markdown).toBe(
      "<!-- page 1 -->\n\nPremiere page du rapport\n\n<!-- page 2 -->\n\nSeconde page",
    );
    expect(notices).toEqual([]);
  });

  it("tells of pages without text, and what would read them", async () => {
    const { notices, isPartial } = await convertHere("scan.pdf", pdfFile([["Un"], [], []]));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^No text on pages 2, 3: .*tesseract-ocr-eng.*COFFRE_TESSDATA/u);
    expect(isPartial).toBe(true);
  });

  it("does not run its scripts, and says that it has some", async () => {
    const file = pdfFile([["Un formulaire"]], { script: "app.alert('boum')" });
    const { markdown, notices } = await convertHere("form.pdf", file);
    expect(markdown).toContain("Un formulaire");
    expect(notices).toEqual(["The document has scripts in it. They were not run."]);
  });

  it("is refused plainly when it is encrypted or damaged", async () => {
    const locked = pdfFile([["Secret"]], { isEncrypted: true });
    const encrypted = await refusalOf(async () => convertHere("secret.pdf", locked));
    expect(encrypted?.message).toContain("secret.pdf is encrypted");
    const damaged = await refusalOf(async () =>
      convertHere("bad.pdf", "%PDF-1.7\nnothing follows"),
    );
    expect(damaged?.message).toContain("bad.pdf is not a whole PDF");
  });
});

describe("the words of a text", () => {
  it("are its runs of letters and digits, ligatures taken apart", () => {
    expect(wordsOf("L’œuvre ﬁnale, n° 12 !")).toEqual(["l", "œuvre", "finale", "n", "12"]);
  });

  it("are counted as there as often as they are", () => {
    expect(recall("un deux deux", "deux un")).toBeCloseTo(2 / 3);
    expect(recall("", "x")).toBe(1);
    expect(recall("a b", "")).toBe(0);
  });

  it("count as there when a line's end had cut them", () => {
    expect(recall("dévelop pement", "le développement")).toBe(1);
  });
});
