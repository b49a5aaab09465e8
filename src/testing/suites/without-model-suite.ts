import { expect, it } from "vitest";

import type { SearchIndex } from "../../index/search-index.ts";
import { find, places } from "./search-index-suite.ts";

/** What `deep` is on an index without a model. */
export function describeWithoutModel(open: () => SearchIndex | Promise<SearchIndex>): void {
  it("begins in deep with what fast finds, and puts below it what only more candidates bring", async () => {
    const index = await open();
    const word = (at: number): string => "pompe ".repeat(1 + (at % 6));
    const files = Array.from({ length: 70 }, (_, at) => ({
      path: `d${at % 7}/${at}/changelog.md`,
      text: `# 2026-03-0${1 + (at % 7)}\n\n## ${word(at)}\n${word(at + 1)}${"mot ".repeat(at)}\n\n## Autre\nLa cave ${word(at + 3)}\n`,
      updated: null,
      signature: "1",
    }));
    await index.apply({ put: files, gone: [] });
    for (const query of ["pompe", "pompe cave", "mot pompe autre"]) {
      const fast = await places(index, query, { limit: 100 });
      const deep = await places(index, query, { limit: 200, mode: "deep" });
      expect(deep.slice(0, fast.length)).toEqual(fast);
      expect(deep.length).toBeGreaterThan(fast.length);
      const scores = (await find(index, query, { limit: 200, mode: "deep" })).map(
        ({ score }) => score,
      );
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }
  });
}
