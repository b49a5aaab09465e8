import { describe, expect, it } from "vitest";

import { foldText, fuzzyMatch } from "./fuzzy.ts";

function best(wanted: string, paths: readonly string[]): string | undefined {
  return paths
    .map((path) => ({ path, match: fuzzyMatch(foldText(wanted), foldText(path)) }))
    .filter(({ match }) => match !== null)
    .toSorted((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))[0]?.path;
}

describe("the filter", () => {
  it("finds letters in order, with others between them", () => {
    expect(fuzzyMatch("slst", "projects/sail-loft/state.md")).not.toBeNull();
    expect(fuzzyMatch("tsls", "state.md")).toBeNull();
  });

  it("prefers what runs on, what begins words, and the name of the file", () => {
    expect(best("state", ["vault/s/t/a/t/e.md", "vault/projects/x/state.md"])).toContain(
      "state.md",
    );
    expect(best("tasks", ["vault/tasks/old/note.md", "vault/projects/x/tasks.md"])).toContain(
      "x/tasks",
    );
    expect(best("sl", ["vault/oslo.md", "vault/sail-loft.md"])).toContain("sail-loft");
  });

  it("minds neither case nor accents", () => {
    expect(fuzzyMatch(foldText("Electricite"), foldText("devis-électricité.md"))?.at[0]).toBe(6);
  });

  it("says which characters matched", () => {
    expect(fuzzyMatch("md", "a.md")?.at).toEqual([2, 3]);
  });

  it("keeps the length of a text it folds", () => {
    for (const text of ["İstanbul", "e\u0301t", "ﬁn", "📦 Œuvre"]) {
      expect(foldText(text)).toHaveLength(text.length);
    }
  });
});
