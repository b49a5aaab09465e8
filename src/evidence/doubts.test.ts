import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { doubtsIn, marksOf, sentencesOf } from "./doubts.ts";
import { factsIn, SourceFacts } from "./facts-in.ts";

describe("the sentences of an overview", () => {
  it("end where people end them, with the marks that follow the full stop", () => {
    expect(
      sentencesOf("Mr. Hale starts on 4 May. [1] He was dearer [2]. It is £1,150.50 now."),
    ).toEqual(["Mr. Hale starts on 4 May [1].", "He was dearer [2].", "It is £1,150.50 now."]);
    expect(sentencesOf("- Un fait [1].\n- « Et un autre. » [2] Puis rien.")).toEqual([
      "Un fait [1].",
      "« Et un autre [2]. »",
      "Puis rien.",
    ]);
  });

  it("carry one mark, several, or a run of them", () => {
    expect(marksOf("So [1][3].")).toEqual([1, 3]);
    expect(marksOf("So [2, 4].")).toEqual([2, 4]);
    expect(marksOf("So [1-3].")).toEqual([1, 2, 3]);
    expect(marksOf("So [decision].")).toEqual([]);
  });
});

describe("facts", () => {
  it("are dates in either language, figures, and names inside a sentence", () => {
    const facts = factsIn(
      "On 4 February 2025 Hale and Orla Byrne asked £4,280 for 2 roofs, le 3 mars.",
    );
    expect(facts.dates.map(({ year, month, day }) => [year, month, day])).toEqual([
      [2025, 2, 4],
      [null, 3, 3],
    ]);
    expect(facts.figures.map(({ value }) => value)).toEqual([4280, 2]);
    expect(facts.names).toEqual(["Hale", "Orla", "Byrne"]);
  });

  it("are the same however a number or a day is written", () => {
    const source = new SourceFacts("4 280 € le 14 juillet 2026, 1'150.5, 12,5 %");
    const has = (text: string): boolean =>
      factsIn(text).figures.every((figure) => source.hasFigure(figure)) &&
      factsIn(text).dates.every((date) => source.hasDate(date));
    expect(has("It costs 4,280 on 2026-07-14")).toBe(true);
    expect(has("It costs 4.280 on July 14")).toBe(true);
    expect(has("It is 12.5 and 1150.5 in July 2026")).toBe(true);
    expect(has("It costs 4,281")).toBe(false);
    expect(has("On 15 July 2026")).toBe(false);
    expect(has("On 14 July 2025")).toBe(false);
  });

  it("of any text stand in that text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: "grapheme" }), (text) => {
        const source = new SourceFacts(text);
        const { dates, figures, names } = factsIn(text);
        expect(dates.every((date) => source.hasDate(date))).toBe(true);
        expect(figures.every((figure) => source.hasFigure(figure))).toBe(true);
        expect(names.every((name) => source.hasName(name))).toBe(true);
      }),
    );
  });
});

describe("doubts", () => {
  const sources = new Map([
    [1, new SourceFacts("# 2026-11-04\n## Hale does the roof\nDearer by 300, before the frost.")],
    [2, new SourceFacts("Brand asks 4,000, in spring.")],
  ]);
  const kinds = (overview: string): unknown[] =>
    doubtsIn(overview, sources).map(({ kind, values }) => (kind === "no_mark" ? kind : values));

  it("are raised by a sentence without a mark, and by what its sources do not have", () => {
    expect(
      kinds("Since 4 November Hale does the roof [1]. The other, Brand, asked 4000 [2]."),
    ).toEqual([]);
    expect(kinds("You chose Hale for the roof.")).toEqual(["no_mark"]);
    expect(kinds("You chose Hale for the roof [7].")).toEqual(["no_mark"]);
    expect(kinds("You chose Brand for 300 more on 5 November 2026 [1].")).toEqual([
      ["5 November 2026", "Brand"],
    ]);
    expect(kinds("You chose Brand for 300 more [1][2].")).toEqual([]);
    expect(kinds("You paid Zoltan 77 for it.")).toEqual(["no_mark", ["77", "Zoltan"]]);
  });

  it("are not raised by questions, by a word or two, or without any source", () => {
    expect(kinds("Yes. Shall I look for Brand's mail?")).toEqual([]);
    expect(doubtsIn("Nothing is known of Zoltan.", new Map())).toEqual([]);
  });
});
