import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { convertHere } from "../testing/convert.ts";
import {
  docxFile,
  epubFile,
  odpFile,
  odsFile,
  odtFile,
  pptxFile,
  xlsxFile,
} from "../testing/office-files.ts";
import { zipFile } from "../testing/zip-file.ts";

describe("a Word document", () => {
  it("keeps headings, links, nested lists, tables and pictures", async () => {
    const { title, markdown, images } = await convertHere("jardin.docx", docxFile());
    expect(title).toBe("Le jardin");
    expect(markdown).toBe(`# Le jardin

Semer dès février : [les semis d’été](https://example.org/semis).

## Outils

- Bêche
  - manche en frêne
- Arrosoir

| Mois | Tâche |
| --- | --- |
| Mars | Tailler |

![Un arrosoir](attachment:image-1.png)`);
    expect(images.map(({ name }) => name)).toEqual(["image-1.png"]);
  });

  it("is refused when it uses entities of its own", async () => {
    const bomb = docxFile({ body: "<w:p><w:r><w:t>&lol9;</w:t></w:r></w:p>" });
    const refusal = await refusalOf(async () => convertHere("bomb.docx", bomb));
    expect(refusal?.message).toContain("entity not found");
  });
});

describe("an OpenDocument text", () => {
  it("keeps headings, links, notes, both kinds of lists, tables and pictures", async () => {
    const { markdown, images } = await convertHere("jardin.odt", odtFile());
    expect(markdown).toBe(`# Le jardin

Semer dès février : [les semis d’été](https://example.org/semis) (sous abri).

- Bêche
  - manche en frêne

1. Bêcher
2. Ratisser

| Mois | Tâche |
| --- | --- |
| Mars | Tailler<br>et brûler |

![](attachment:image-1.png)`);
    expect(images).toHaveLength(1);
  });

  it("does not expand entities that it defines itself", async () => {
    const entities = Array.from(
      { length: 9 },
      (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
    );
    const doctype = `<!DOCTYPE x [<!ENTITY e0 "boum">${entities.join("")}]>`;
    const bomb = zipFile({
      mimetype: "application/vnd.oasis.opendocument.text",
      "content.xml": `<?xml version="1.0"?>${doctype}<office:document><office:body><text:p>avant &e9; après</text:p></office:body></office:document>`,
    });
    const { markdown } = await convertHere("bomb.odt", bomb);
    expect(markdown.length).toBeLessThan(1000);
    expect(markdown).toContain("avant");
  });

  it("says that one with a password cannot be read", async () => {
    const locked = odtFile({ manifest: "<manifest:encryption-data/>" });
    const refusal = await refusalOf(async () => convertHere("secret.odt", locked));
    expect(refusal?.message).toContain("protected by a password");
  });
});

describe("an OpenDocument presentation", () => {
  it("shows slides with markers, titles and notes", async () => {
    const { markdown } = await convertHere("exposé.odp", odpFile());
    expect(markdown).toBe(`<!-- slide 1 -->

## Premier

- Point de Premier

> À dire

<!-- slide 2 -->

## Second

- Point de Second

> À dire`);
  });
});

describe("an OpenDocument spreadsheet", () => {
  it("shows each sheet as a table, without its million empty cells", async () => {
    const { markdown } = await convertHere("récoltes.ods", odsFile());
    expect(markdown).toBe(`## Récoltes

| Légume | Kilos |
| --- | --- |
| Poireaux | 12,5 |`);
  });
});

describe("a PowerPoint presentation", () => {
  it("shows slides in their order with titles, nested lists, tables, links and notes", async () => {
    const { markdown } = await convertHere("exposé.pptx", pptxFile());
    expect(markdown).toBe(`<!-- slide 1 -->

## Le jardin

- Bêche
  - manche en frêne
- Arrosoir

> Parler de l’été

<!-- slide 2 -->

## Calendrier

| Mois | Tâche |
| --- | --- |
| Mars | Tailler |

- [les semis](https://example.org/semis)`);
  });
});

describe("an Excel workbook", () => {
  it("shows what the cells show: texts, numbers, percentages, dates and times in their columns", async () => {
    const { markdown } = await convertHere("récoltes.xlsx", xlsxFile());
    expect(markdown).toBe(`## Récoltes

| Légume | Kilos |  | Le |  |  |
| --- | --- | --- | --- | --- | --- |
| Poireaux \\| verts | 0.3 | 12.50% | 2024-03-15 | 18:00:00 | TRUE |`);
  });

  it("shows a large sheet as comma-separated values", async () => {
    const { markdown } = await convertHere("grand.xlsx", xlsxFile({ rows: 4000 }));
    expect(markdown).toContain("```csv\nLégume,Kilos,,Le\n");
    expect(markdown).toContain("\n3999,1\n```");
  });
});

describe("a book", () => {
  it("gives its chapters in the order of reading, with their pictures", async () => {
    const { title, markdown, images } = await convertHere("potager.epub", epubFile());
    expect(title).toBe("Traité du potager");
    expect(markdown).toBe(`## Chapitre un

Les semis.

![plan](attachment:image-1.png)

## Chapitre deux

La récolte. Voir avant.`);
    expect(images).toHaveLength(1);
  });
});

describe("an office document that is not one", () => {
  it.each([
    ["docx", docxFile()],
    ["odt", odtFile()],
    ["pptx", pptxFile()],
    ["xlsx", xlsxFile()],
    ["epub", epubFile()],
  ])("is refused plainly when it is cut off: %s", async (extension, bytes) => {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    const refusal = await refusalOf(async () => convertHere(`half.${extension}`, half));
    expect(refusal?.message).toMatch(/^half\.\w+ (?:cannot be read|is )/u);
  });
});
