import { expect, it } from "vitest";

import { startPage } from "../testing/page.ts";
import { LinksAnswer } from "./contract.ts";

const FILES = {
  "cave.md":
    "---\naliases: [Sous-sol]\n---\n\n# Cave\n\n![[plan.png]] [[profile]] [[Rien]] [dossier](d/)\n",
  "d/a.md": "Voir [[Sous-sol#Cave|en bas]].\n\n- [la cave](../cave.md#cave)\n- ![](plan.png)\n",
  "d/plan.png": Uint8Array.of(137, 80, 78, 71),
  "img/plan.png": Uint8Array.of(137, 80, 78, 71),
  "profile.md": "# Profil\n",
};

async function linksOf(path: string): Promise<LinksAnswer> {
  const page = await startPage({ files: FILES });
  const { text } = await page.call(`/api/links?path=${encodeURIComponent(path)}`);
  return LinksAnswer.parse(JSON.parse(text));
}

it("gives the links of a note, to any file of the vault, and null where there is none", async () => {
  const { outgoing } = await linksOf("vault/cave.md");
  expect(outgoing.map(({ target, embed, to }) => [target, embed, to])).toEqual([
    ["plan.png", true, "vault/d/plan.png"],
    ["profile", false, "vault/profile.md"],
    ["Rien", false, null],
    ["d/", false, "vault/d"],
  ]);
});

it("gives the tags of all notes, and the links that lead nowhere", async () => {
  const page = await startPage({
    files: { "a.md": "---\ntags: [b]\n---\n\n#a [[No]]\n", "c.md": "#a\n" },
  });
  expect(JSON.parse((await page.call("/api/tags")).text)).toEqual({ tags: ["a", "b"] });
  const dead = JSON.parse((await page.call("/api/links/dead?limit=1")).text);
  expect(dead).toMatchObject({ total: 1, links: [{ path: "vault/a.md", line: 5, target: "No" }] });
});

it("gives the links of other notes to it, each with its line", async () => {
  const { incoming } = await linksOf("vault/cave.md");
  expect(incoming).toEqual([
    {
      path: "vault/d/a.md",
      line: 1,
      text: "Voir [[Sous-sol#Cave|en bas]].",
      kind: "wiki",
      embed: false,
      target: "Sous-sol",
      fragment: "Cave",
      to: "vault/cave.md",
    },
    {
      path: "vault/d/a.md",
      line: 3,
      text: "- [la cave](../cave.md#cave)",
      kind: "markdown",
      embed: false,
      target: "../cave.md",
      fragment: "cave",
      to: "vault/cave.md",
    },
  ]);
});

it("gives the links to an image, and of several with one name those that mean it", async () => {
  const to = async (path: string): Promise<string[]> =>
    (await linksOf(path)).incoming.map(({ path: from, line }) => `${from}:${line}`);
  expect(await to("d/plan.png")).toEqual(["vault/cave.md:7", "vault/d/a.md:4"]);
  expect(await to("img/plan.png")).toEqual([]);
});

it("says that there is no such file", async () => {
  const page = await startPage({ files: FILES });
  expect((await page.call("/api/links?path=nichts.md")).status).toBe(404);
});
