import { describe, expect, it } from "vitest";

import { temporaryVault } from "../../testing/temporary-vault.ts";
import { nodesUnder } from "../../vault/tree/nodes-under.ts";
import { linkKey, placedLinks } from "../links-in.ts";
import { LinkNames, movedPath, type Move } from "./moved-names.ts";
import { rewriteLinks } from "./rewrite-links.ts";

/** A note's text after a move in a vault with these files. */
async function after(
  text: string,
  { from, to }: Move,
  { note = "d/note.md", others = [] as readonly string[] } = {},
): Promise<{ text: string; links: number; left: number }> {
  const move = { from, to };
  const files = [...new Set([note, from, ...others])].filter((path) => path.includes("."));
  const vault = temporaryVault(Object.fromEntries(files.map((path) => [path, "x\n"])));
  const nodes = [...nodesUnder(await vault.shape(""))];
  const moved = nodes.map(({ path }) => path);
  const keys = new Set([
    ...moved.map((path) => linkKey(path)),
    ...moved.map((path) => linkKey(movedPath(path, move))),
    ...placedLinks(text).map(({ target }) => linkKey(target)),
  ]);
  const names = (which: Move | null): LinkNames => new LinkNames(nodes, [], keys, which);
  return rewriteLinks(text, note, { move, before: names(null), after: names(move), keys });
}

describe("the links to a note that is moved", () => {
  const rename = { from: "d/old.md", to: "d/new.md" };
  const elsewhere = { from: "d/old.md", to: "e f/old.md" };
  it.each([
    ["a wikilink", "[[old]]", rename, "[[new]]"],
    [
      "with heading, block and words",
      "[[old#A b|say]] [[old#^x]]",
      rename,
      "[[new#A b|say]] [[new#^x]]",
    ],
    ["with spaces and in a table", "| [[ old \\|say]] |", rename, "| [[ new \\|say]] |"],
    ["with its extension", "[[old.md]]", rename, "[[new.md]]"],
    ["an embed", "![[old#A]]", rename, "![[new#A]]"],
    ["by its path", "[[d/old]]", rename, "[[d/new]]"],
    ["by its name alone, which still leads there", "[[old]]", elsewhere, "[[old]]"],
    ["a markdown link", "[a](old.md)", rename, "[a](new.md)"],
    ["into another folder", "[a](old.md)", elsewhere, "[a](../e%20f/old.md)"],
    ["with a title", '[a](old.md "A title")', rename, '[a](new.md "A title")'],
    ["in angle brackets", "[a](<old.md#x y>)", elsewhere, "[a](<../e f/old.md#x y>)"],
    ["with a dot", "[a](./old.md)", rename, "[a](./new.md)"],
    ["from the root", "[a](/d/old.md)", elsewhere, "[a](/e%20f/old.md)"],
    ["as the tools write it", "[a](vault/d/old.md)", elsewhere, "[a](vault/e%20f/old.md)"],
    ["a reference", "[a]: old.md 'x'", rename, "[a]: new.md 'x'"],
    ["a picture that is a link", "[![p](x.png)](old.md)", rename, "[![p](x.png)](new.md)"],
    [
      "of a property",
      '---\nup: "[[old]]"\n---\n[[old]]',
      rename,
      '---\nup: "[[new]]"\n---\n[[new]]',
    ],
    ["with lines that end in CRLF", "[[old]]\r\n[[old]]\r\n", rename, "[[new]]\r\n[[new]]\r\n"],
    ["to a place in the same note", "[[#x]]", rename, "[[#x]]"],
  ])("%s", async (_, text, move, expected) => {
    expect((await after(text, move)).text).toBe(expected);
  });

  it("are left alone in code, and when they lead elsewhere or to the web", async () => {
    const text = "`[[old]]`\n```\n[[old]]\n```\n[[other]] [a](https://old.md) [[nothing]]";
    expect(await after(text, rename, { others: ["other.md"] })).toEqual({
      text,
      links: 0,
      left: 0,
    });
  });

  it("become markdown links when no wikilink can say the new name", async () => {
    const move = { from: "d/old.md", to: "d/a#b.md" };
    const { text } = await after("[[old]] ![[old#H|w]]", move);
    expect(text).toBe("[a#b.md](a%23b.md) ![w](a%23b.md#H)");
  });

  it("stay when the new name would break what is around them, and are counted", async () => {
    const move = { from: "d/old.md", to: "d/a`b.md" };
    const text = "[[old]] and a ` alone";
    expect(await after(text, move)).toEqual({ text, links: 0, left: 1 });
  });
});

it("keeps percent-encoding as a person uses it", async () => {
  const move = { from: "d/été.md", to: "d/hiver à.md" };
  expect((await after("[a](%C3%A9t%C3%A9.md) [b](été.md)", move)).text).toBe(
    "[a](hiver%20%C3%A0.md) [b](hiver%20à.md)",
  );
});

it("the relative links of a moved note still lead where they did", async () => {
  const move = { from: "d/note.md", to: "x/y/note.md" };
  const text = "[a](a.md) ![p](img/p.png) [[a]] [f](img/)";
  const result = await after(text, move, { others: ["d/a.md", "d/img/p.png"] });
  expect(result.text).toBe("[a](../../d/a.md) ![p](../../d/img/p.png) [[a]] [f](../../d/img/)");
});

it("a folder takes its links along, and those inside it stay as they are", async () => {
  const move = { from: "d", to: "e" };
  const inside = await after("[a](a.md) [[a]] [b](../b.md)", move, { others: ["d/a.md", "b.md"] });
  expect(inside).toMatchObject({ text: "[a](a.md) [[a]] [b](../b.md)", links: 0 });
  const outside = await after("[a](d/a.md) [[d/a|x]] [f](d/)", move, {
    note: "b.md",
    others: ["d/a.md"],
  });
  expect(outside.text).toBe("[a](e/a.md) [[e/a|x]] [f](e/)");
});

it("a link by name is made clear when the moved note takes that name", async () => {
  const move = { from: "other.md", to: "a.md" };
  const { text } = await after("[[a]]", move, { note: "n.md", others: ["d/e/a.md"] });
  expect(text).toBe("[[d/e/a]]");
});
