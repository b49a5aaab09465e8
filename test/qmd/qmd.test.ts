import { describe, expect, it } from "vitest";

import type { DeepIndex } from "../../src/index/deep/deep-index.ts";
import { findQmd } from "../../src/index/deep/qmd.ts";
import { describeFilters } from "../../src/testing/suites/filter-suite.ts";
import { describeSpellings } from "../../src/testing/suites/spelling-suite.ts";
import { describeDeepIndex } from "../../src/testing/suites/deep-index-suite.ts";
import {
  describeSearchIndex,
  NO_FILTER,
  put,
} from "../../src/testing/suites/search-index-suite.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { openIndex } from "./open-index.ts";
import { RERANKER_LIKES } from "./tiny-models.ts";

async function opened(...args: Parameters<typeof openIndex>): Promise<DeepIndex> {
  const index = openIndex(...args);
  await index.start();
  expect(await index.status()).toMatchObject({ engine: "qmd", problem: null });
  return index;
}

it("is the version that is said to work", () => {
  expect(findQmd(import.meta.dirname)).toMatchObject({ version: "2.8.3", isTested: true });
});

describe("an index with QMD", () => {
  describeSearchIndex(async () => opened());
  describeFilters(async () => opened());
  describeSpellings(async () => opened());
  describeDeepIndex(async () => opened());
});

describe("QMD's part of deep", () => {
  it("reads again what was found, and puts first what answers best", async () => {
    const index = await opened();
    await put(index, "a.md", "pluie pluie pluie\n");
    for (const name of ["b", "c", "d"]) await put(index, `${name}.md`, "averse jardin\n");
    await put(index, "z.md", `toit averse ${RERANKER_LIKES}\n`);
    await index.settled();
    const { hits } = await index.search({ ...NO_FILTER, mode: "deep", queries: ["docteur pluie"] });
    expect(hits.slice(0, 2).map((hit) => hit.path)).toContain("z.md");
  });

  it("goes without other wordings and rereading when only the embedding model is there", async () => {
    const index = await opened(temporaryFolder(), { roles: ["embed"] });
    await put(index, "a.md", "Une averse\n");
    await put(index, "b.md", "La voiture\n");
    await index.settled();
    const { hits, notes } = await index.search({ ...NO_FILTER, mode: "deep", queries: ["pluie"] });
    expect(hits[0]?.path).toBe("a.md");
    expect(notes).toEqual([]);
  });
});
