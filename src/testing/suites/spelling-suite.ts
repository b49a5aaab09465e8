import { expect, it } from "vitest";

import type { SearchIndex } from "../../index/search-index.ts";
import { find, put } from "./search-index-suite.ts";

/** What any engine must do with words that people write in several ways. */
export function describeSpellings(open: () => SearchIndex | Promise<SearchIndex>): void {
  it("finds a word however it is written, also where each way of writing stands somewhere", async () => {
    const index = await open();
    const texts: readonly (readonly [string, string])[] = [
      ["one.md", "Une dose de 40mg, de la vitamine B12, à 10h30, par getUserName\n"],
      ["apart.md", "Une dose de 40 mg, de la vitamine B 12, à 10:30, le get user name\n"],
      ["other.md", "Une dose de 12 mg à 40 ans, vitamine B, à 10 h ou 30, un user, name it, get\n"],
    ];
    for (const [path, text] of texts) await put(index, path, text);
    for (const query of ["40mg", "B12", "10h30", "getUserName", "vitamine B12 10h30"]) {
      const hits = (await find(index, query)).filter(({ score }) => score > 0.5);
      expect([query, hits.map(({ path }) => path).toSorted()]).toEqual([
        query,
        ["apart.md", "one.md"],
      ]);
    }
    const left = await find(index, "dose -40mg");
    expect(left.map(({ path }) => path)).toEqual(["other.md"]);
  });

  it("tells letters apart that differ by a mark alone, in kana and Cyrillic", async () => {
    const index = await open();
    const texts: readonly (readonly [string, string])[] = [
      ["bus.md", "駅前のバスに乗る\n"],
      ["lotus.md", "池のハスを見る\n"],
      ["pass.md", "定期のパスと、ハスとバスの絵\n"],
      ["my.md", "мой дом, ёлка\n"],
      ["mine.md", "мои дома, елка\n"],
    ];
    for (const [path, text] of texts) await put(index, path, text);
    const found = async (query: string): Promise<string[]> =>
      (await find(index, query)).map(({ path }) => path).toSorted();
    expect(await found("バス")).toEqual(["bus.md", "pass.md"]);
    expect(await found("バス".normalize("NFD"))).toEqual(["bus.md", "pass.md"]);
    expect(await found("ハス -パス")).toEqual(["lotus.md"]);
    expect(await found("バス -ハス")).toEqual(["bus.md"]);
    expect(await found("мой")).toEqual(["my.md"]);
    expect(await found("МОИ")).toEqual(["mine.md"]);
    expect(await found("ёлка")).toEqual(["mine.md", "my.md"]);
  });
}
