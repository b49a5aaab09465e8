import { expect, it } from "vitest";

import { parseScope } from "../../index/scope.ts";
import type { DeepIndex } from "../../index/deep/deep-index.ts";
import { find, places, put } from "./search-index-suite.ts";

const DEEP = { mode: "deep" } as const;

/**
 * What `deep` must do with any engine that knows the synonyms of {@link file://./toy-meaning.ts}.
 * @param open an index whose model is open; `settled` resolves when all is embedded
 */
export function describeDeepIndex(open: () => Promise<DeepIndex>): void {
  it("finds what means the same in other words, and says nothing of it", async () => {
    const index = await open();
    await put(index, "meteo.md", "Une averse vers midi\n");
    await put(index, "garage.md", "La voiture du voisin\n");
    await index.settled();
    expect(await places(index, "pluie")).toEqual([]);
    const { hits, notes } = await index.search({ ...ALL, queries: ["pluie"] });
    expect(hits[0]).toMatchObject({ path: "meteo.md", lines: { start: 1, end: 1 } });
    expect(notes).toEqual([]);
  });

  it("finds a section of a long file by its meaning, with its lines and its day", async () => {
    const index = await open();
    const entry = (day: string, text: string): string => `# ${day}\n\n## Note\n${text}\n\n`;
    const filler = "Des mots sans rapport avec le reste, assez nombreux pour remplir.";
    await put(
      index,
      "changelog.md",
      entry("2026-03-03", filler) +
        entry("2026-03-02", "averse averse averse") +
        entry("2026-03-01", filler),
    );
    await index.settled();
    const [hit] = await find(index, "pluie", DEEP);
    expect(hit).toMatchObject({ date: "2026-03-02", lines: { start: 6, end: 10 } });
  });

  it("finds a fresh file by its words before it is embedded, and says what is missing", async () => {
    const index = await open();
    await put(index, "vieux.md", "Une averse\n");
    await index.settled();
    await put(index, "neuf.md", "La gouttière fuit\n");
    const { hits, notes } = await index.search({ ...ALL, queries: ["gouttière"] });
    expect(hits[0]?.path).toBe("neuf.md");
    expect(notes).toEqual(["1 section is still to be embedded: found by words only"]);
  });

  it("looks only in its scope, and nearer meanings outside do not starve it", async () => {
    const index = await open();
    for (let at = 0; at < 120; at += 1)
      await put(index, `dehors/${at}.md`, `pluie ${"pluie ".repeat(at % 7)}${at}\n`);
    await put(index, "dedans/a.md", "Un mot sur une averse, parmi beaucoup de choses.\n");
    await index.settled();
    const scope = [parseScope("vault/dedans/**")];
    expect(await places(index, "pluie", { ...DEEP, scope, limit: 3 })).toEqual(["dedans/a.md:1-1"]);
  });

  it("looks only between its dates", async () => {
    const index = await open();
    await put(index, "a.md", "Une averse\n", "2026-03-01T10:00:00");
    await put(index, "b.md", "Deux averses, une averse\n", "2026-03-05T10:00:00");
    await index.settled();
    const within = { ...DEEP, from: "2026-03-01", to: "2026-03-02" };
    expect(await places(index, "pluie", within)).toEqual(["a.md:1-1"]);
  });

  it("leaves out what is excluded, and what lacks the phrase asked for", async () => {
    const index = await open();
    await put(index, "a.md", "Une averse sur le toit\n");
    await put(index, "b.md", "Une averse sur le jardin\n");
    await index.settled();
    expect(await places(index, "pluie -jardin", DEEP)).toEqual(["a.md:1-1"]);
    expect(await places(index, '"averse sur le jardin"', DEEP)).toEqual(["b.md:1-1"]);
  });

  it("keeps to its filters, whose text says nothing of the meaning", async () => {
    const index = await open();
    await put(index, "a.md", "---\ntags: [maison]\n---\n\nUne averse sur le toit\n");
    await put(index, "b.md", "Une averse sur le jardin\n");
    await put(index, "priv/c.md", "Une averse de maison\n");
    await index.settled();
    const found = async (query: string): Promise<string[]> =>
      (await places(index, query, DEEP)).toSorted();
    expect(await found("tag:maison")).toEqual(["a.md:5-5"]);
    expect(await found("pluie tag:maison")).toEqual(["a.md:5-5"]);
    expect(await found("pluie -tag:maison")).toEqual(["b.md:1-1", "priv/c.md:1-1"]);
    expect(await found("pluie -path:priv")).toEqual(["a.md:5-5", "b.md:1-1"]);
    expect(await found('pluie -"sur le jardin" -path:priv')).toEqual(["a.md:5-5"]);
    expect(await index.sections.asked('pluie "forte" tag:maison -path:priv -jardin')).toEqual({
      question: "pluie forte",
      words: 'pluie "forte" -jardin',
      conditions: "tag:maison -path:priv -jardin",
    });
  });

  it.each([["pluie path:dedans"], ["pluie -dehors"]])(
    "is not starved by what %s keeps out, however near",
    async (query) => {
      const index = await open();
      const files = Array.from({ length: 220 }, (_, at) => ({
        path: `dehors/${at}.md`,
        text: `pluie ${at}\n`,
        updated: null,
        signature: "1",
      }));
      await index.apply({ put: files, gone: [] });
      await put(index, "dedans/a.md", "Un mot sur une averse, parmi beaucoup de choses.\n");
      await index.settled();
      expect(await places(index, query, DEEP)).toEqual(["dedans/a.md:1-1"]);
    },
  );

  it("forgets a file that was removed, and follows one that was moved or replaced", async () => {
    const index = await open();
    await put(index, "a.md", "Une averse\n");
    await put(index, "b.md", "La voiture\n");
    await index.settled();
    await index.move("a.md", "d/a.md");
    expect((await places(index, "pluie", DEEP))[0]).toBe("d/a.md:1-1");
    await put(index, "d/a.md", "Autre chose\n");
    await index.remove("b.md");
    await index.settled();
    expect(await places(index, "auto", DEEP)).toEqual(["d/a.md:1-1"]);
  });

  it("takes several queries, and gives a section once", async () => {
    const index = await open();
    await put(index, "a.md", "Une averse et une voiture\n");
    await put(index, "b.md", "Le medecin\n");
    await index.settled();
    const found = await places(index, "", { ...DEEP, queries: ["pluie", "auto", "docteur"] });
    expect(found.toSorted()).toEqual(["a.md:1-1", "b.md:1-1"]);
  });

  it("gives scores between 0 and 1, falling", async () => {
    const index = await open();
    for (let at = 0; at < 20; at += 1)
      await put(index, `${at}.md`, `${"pluie ".repeat(at)} cave ${"mot ".repeat(at)}averse\n`);
    await index.settled();
    const hits = await find(index, "pluie cave", { ...DEEP, limit: 50 });
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    expect(await find(index, "pluie cave", { ...DEEP, limit: 3 })).toHaveLength(3);
  });

  it("keeps the first hits of fast: the k-th is among the first 2k", async () => {
    const index = await open();
    for (let at = 0; at < 30; at += 1)
      await put(index, `${at}.md`, `${"cave ".repeat(1 + (at % 5))}${"mot ".repeat(at)}\n`);
    for (let at = 0; at < 30; at += 1) await put(index, `pluie-${at}.md`, "pluie averse\n");
    await index.settled();
    for (const query of ["cave", "cave averse", "mot cave pluie"]) {
      const fast = await places(index, query, { limit: 10 });
      const deep = await places(index, query, { ...DEEP, limit: 20 });
      for (const [at, place] of fast.entries())
        expect(deep.slice(0, 2 * (at + 1))).toContain(place);
    }
  });
}

const ALL = { mode: "deep", scope: null, limit: 10, from: null, to: null } as const;
