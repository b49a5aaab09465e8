import { describe, expect, it } from "vitest";

import type { HistoryItem } from "../../src/server/api/contract.ts";
import { pathsOf, runsOf } from "./runs.ts";

const item = (id: string, batch: string | null, path: string, undone = false): HistoryItem => ({
  id,
  at: "2026-01-02T03:04:05Z",
  actor: "update",
  call: "write",
  batch,
  undoes: null,
  undone_by: undone ? "u" : null,
  changes: [{ kind: "modify", path }],
});

describe("the history in runs", () => {
  it("joins what one run changed, also when somebody else changed something meanwhile", () => {
    const runs = runsOf([
      item("5", "b1", "vault/c.md"),
      item("4", null, "vault/x.md"),
      item("3", "b1", "vault/a.md"),
      item("2", "b1", "vault/a.md"),
      item("1", "b0", "vault/o.md"),
    ]);
    expect(runs.map(({ id, isBatch, items }) => [id, isBatch, items.length])).toEqual([
      ["b1", true, 3],
      ["4", false, 1],
      ["b0", false, 1],
    ]);
    expect(runs[0] === undefined ? [] : pathsOf(runs[0])).toEqual(["vault/a.md", "vault/c.md"]);
  });

  it("is undone when all of it is", () => {
    const [half] = runsOf([item("2", "b", "vault/a.md", true), item("1", "b", "vault/b.md")]);
    const [whole] = runsOf([
      item("2", "b", "vault/a.md", true),
      item("1", "b", "vault/b.md", true),
    ]);
    expect([half?.isUndone, whole?.isUndone]).toEqual([false, true]);
  });
});
