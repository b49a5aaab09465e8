import { expect, it } from "vitest";

import { withoutJobLines } from "./chunk-text.ts";

it.each([
  ["# Titre\n\nTexte", "# Titre\n\nTexte"],
  ["---\ncreated: 2026-03-09\nupdated: x\ntokens: 12\n---\n\n# Titre", "# Titre"],
  ["---\ntitre: A\ntokens: 12\n---\n\n# Titre", "---\ntitre: A\n---\n\n# Titre"],
  ["---\n---\nTexte", "Texte"],
  ["---\ntokens: 12\n---", ""],
  ["---\nsans fin\ntokens: 3", "---\nsans fin\ntokens: 3"],
  ["Texte\n\n---\ntokens: 3\n---\n", "Texte\n\n---\ntokens: 3\n---\n"],
])("leaves the person's part of %j", (text, left) => {
  expect(withoutJobLines(text)).toBe(left);
});
