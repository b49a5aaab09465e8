import { expect, it } from "vitest";

import { parseScope } from "../../index/scope.ts";
import type { FileLink, SearchHit, SearchIndex, SearchRequest } from "../../index/search-index.ts";

const NO_BOUNDS = { scope: null, from: null, to: null };
export const NO_FILTER = { ...NO_BOUNDS, mode: "fast", limit: 10 } as const;

export async function find(
  index: SearchIndex,
  query: string,
  more: Partial<SearchRequest> = {},
): Promise<readonly SearchHit[]> {
  const { hits } = await index.search({ ...NO_FILTER, queries: [query], ...more });
  return hits;
}

/** `path:start-end` of what is found, best first. */
export async function places(
  index: SearchIndex,
  query: string,
  more: Partial<SearchRequest> = {},
): Promise<string[]> {
  const hits = await find(index, query, more);
  return hits.map(({ path, lines }) => `${path}:${lines.start}-${lines.end}`);
}

export async function put(
  index: SearchIndex,
  path: string,
  text: string,
  updated = "2026-03-09T10:00:00",
): Promise<void> {
  await index.put({ path, text, updated, signature: `${path}:${text.length}` });
}

const JOURNAL = `# 2026-03-12

## [décision] Louer la carotteuse
Le plombier ne vient pas avant avril.

## Visite du chantier
Rien à signaler, sinon la gouttière.

# 2026-02-01

## Fuite dans la cave
La pompe a tenu toute la nuit.
`;

/** What any engine must do. */
export function describeSearchIndex(open: () => SearchIndex | Promise<SearchIndex>): void {
  it("finds an entry of a changelog as a chunk that carries its day", async () => {
    const index = await open();
    await put(index, "projects/maison/changelog.md", JOURNAL);
    const [hit] = await find(index, "plombier avril");
    expect(hit).toMatchObject({
      path: "projects/maison/changelog.md",
      date: "2026-03-12",
      headings: ["2026-03-12", "[décision] Louer la carotteuse"],
    });
    expect(hit?.lines.end).toBe(5);
    expect(hit?.best.start).toBe(4);
  });

  it("does not care for case and accents", async () => {
    const index = await open();
    await put(index, "a.md", "La gouttière est PERCÉE\n");
    expect(await places(index, "GOUTTIERE percee")).toEqual(["a.md:1-1"]);
  });

  it("finds by the words of the path and the headings", async () => {
    const index = await open();
    await put(index, "projects/verger/state.md", "# Pommiers\n\nTaille en février.\n");
    await put(index, "projects/cave/state.md", "# Bouteilles\n\nRanger.\n");
    expect(await places(index, "verger")).toEqual(["projects/verger/state.md:1-3"]);
    expect(await places(index, "bouteilles")).toEqual(["projects/cave/state.md:1-3"]);
  });

  it("puts a chunk with all the words before one with some, and finds one with some", async () => {
    const index = await open();
    await put(index, "a.md", "pompe pompe pompe pompe\n");
    await put(
      index,
      "b.md",
      "Une longue phrase où la pompe, entre autres choses, et puis bien plus loin la cave.\n",
    );
    expect(await places(index, "pompe cave ornithorynque")).toHaveLength(2);
    expect(await places(index, "pompe cave")).toEqual(["b.md:1-1", "a.md:1-1"]);
  });

  it("leaves out what is excluded", async () => {
    const index = await open();
    await put(index, "a.md", "pompe de cave\n");
    await put(index, "b.md", "pompe de puits\n");
    expect(await places(index, "pompe -puits")).toEqual(["a.md:1-1"]);
  });

  it("finds a quoted phrase as it is written", async () => {
    const index = await open();
    await put(index, "a.md", "la cave et la pompe\n");
    await put(index, "b.md", "la pompe de la cave\n");
    expect(await places(index, '"pompe de la cave"')).toEqual(["b.md:1-1"]);
  });

  it("looks only in its scope, and a better match outside does not starve it", async () => {
    const index = await open();
    for (let at = 0; at < 60; at += 1)
      await put(index, `dehors/${at}.md`, "# Pompe\n\npompe pompe pompe\n");
    await put(index, "dedans/a.md", "Un mot sur la pompe, parmi beaucoup d'autres choses.\n");
    expect(
      await places(index, "pompe", { scope: [parseScope("vault/dedans/**")], limit: 3 }),
    ).toEqual(["dedans/a.md:1-1"]);
    const scope = [parseScope("vault/dedans")];
    expect(await places(index, "pompe", { scope })).toHaveLength(1);
    await put(index, "dedans/b.md", "Une autre pompe.\n");
    expect(await places(index, "pompe", { scope })).toHaveLength(2);
    await index.move("dedans/b.md", "dehors/b.md");
    expect(await places(index, "pompe", { scope })).toHaveLength(1);
  });

  it("looks only between its dates, inclusive: the day of an entry, else the file's", async () => {
    const index = await open();
    await put(index, "changelog.md", JOURNAL, "2026-06-01T10:00:00");
    await put(index, "note.md", "La pompe du voisin\n", "2026-03-12T23:59:00");
    expect(await places(index, "pompe", { from: "2026-02-01", to: "2026-02-01" })).toEqual([
      "changelog.md:9-12",
    ]);
    expect(await places(index, "pompe", { from: "2026-03-12" })).toEqual(["note.md:1-1"]);
    expect(await places(index, "pompe", { to: "2026-01-31" })).toEqual([]);
  });

  it("filters by tags, properties, fields of tasks and paths, before it ranks", async () => {
    const index = await open();
    await put(
      index,
      "a.md",
      "---\ntags: [maison, cave/pompe]\nauteur: Jean Dupont\n---\n\nLa pompe\n",
    );
    await put(index, "d/b.md", "La pompe #toit\n");
    await put(
      index,
      "tasks.md",
      "# Pompe\nstatus: en-cours | prio: haute\n\n# Autre pompe\nstatus: fini\n",
    );
    const found = async (query: string): Promise<string[]> =>
      (await places(index, query)).toSorted();
    expect(await found("pompe tag:maison")).toEqual(["a.md:6-6"]);
    expect(await found("pompe tag:#cave")).toEqual(["a.md:6-6"]);
    expect(await found("tag:toit")).toEqual(["d/b.md:1-1"]);
    expect(await found("pompe -tag:toit -path:tasks")).toEqual(["a.md:6-6"]);
    expect(await found("pompe auteur:dupont")).toEqual(["a.md:6-6"]);
    expect(await found('auteur:"Jean Dupont"')).toEqual(["a.md:6-6"]);
    expect(await found("pompe path:d/")).toEqual(["d/b.md:1-1"]);
    expect(await found("pompe status:en-cours")).toEqual(["tasks.md:1-3"]);
    expect(await found("status:fini")).toEqual(["tasks.md:4-5"]);
    expect(await found("tag:rien pompe")).toEqual([]);
    await put(index, "a.md", "La pompe\n");
    expect(await found("pompe tag:maison")).toEqual([]);
  });

  it("takes a key that no file has, a time and an address for words", async () => {
    const index = await open();
    await put(index, "a.md", "Rendez-vous à 10:30, voir https://example.org/plan, note:bleue\n");
    for (const query of ["10:30", "https://example.org/plan", "note:bleue"])
      expect(await places(index, query)).toEqual(["a.md:1-1"]);
  });

  it("finds what people write in several ways", async () => {
    const index = await open();
    const texts = {
      camel: "appelle getUserName()",
      unit: "40mg par jour",
      spaced: "une dose de 25 mg",
      sharp: "écrit en C#",
      plus: "écrit en C++",
      mail: "un e-mail du prêteur",
      code: "erreur 404",
      japanese: "東京都に住んでいます",
      russian: "Насос в подвале",
      arabic: "مضخة القبو",
      compound: "le multiplexage",
    };
    for (const [name, text] of Object.entries(texts)) await put(index, `${name}.md`, `${text}\n`);
    const queries: [string, keyof typeof texts][] = [
      ["user name", "camel"],
      ["getUserName", "camel"],
      ["getusername", "camel"],
      ["40 mg", "unit"],
      ["25mg", "spaced"],
      ["C#", "sharp"],
      ["C++", "plus"],
      ["email", "mail"],
      ["e-mail", "mail"],
      ["404", "code"],
      ["東京", "japanese"],
      ["насос", "russian"],
      ["القبو", "arabic"],
      ["plexage", "compound"],
      ["preteeur", "mail"],
    ];
    for (const [query, name] of queries)
      expect([query, (await find(index, query))[0]?.path]).toEqual([query, `${name}.md`]);
  });

  it("finds a file by its name, title and aliases before those that only speak of it", async () => {
    const index = await open();
    for (let at = 0; at < 20; at += 1)
      await put(
        index,
        `n/${at}.md`,
        `---\npublish: true\n---\n\nPublish the sites, obsidian git and zorglub.\n`,
      );
    await put(index, "Publish sites.md", "How it is done.\n");
    await put(
      index,
      "og.md",
      "---\ntitle: Obsidian git\naliases:\n  - Zorglub\n---\n\nA plugin.\n",
    );
    expect((await find(index, "publish sites"))[0]?.path).toBe("Publish sites.md");
    expect((await find(index, "obsidian git"))[0]?.path).toBe("og.md");
    expect((await find(index, "zorglub"))[0]?.path).toBe("og.md");
  });

  it("knows the links of a file, those to it, and those to nothing", async () => {
    const index = await open();
    await put(index, "d/cave.md", "---\naliases: [Sous-sol]\n---\n\n# Cave\n");
    await put(index, "autre/cave.md", "Une autre\n");
    await put(
      index,
      "d/a.md",
      [
        "[[cave]] et [[Sous-sol|en bas]], [[autre/cave#Titre]]",
        "![[cave#^bloc]] [lien](../autre/cave.md#titre) [web](https://example.org)",
        "`[[cave]]` [[Rien]] [vide](manque.md) ![image](x.png) [[profile]] [[#ici]]",
        "```",
        "[[cave]]",
        "```",
        "",
      ].join("\n"),
    );
    const shown = (links: readonly FileLink[]): string[] =>
      links.map(
        ({ line, target, fragment, to }) => `${line} ${target}#${fragment ?? ""} ${to ?? "-"}`,
      );
    expect(shown(await index.links.from("d/a.md"))).toEqual([
      "1 cave# d/cave.md",
      "1 Sous-sol# d/cave.md",
      "1 autre/cave#Titre autre/cave.md",
      "2 cave#^bloc d/cave.md",
      "2 ../autre/cave.md#titre autre/cave.md",
      "3 Rien# -",
      "3 manque.md# -",
      "3 x.png# -",
      "3 profile# -",
      "3 #ici d/a.md",
    ]);
    expect(shown(await index.links.to("d/cave.md"))).toEqual([
      "1 cave# d/cave.md",
      "1 Sous-sol# d/cave.md",
      "2 cave#^bloc d/cave.md",
    ]);
    const dead = ["3 Rien# -", "3 manque.md# -", "3 x.png# -", "3 profile# -"];
    expect(shown(await index.links.dead())).toEqual(dead);
    expect(shown(await index.links.to("d/x.png"))).toEqual(["3 x.png# d/x.png"]);
    await index.move("d/cave.md", "d/Rien.md");
    expect(shown(await index.links.dead())).toEqual(dead.slice(1));
    expect((await index.links.to("d/Rien.md")).map(({ target }) => target)).toEqual([
      "Sous-sol",
      "Rien",
    ]);
    const keys = new Set(["sous-sol", "x.png", "nothing"]);
    expect(await index.links.linking(keys)).toEqual(["d/a.md"]);
    expect(await index.links.linking(new Set(["nothing"]))).toEqual([]);
    expect(await index.links.aliases()).toEqual([{ key: "sous-sol", path: "d/Rien.md" }]);
    await index.remove("d/a.md");
    expect(await index.links.dead()).toEqual([]);
  });

  it("counts a line that stands alike in many files little, unless it is what was asked for", async () => {
    const index = await open();
    for (let at = 0; at < 12; at += 1)
      await put(index, `n/${at}.md`, `Note ${at}\n\nModifier avec git dans le dépôt\n`);
    await put(
      index,
      "b.md",
      `Le coffre est gardé avec git, ${"et bien d'autres choses ".repeat(30)}\n`,
    );
    expect((await find(index, "garder le dépôt avec git"))[0]?.path).toBe("b.md");
    expect((await find(index, "modifier avec git"))[0]?.path).toMatch(/^n\//u);
  });

  it("counts where a link leads less than what is said, but finds it", async () => {
    const index = await open();
    await put(index, "a.md", "[Modifier](https://example.org/coffre/pompe/cave)\n");
    await put(index, "b.md", `Une pompe de cave, ${"parmi bien d'autres choses, ".repeat(30)}\n`);
    const paths = async (query: string): Promise<string[]> =>
      (await find(index, query)).map(({ path }) => path);
    expect(await paths("pompe cave")).toEqual(["b.md", "a.md"]);
    expect(await paths("example.org coffre")).toEqual(["a.md"]);
  });

  it("takes several queries, and gives a chunk once", async () => {
    const index = await open();
    await put(index, "a.md", "pompe et gouttière\n");
    await put(index, "b.md", "toiture\n");
    const found = await places(index, "", { queries: ["pompe", "gouttière", "toiture"] });
    expect(found.toSorted()).toEqual(["a.md:1-1", "b.md:1-1"]);
  });

  it("sees a file replaced, removed and moved", async () => {
    const index = await open();
    await put(index, "a.md", "premier\n");
    await put(index, "a.md", "second\n");
    expect(await places(index, "premier")).toEqual([]);
    await index.move("a.md", "d/b.md");
    expect(await places(index, "second")).toEqual(["d/b.md:1-1"]);
    await index.remove("d/b.md");
    await index.remove("rien.md");
    await index.move("rien.md", "x.md");
    expect(await places(index, "second")).toEqual([]);
    expect(await index.stats()).toMatchObject({ files: 0, chunks: 0 });
  });

  it("applies several changes at once: what is gone first, then what is put", async () => {
    const index = await open();
    await put(index, "a.md", "premier\n");
    const file = { path: "b.md", text: "second\n", updated: null, signature: "b1" };
    await index.apply({ put: [file, { ...file, path: "a.md", signature: "a2" }], gone: ["a.md"] });
    expect(await places(index, "premier")).toEqual([]);
    expect((await places(index, "second")).toSorted()).toEqual(["a.md:1-1", "b.md:1-1"]);
    await index.apply({ put: [], gone: ["a.md", "rien.md"] });
    expect(await index.signatures()).toEqual(new Map([["b.md", "b1"]]));
  });

  it("loads many files, and gives each back as it was indexed", async () => {
    const index = await open();
    await put(index, "vieux.md", "ancien\n");
    const files = Array.from({ length: 700 }, (_, at) => ({
      path: `d/${at}.md`,
      text: `# Titre\n\nnote${at} pompe\n`,
      updated: "2026-03-09T10:00:00",
      signature: `s${at}`,
    }));
    await index.load(files);
    expect(await index.stats()).toMatchObject({ files: 701, chunks: 701 });
    expect(await places(index, "note699")).toEqual(["d/699.md:1-3"]);
    expect(await places(index, "ancien")).toEqual(["vieux.md:1-1"]);
    expect(await index.file("d/3.md")).toEqual(files[3]);
    expect((await index.signatures()).get("d/3.md")).toBe("s3");
    expect(await index.file("rien.md")).toBeNull();
  });

  it("gives lines of a file as it was indexed, whatever chunks they are in", async () => {
    const index = await open();
    await put(index, "changelog.md", JOURNAL);
    const all = JOURNAL.trimEnd().split("\n");
    const about = { signature: `changelog.md:${JOURNAL.length}`, totalLines: all.length };
    const lines = (start: number, end: number): unknown =>
      index.lines("changelog.md", { start, end });
    expect(await lines(5, 9)).toEqual({ ...about, first: 5, lines: all.slice(4, 9) });
    expect(await lines(-1, 99)).toEqual({ ...about, first: 1, lines: all });
    expect(await lines(13, 14)).toBeNull();
    expect(await index.lines("rien.md", { start: 1, end: 1 })).toBeNull();
  });

  it("is empty after it was cleared, and can be filled again", async () => {
    const index = await open();
    expect(index.rebuilt).toBeNull();
    await put(index, "a.md", "pompe\n");
    await index.clear();
    expect(await places(index, "pompe")).toEqual([]);
    expect(await index.signatures()).toEqual(new Map());
    expect(await index.stats()).toMatchObject({ files: 0, chunks: 0 });
    await put(index, "b.md", "pompe\n");
    expect(await places(index, "pompe")).toEqual(["b.md:1-1"]);
  });

  it("gives its chunks to a model: within bounds, with a key that the job does not change", async () => {
    const index = await open();
    await put(index, "a.md", "# Titre\n\nUne averse\n", "2026-03-01T10:00:00");
    await put(index, "d/b.md", "# Titre\n\nUne averse\n", "2026-03-05T10:00:00");
    const all = await index.sections.within(NO_BOUNDS);
    expect(new Set(all.map(({ meaning }) => meaning)).size).toBe(1);
    const scope = [parseScope("vault/d")];
    const [inScope, ...others] = await index.sections.within({ ...NO_BOUNDS, scope });
    expect(others).toEqual([]);
    expect(await index.sections.within({ ...NO_BOUNDS, from: "2026-03-05" })).toEqual([inScope]);
    const stamped = "---\ncreated: 2026-03-09\ntokens: 12\n---\n\n# Titre\n\nUne averse\n";
    await put(index, "d/b.md", stamped, "2026-03-05T10:00:00");
    const [again] = await index.sections.within({ ...NO_BOUNDS, scope });
    expect(again?.meaning).toBe(inScope?.meaning);
    expect(await index.sections.texts([again?.id ?? 0, 987_654])).toEqual([
      { ...again, path: "d/b.md", title: "Titre", text: "# Titre\n\nUne averse" },
    ]);
  });

  it("gives chunks as hits of a query, also without a word of it, but none that it excludes", async () => {
    const index = await open();
    await put(index, "a.md", "Une averse\n");
    await put(index, "b.md", "La voiture\n");
    const ids = (await index.sections.within(NO_BOUNDS)).map(({ id }) => id);
    const scores = async (query: string): Promise<[string, boolean][]> =>
      (await index.sections.hits(ids, query)).map(({ hit }) => [hit.path, hit.score > 0]);
    expect(await scores("averse")).toEqual([
      ["a.md", true],
      ["b.md", false],
    ]);
    expect(await scores("averse -voiture")).toEqual([["a.md", true]]);
    expect(await scores('"la voiture"')).toEqual([["b.md", true]]);
  });

  it("gives scores between 0 and 1, falling", async () => {
    const index = await open();
    for (let at = 0; at < 20; at += 1)
      await put(index, `${at}.md`, `${"pompe ".repeat(at)} cave ${"mot ".repeat(at)}\n`);
    const scores = (await find(index, "pompe cave", { limit: 50 })).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    expect(await find(index, "pompe cave", { limit: 3 })).toHaveLength(3);
  });

  it.each([
    '"',
    '""',
    "-",
    "AND OR NOT",
    "a* (b) {c}: d^2",
    "NEAR(a b)",
    "l'été",
    "🙂 pompe",
    "pompe\u0000x",
    "x".repeat(5000),
  ])("is not upset by the query %j", async (query) => {
    const index = await open();
    await put(index, "a.md", "pompe and or not l'été\n");
    await expect(find(index, query)).resolves.toBeDefined();
    await expect(find(index, query, { mode: "deep" })).resolves.toBeDefined();
  });
}
