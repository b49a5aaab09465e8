import { expect, it } from "vitest";

import { forPeople, noticesForPeople } from "./for-people.ts";

it.each([
  ['Look with tree("vault/my notes/").', "Look with coffre tree 'vault/my notes/'."],
  [
    'Next: read("vault/a.md", tail=N) for its end.',
    "Next: coffre read vault/a.md --tail N for its end.",
  ],
  ['Next: read(["vault/a.md","vault/b.md"]).', "Next: coffre read vault/a.md vault/b.md."],
  [
    'Next: concat(files=[{path: "vault/a.md", lines: "9-14"}]).',
    "Next: coffre concat vault/a.md:9-14.",
  ],
  ['Or search with scopes=["vault/a.md"].', "Or coffre search QUERY --scope vault/a.md."],
  ['Try other words, or mode="deep".', "Try other words, or --mode deep."],
  ["For all: limit=12.", "For all: --limit 12."],
  ["date_from (x) is after date_to (y).", "--from (x) is after --to (y)."],
  ["Nothing to type here.", "Nothing to type here."],
])("%s", (call, command) => {
  expect(forPeople(call)).toBe(command);
});

it("leaves what stands inside a block", () => {
  const block = '```vault/a.md\n1  | tree("vault/")\n```';
  const shown = noticesForPeople(`${block}\n\nLook with tree("vault/").`, (line) => line);
  expect(shown).toBe(`${block}\n\nLook with coffre tree vault/.`);
});
