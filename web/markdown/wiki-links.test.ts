import { expect, it } from "vitest";

import { splitWikiLinks } from "./wiki-links.ts";

it("finds wiki links with and without a label, and what is to be shown in its place", () => {
  expect(splitWikiLinks("See [[a/b]], [[c|the c]] and ![[d.png]].")).toEqual([
    { kind: "plain", text: "See " },
    { kind: "wiki", inside: "a/b", label: "a/b", isEmbedded: false },
    { kind: "plain", text: ", " },
    { kind: "wiki", inside: "c", label: "the c", isEmbedded: false },
    { kind: "plain", text: " and " },
    { kind: "wiki", inside: "d.png", label: "d.png", isEmbedded: true },
    { kind: "plain", text: "." },
  ]);
});

it.each(["[[]]", "[[a", "a]]", "[a]", "[[a\nb]]"])("takes %j for plain text", (text) => {
  expect(splitWikiLinks(text)).toEqual([{ kind: "plain", text }]);
});
