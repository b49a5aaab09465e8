import { describe, expect, it } from "vitest";

import { linksIn, resolveLink } from "./links-in.ts";

/** `target#fragment`, with `!` before an embed. */
function shown(text: string): string[] {
  return linksIn(text).map(
    ({ isEmbed, target, fragment }) =>
      `${isEmbed ? "!" : ""}${target}${fragment === null ? "" : `#${fragment}`}`,
  );
}

describe("the links in a text", () => {
  it.each([
    ["[[Note]]", ["Note"]],
    ["[[Note|alias]] [[d/Note#Titre|alias]]", ["Note", "d/Note#Titre"]],
    ["| [[Note\\|dans un tableau]] |", ["Note"]],
    [
      "[[Note#^bloc]] [[#Titre ici]] [[Note#Titre#Sous-titre]]",
      ["Note#^bloc", "#Titre ici", "Note#Titre#Sous-titre"],
    ],
    ["![[photo.png|300]] ![[Note#Titre]]", ["!photo.png", "!Note#Titre"]],
    ["[a](note.md) ![b](img/x.png)", ["note.md", "!img/x.png"]],
    [
      "[a](note.md \"un titre (long)\") [b](<mon dossier/ma note.md> 't')",
      ["note.md", "mon dossier/ma note.md"],
    ],
    [
      "[a](mon%20dossier/n%C3%A9.md#un%20titre) [b](100%.md)",
      ["mon dossier/né.md#un titre", "100%.md"],
    ],
    ["[a](note_(2).md) [b](#ici)", ["note_(2).md", "#ici"]],
    ["[![vignette](petit.png)](grand.md)", ["grand.md", "!petit.png"]],
    ["[une [note] d'ici](note.md)", ["note.md"]],
    ['Voir [ceci][r].\n\n[r]: note.md "Titre"\n[s]: <ma note.md>', ["note.md", "ma note.md"]],
    ["[^1]: note de bas de page", []],
    ["[w]: https://example.org [m](mailto:a@b.c) [p](//example.org/x)", []],
    ["\\[[Note]] \\[a](note.md)", []],
    ["`[[Note]]` et ``[a](b.md) ` ``", []],
    ["~~~\n[[Note]]\n~~~\n[[Autre]]", ["Autre"]],
    ["[a](mon dossier/note.md)", []],
    ['---\nup: "[[Parent]]"\n---\n', ["Parent"]],
  ])("%j", (text, links) => {
    expect(shown(text)).toEqual(links);
  });
});

describe("what a link means", () => {
  const files = ["note.md", "d/note.md", "d/e/note.md", "f/note.md"].map((path) => ({
    path,
    isAlias: false,
  }));

  it.each([
    ["d/a.md", "wiki", "note", "d/note.md"],
    ["x/a.md", "wiki", "note", "note.md"],
    ["x/a.md", "wiki", "e/note", "d/e/note.md"],
    ["x/a.md", "wiki", "NOTE.md", "note.md"],
    ["d/a.md", "markdown", "../f/note.md", "f/note.md"],
    ["d/a.md", "markdown", "/note.md", "note.md"],
    ["d/a.md", "markdown", "vault/f/note.md", "f/note.md"],
    ["d/a.md", "markdown", "f/note.md", "f/note.md"],
    ["d/a.md", "markdown", "./e/note", "d/e/note.md"],
    ["d/a.md", "markdown", "../g/note.md", null],
    ["d/a.md", "markdown", "", "d/a.md"],
  ] as const)("in %s the %s link %j means %s", (from, kind, target, path) => {
    expect(resolveLink(from, { kind, target }, files)).toBe(path);
  });

  it("is a file with such an alias when none has the name, for a wikilink alone", () => {
    const candidates = [{ path: "d/cave.md", isAlias: true }];
    expect(resolveLink("a.md", { kind: "wiki", target: "Sous-sol" }, candidates)).toBe("d/cave.md");
    expect(resolveLink("a.md", { kind: "markdown", target: "Sous-sol" }, candidates)).toBeNull();
  });
});
