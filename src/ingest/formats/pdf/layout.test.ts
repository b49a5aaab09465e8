import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { convertHere } from "../../testing/convert.ts";
import { inHebrewFont, paragraph, placedPdf, type PlacedPage } from "../../testing/placed-pdf.ts";
import { wordsOf } from "../pdf.ts";

async function markdownOf(...pages: PlacedPage[]): Promise<string> {
  const { markdown } = await convertHere("layout.pdf", placedPdf(pages));
  return markdown.replace("<!-- page 1 -->\n\n", "");
}

/** Lines that fill a column of about 230 points. */
const LEFT = [
  "The workshop opens at nine and closes late",
  "in the evening, so that people who work may",
  "come by after supper and fire their own pots",
  "in the large kiln that stands near the door.",
  "Everybody signs the book when they arrive.",
];
const RIGHT = [
  "Glazes are mixed on Fridays by two members",
  "who know the recipes and where the scales",
  "are kept; nobody else opens the powders as",
  "long as no mask hangs on the hook beside the",
  "sink. The hook was put there last winter.",
];

describe("the layout of a page", () => {
  it("is read column by column, below a title over both", async () => {
    const title = { x: 60, y: 60, text: "House rules of the workshop by the river", size: 20 };
    // The second column does not stand on the lines of the first.
    const texts = [title, ...paragraph(LEFT, 60, 100), ...paragraph(RIGHT, 320, 104)];
    const shuffled = texts.toSorted((one, other) => one.y - other.y);
    expect(await markdownOf({ texts: shuffled })).toBe(
      `# House rules of the workshop by the river\n\n${LEFT.join(" ")}\n\n${RIGHT.join(" ")}`,
    );
  });

  it("has lists, nested and numbered, whose items go over several lines", async () => {
    const texts = [
      ...paragraph(["What to bring to the first evening, as we always say:"], 60, 60),
      { x: 70, y: 80, text: "\u0095" },
      ...paragraph(
        ["an apron that may get dirty, because it will be before", "the evening is over"],
        82,
        80,
      ),
      { x: 90, y: 104, text: "-" },
      { x: 102, y: 104, text: "cotton is best" },
      { x: 70, y: 116, text: "\u0095" },
      { x: 82, y: 116, text: "a towel" },
      { x: 70, y: 140, text: "1." },
      { x: 84, y: 140, text: "Wedge the clay" },
      { x: 70, y: 152, text: "2." },
      { x: 84, y: 152, text: "Centre it" },
    ];
    expect(await markdownOf({ texts })).toBe(
      [
        "What to bring to the first evening, as we always say:\n",
        "- an apron that may get dirty, because it will be before the evening is over",
        "  - cotton is best",
        "- a towel",
        "1. Wedge the clay",
        "2. Centre it",
      ].join("\n"),
    );
  });

  it("keeps the rows of a table whose cells have several lines", async () => {
    const row = (y: number, cells: readonly string[][]): { x: number; y: number; text: string }[] =>
      cells.flatMap((lines, at) => paragraph(lines, [60, 180, 330][at] ?? 0, y));
    const texts = [
      ...row(60, [["Firing"], ["What for"], ["Hours"]]),
      ...row(78, [["Bisque"], ["dries the pots and makes", "them hard enough to glaze"], ["8"]]),
      ...row(108, [["Glaze"], ["melts the glass"], ["10"]]),
    ];
    expect(await markdownOf({ texts })).toBe(
      [
        "| Firing | What for | Hours |",
        "| --- | --- | --- |",
        "| Bisque | dries the pots and makes them hard enough to glaze | 8 |",
        "| Glaze | melts the glass | 10 |",
      ].join("\n"),
    );
  });

  it("sees the borders of a table, and cells that were merged", async () => {
    const lines: [number, number, number, number][] = [
      ...[50, 80, 110, 140].map((y): [number, number, number, number] => [50, y, 350, y]),
      ...[50, 350].map((x): [number, number, number, number] => [x, 50, x, 140]),
      // The first row is one cell over two columns on its right.
      [150, 50, 150, 140],
      [250, 80, 250, 140],
    ];
    const texts = [
      { x: 55, y: 70, text: "Kiln" },
      { x: 155, y: 70, text: "Prices of this winter" },
      { x: 55, y: 100, text: "small" },
      { x: 155, y: 100, text: "12" },
      { x: 255, y: 100, text: "14" },
      { x: 55, y: 130, text: "large" },
      { x: 155, y: 130, text: "20" },
      { x: 255, y: 130, text: "23" },
    ];
    expect(await markdownOf({ texts, lines })).toBe(
      [
        "| Kiln | Prices of this winter |  |",
        "| --- | --- | --- |",
        "| small | 12 | 14 |",
        "| large | 20 | 23 |",
      ].join("\n"),
    );
  });

  it("has headings by size and weight, and code by its font", async () => {
    const texts = [
      { x: 60, y: 60, text: "Manual", size: 20 },
      { x: 60, y: 90, text: "Install", size: 14 },
      ...paragraph(LEFT, 60, 110),
      { x: 60, y: 185, text: "On a server", font: "bold" as const },
      ...paragraph(RIGHT, 60, 205),
      { x: 60, y: 290, text: "if (ready)", font: "mono" as const },
      { x: 72, y: 302, text: "start();", font: "mono" as const },
    ];
    expect(await markdownOf({ texts })).toBe(
      `# Manual\n\n## Install\n\n${LEFT.join(" ")}\n\n### On a server\n\n${RIGHT.join(" ")}\n\n\`\`\`\nif (ready)\n  start();\n\`\`\``,
    );
  });

  it("is read from right to left where its letters are, words apart", async () => {
    const [one, two, three] = ["שלום", "לכל", "הקוראים"];
    const texts = [
      // Three words of one line, each by itself, without spaces.
      { x: 60, y: 60, text: inHebrewFont(three ?? ""), font: "hebrew" as const },
      { x: 120, y: 60, text: inHebrewFont(two ?? ""), font: "hebrew" as const },
      { x: 150, y: 60, text: inHebrewFont(one ?? ""), font: "hebrew" as const },
      { x: 160, y: 90, text: "\u0095" },
      { x: 120, y: 90, text: inHebrewFont(two ?? ""), font: "hebrew" as const },
    ];
    expect(await markdownOf({ texts })).toBe(`${one} ${two} ${three}\n\n- ${two}`);
  });

  it("makes words whole that the end of a line cut, and keeps those that have a hyphen", async () => {
    const lines = [
      "Some kilns are gas-fired and some of them are electric, and the develop-",
      "ment of both goes on; the gas-",
      "fired ones are older.",
    ];
    const markdown = await markdownOf({ texts: paragraph(lines, 60, 60) });
    expect(markdown).toContain("the development of both");
    expect(markdown.replaceAll(/\s+/gu, " ")).toContain("the gas-fired ones");
  });

  it("keeps running titles and page numbers out of the text", async () => {
    const page = (number: number): PlacedPage => ({
      texts: [
        { x: 60, y: 30, text: "House rules", font: "bold" },
        ...paragraph([...LEFT, ...RIGHT], 60, 80),
        { x: 300, y: 800, text: String(number) },
      ],
    });
    const markdown = await markdownOf(page(1), page(2), page(3), page(4));
    expect(markdown).not.toContain("#");
    expect(markdown).toContain(
      `<!-- page 3 -->\n\nHouse rules\n\n${LEFT.join(" ")} ${RIGHT.join(" ")}\n\n3\n\n`,
    );
  });

  it("has what was filled into a form, links and remarks", async () => {
    const page: PlacedPage = {
      texts: [
        { x: 60, y: 60, text: "Name:" },
        { x: 60, y: 90, text: "See our prices here." },
      ],
      annotations: [
        "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)/Rect[100 776 250 792]>>",
        "<</Type/Annot/Subtype/Link/Rect[80 748 125 762]/A<</S/URI/URI(https://example.org/prices)>>>>",
        "<</Type/Annot/Subtype/Text/Contents(Is this still true?)/T(Grace)/Rect[300 700 320 720]>>",
      ],
    };
    expect(await markdownOf(page)).toBe(
      "Name: Ada Lovelace\n\nSee [our prices](https://example.org/prices) here.\n\n> Comment: Grace: Is this still true?",
    );
  });

  it.each(["Square", "Circle", "Line", "Ink", "Stamp", "Polygon", "PolyLine", "FileAttachment"])(
    "has what a reader wrote beside a mark: %s",
    async (mark) => {
      const shape = "/L[300 700 320 720]/Vertices[300 700 320 720]/InkList[[300 700 320 720]]";
      const note = `<</Type/Annot/Subtype/${mark}/Contents(Too large)/T(Grace)${shape}/Rect[300 700 320 720]>>`;
      const page = { texts: [{ x: 60, y: 60, text: "The plan." }], annotations: [note] };
      expect(await markdownOf(page)).toBe("The plan.\n\n> Comment: Grace: Too large");
    },
  );

  it("does not mix a large letter behind the text with its lines", async () => {
    const texts = [
      { x: 150, y: 150, text: "A", size: 300 },
      ...paragraph([...LEFT, ...RIGHT], 60, 60),
    ];
    const markdown = await markdownOf({ texts });
    expect(markdown).toContain([...LEFT, ...RIGHT].join(" "));
  });

  it("is not looked for on a page of thousands of parts, and the note says so", async () => {
    const texts = Array.from({ length: 9000 }, (_, at) => ({
      x: 20 + (at % 60) * 9,
      y: 20 + Math.floor(at / 60) * 5,
      text: "ab",
      size: 4,
    }));
    const { markdown, notices } = await convertHere("full.pdf", placedPdf([{ texts }]));
    expect(wordsOf(markdown).filter((word) => word === "ab")).toHaveLength(9000);
    expect(notices).toEqual([
      "The text of page 1 is in too many parts to find its layout: plain text.",
    ]);
  });

  it("never loses a word, wherever the words stand", async () => {
    const word = fc.stringMatching(/^[a-z]{2,9}$/u);
    const text = fc.record({
      // Further right, large letters would stand outside the page.
      x: fc.integer({ min: 20, max: 250 }),
      y: fc.integer({ min: 1, max: 40 }).map((line) => line * 20),
      text: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
      size: fc.constantFrom(3, 8, 10, 10, 16),
      font: fc.constantFrom("plain" as const, "bold" as const, "mono" as const),
    });
    const line = fc.tuple(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 800 }),
      fc.boolean(),
    );
    const page = fc.record({
      texts: fc.uniqueArray(text, { maxLength: 25, selector: ({ y }) => y }),
      lines: fc.array(
        line.map(([x, y, isUpright]): [number, number, number, number] =>
          isUpright ? [x, y, x, y + 90] : [x, y, x + 200, y],
        ),
        { maxLength: 12 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(page, async (each) => {
        const found = wordsOf((await markdownOf(each)).replace("<!-- page 1 -->", ""));
        const expected = each.texts.flatMap((placed) => wordsOf(placed.text));
        expect(found.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 60 },
    );
  });
});
