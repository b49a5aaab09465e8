import { expect, it } from "vitest";

import type { NoteLink } from "../../src/server/api/contract.ts";
import { MOST_NEIGHBOURS, neighboursOf } from "./graph-layout.ts";

const HERE = "vault/here.md";

function link(path: string, to: string | null): NoteLink {
  return { path, to, line: 1, text: "", kind: "wiki", embed: false, target: "x", fragment: null };
}

const many = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `vault/${name}-${at}.md`);

function around(from: readonly string[], to: readonly (string | null)[]) {
  return neighboursOf(HERE, {
    incoming: from.map((path) => link(path, HERE)),
    outgoing: to.map((path) => link(HERE, path)),
  });
}

it("stands in a circle, each note once, with the way its links go", () => {
  const { shown, more } = around(
    ["vault/a.md", "vault/b.md"],
    ["vault/b.md", "vault/c.md", null, HERE],
  );
  expect(shown.map(({ path, direction }) => [path, direction])).toEqual([
    ["vault/b.md", "both"],
    ["vault/a.md", "from"],
    ["vault/c.md", "to"],
  ]);
  expect(more).toBe(0);
  expect(shown[0]?.y).toBeCloseTo(-1);
  for (const { x, y } of shown) expect(Math.hypot(x, y)).toBeCloseTo(1);
});

it("of many shows some of both kinds, and says how many more there are", () => {
  const { shown, more } = around(many("from", 30), many("to", 3));
  expect(shown).toHaveLength(MOST_NEIGHBOURS);
  expect(shown.filter(({ direction }) => direction === "to")).toHaveLength(3);
  expect(more).toBe(33 - MOST_NEIGHBOURS);
});
