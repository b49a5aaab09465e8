import { expect, it } from "vitest";

import type { SearchIndex } from "../../index/search-index.ts";
import { find, places, put } from "./search-index-suite.ts";

/** What any engine must do with filters and exclusions. */
export function describeFilters(open: () => SearchIndex | Promise<SearchIndex>): void {
  it("compares the names in a value, whatever signs stand around them", async () => {
    const index = await open();
    await put(
      index,
      "a.md",
      '---\nauthor: "[[people/Jean Dupont|Jean]]"\nteam: Anna, Bob\n---\n\nPompe\n',
    );
    await put(index, "b.md", "---\nauthor:\n  - Durand\nteam: (Chloé)\n---\n\nPompe\n");
    await put(index, "c.md", "---\nlang: C++\nphone: +33 1 23\nweight: 1,5\n---\n\nPompe\n");
    await put(index, "tasks.md", "# Pompe\nstatus: en-cours | owner: [[Anna]]\n");
    const found = async (query: string): Promise<string[]> =>
      (await find(index, query)).map(({ path }) => path).toSorted();
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ["author:dupont", ["a.md"]],
      ['author:"Jean Dupont"', ["a.md"]],
      ['author:"[[people/Jean Dupont|Jean]]"', ["a.md"]],
      ["author:[[Durand]]", ["b.md"]],
      ["team:anna", ["a.md"]],
      ["team:bob", ["a.md"]],
      ["pompe team:chloe", ["b.md"]],
      ["team:ann", []],
      ["lang:C++", ["c.md"]],
      ["lang:c", []],
      ["weight:1,5", ["c.md"]],
      ["owner:anna", ["tasks.md"]],
      ["status:en-cours", ["tasks.md"]],
      ["pompe -team:anna -path:tasks", ["b.md", "c.md"]],
    ];
    for (const [query, paths] of cases) expect([query, await found(query)]).toEqual([query, paths]);
    expect(await index.completions('author:"Je', 5)).toEqual([
      { text: 'author:"[[people/Jean Dupont|Jean]]"', files: 1 },
    ]);
  });

  it("takes a key with spaces, dots or signs in quotes, as it completes it", async () => {
    const index = await open();
    await put(
      index,
      "a.md",
      "---\nDue Date: 2026-05-01\nl10n.lang: fr\nprice (€): 12\n---\n\nPompe\n",
    );
    await put(index, "b.md", "---\ndate: 2026-05-01\n---\n\nPompe, due date 2026-05-01\n");
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['"due date":2026-05-01', ["a.md"]],
      ['pompe -"Due Date":2026-05-01', ["b.md"]],
      ['"price (€)":12', ["a.md"]],
      ['"l10n.lang":fr', ["a.md"]],
      ["l10n.lang:fr", ["a.md"]],
      ["date:2026-05-01", ["b.md"]],
      ['"due date":"2026-06-01"', []],
      // No file has such a key: it is a phrase.
      ['pompe "due date" 2026', ["a.md", "b.md"]],
    ];
    for (const [query, paths] of cases) {
      const found = (await find(index, query)).map(({ path }) => path).toSorted();
      expect([query, found]).toEqual([query, paths]);
    }
    const completed = async (typed: string): Promise<string[]> =>
      (await index.completions(typed, 5)).map(({ text }) => text);
    expect(await completed("du")).toEqual(['"due date":']);
    expect(await completed('-"due d')).toEqual(['-"due date":']);
    expect(await completed('"due date":20')).toEqual(['"due date":2026-05-01']);
    expect(await completed("pri")).toEqual(['"price (€)":']);
    expect(await completed("l10n")).toEqual(['"l10n.lang":']);
  });

  it("reads frontmatter in each of the forms that people and programs write", async () => {
    const index = await open();
    const texts: readonly (readonly [string, string])[] = [
      ["comment.md", "---\ntags: [un, deux] # trois\nstatus: done # since may\n---\n\nPompe\n"],
      [
        "below.md",
        "---\ntags:\n  [un, deux]\nteam: [\n  Anna, # leads\n  'Bob, junior',\n]\n---\n\nPompe\n",
      ],
      [
        "over.md",
        "---\ntags: [un,\n  deux]\nsource: [a plan](https://example.org/plan) # x\n---\n\nPompe\n",
      ],
      [
        "items.md",
        '---\ntags:\n  - un # first\n  - "deux # 2"\ncolour: "#fff" # white\nlang: C# # sharp\n---\n\nPompe\n',
      ],
      ["quoted.md", "---\n\"statut\": ouvert\n'Due Date': demain\n---\n\nPompe\n"],
      ["own.md", '---\ncreated: "[[2021-03-05]]"\nupdated: hier\ntokens: beaucoup\n---\n\nPompe\n'],
      [
        "job.md",
        "---\ncreated: 2021-03-05T10:00:00\nupdated: 2021-03-05T10:00:00\ntokens: 12\n---\n\nPompe\n",
      ],
      [
        "hugo.md",
        '+++\ntitle = "Ma page" # shown\ndraft = true # yet\ntags = ["un",\n  "deux", # 2\n]\n[taxonomies]\ngenres = ["jazz"]\nabout = """\nLa cuve\n"""\n# no heading\n+++\n\n# Pompe\n\nLe puits\n',
      ],
    ];
    for (const [path, text] of texts) await put(index, path, text);
    const found = async (query: string): Promise<string[]> =>
      (await find(index, query)).map(({ path }) => path).toSorted();
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ["tag:un", ["below.md", "comment.md", "hugo.md", "items.md", "over.md"]],
      ["tag:deux", ["below.md", "comment.md", "hugo.md", "items.md", "over.md"]],
      ["tag:trois", []],
      ["status:done", ["comment.md"]],
      ["status:may", []],
      ["team:anna", ["below.md"]],
      ['team:"Bob, junior"', ["below.md"]],
      ["team:leads", []],
      ["source:plan", ["over.md"]],
      ["colour:#fff", ["items.md"]],
      ["lang:C#", ["items.md"]],
      ["statut:ouvert", ["quoted.md"]],
      ['"due date":demain', ["quoted.md"]],
      ["created:2021-03-05", ["own.md"]],
      ["updated:hier", ["own.md"]],
      ["tokens:beaucoup", ["own.md"]],
      ["draft:true", ["hugo.md"]],
      ["draft:yet", []],
      ["genres:jazz", ["hugo.md"]],
      ["about:cuve", ["hugo.md"]],
    ];
    for (const [query, paths] of cases) expect([query, await found(query)]).toEqual([query, paths]);
    expect(await index.completions("status:d", 5)).toEqual([{ text: "status:done", files: 1 }]);
    const [page] = await find(index, "ma page");
    expect(page).toMatchObject({ path: "hugo.md", headings: ["Pompe"], frontmatter: 14 });
    expect(page?.lines.start).toBe(15);
  });

  it("excludes a phrase as it stands, not its words", async () => {
    const index = await open();
    await put(index, "a.md", "The dark side of the moon, a record\n");
    await put(index, "b.md", "The record of the year\n");
    await put(index, "c.md", "A record on the moon\n");
    const found = async (query: string): Promise<string[]> =>
      (await places(index, query)).toSorted();
    expect(await found('record -"of the moon"')).toEqual(["b.md:1-1", "c.md:1-1"]);
    expect(await found("record -moon")).toEqual(["b.md:1-1"]);
  });

  it("excludes words that are written with signs between them", async () => {
    const index = await open();
    await put(index, "a.md", "pompe : voir l'API, haut-débit\n");
    await put(index, "b.md", "pompe : API\n");
    await put(index, "c.md", "pompe : haut et débit\n");
    await put(index, "d.md", "pompe : très-haut-débit, toutes les API\n");
    const found = async (query: string): Promise<string[]> =>
      (await places(index, query)).toSorted();
    expect(await found("pompe -l'API")).toEqual(["c.md:1-1"]);
    expect(await found("pompe -haut-débit -très-haut-débit")).toEqual(["b.md:1-1", "c.md:1-1"]);
    expect(await found("pompe -très-haut-débit")).toEqual(["a.md:1-1", "b.md:1-1", "c.md:1-1"]);
  });

  it("finds what an exclusion leaves, however many better ones it keeps out", async () => {
    const index = await open();
    for (let at = 0; at < 90; at += 1)
      await put(index, `${at}.md`, `# Pompe\n\npompe pompe puits ${at}\n`);
    await put(index, "a.md", "Un mot sur la pompe, parmi beaucoup d'autres choses.\n");
    expect(await places(index, "pompe -puits")).toEqual(["a.md:1-1"]);
  });

  it("lists what a filter or dates let through without what is excluded", async () => {
    const index = await open();
    await put(index, "a.md", "---\ntags: [work]\n---\n\nA plan\n");
    await put(index, "b.md", "---\ntags: [work]\n---\n\nA draft\n");
    await put(
      index,
      "c.md",
      `---\ntags: [work]\n---\n\n# One\n\n${"Some words. ".repeat(200)}\n\n# Two\n\nA draft\n`,
    );
    await put(index, "d.md", "---\ntags: [work]\nkind: draft\n---\n\nAnother plan\n");
    await put(index, "tasks.md", "# Plan\nstatus: open\n\n# Draft\nstatus: open\n");
    const found = async (query: string, more = {}): Promise<string[]> =>
      (await find(index, query, more)).map(({ path }) => path).toSorted();
    expect(await found("tag:work -draft")).toEqual(["a.md", "d.md"]);
    expect(await places(index, "status:open -draft")).toEqual(["tasks.md:1-3"]);
    const dates = { from: "2026-03-09", to: "2026-03-09" };
    expect(await found("-draft", dates)).toEqual(["a.md", "d.md", "tasks.md"]);
    expect(await found("-draft")).toEqual([]);
  });

  it("lets neither what words found nor what a filter lists crowd out the other", async () => {
    const index = await open();
    for (let at = 0; at < 12; at += 1)
      await put(index, `w/${at}.md`, "---\ntags: [work]\n---\n\nA plan\n");
    await put(index, "p1.md", "# Pump\n\nThe pump\n");
    await put(index, "p2.md", "A pump among many other things that are said here.\n");
    const hits = await find(index, "", { queries: ["pump", "tag:work"], limit: 5 });
    expect(hits.slice(0, 4).map(({ path }) => path.slice(0, 2))).toEqual(["p1", "w/", "p2", "w/"]);
    const [alone] = await find(index, "pump");
    expect(hits[0]?.score).toBe(alone?.score);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it("finds a value of the frontmatter, below what says it", async () => {
    const index = await open();
    for (let at = 0; at < 10; at += 1)
      await put(index, `n/${at}.md`, `---\npublish: true\n---\n\nNote ${at}\n`);
    await put(index, "a.md", `It is true, ${"and much else is said here ".repeat(20)}\n`);
    const hits = await find(index, "true");
    expect(hits[0]?.path).toBe("a.md");
    expect(hits[0]?.score).toBeGreaterThan(0.5);
    expect(hits.slice(1).every(({ score }) => score < 0.5)).toBe(true);
    expect(await find(index, "publish:true", { limit: 20 })).toHaveLength(10);
  });

  it("finds a Korean word with whatever is written together with it", async () => {
    const index = await open();
    await put(index, "a.md", "학교 앞\n");
    await put(index, "b.md", "학교에서 만나요\n");
    await put(index, "c.md", "우리 학교는 크다\n");
    await put(index, "d.md", "도서관에서 만나요\n");
    const found = async (query: string): Promise<string[]> =>
      (await find(index, query)).map(({ path }) => path).toSorted();
    expect(await found("학교")).toEqual(["a.md", "b.md", "c.md"]);
    expect((await find(index, "학교는"))[0]?.path).toBe("c.md");
    expect(await found("만나요 -학교")).toEqual(["d.md"]);
    expect(await found("학교".normalize("NFD"))).toEqual(["a.md", "b.md", "c.md"]);
  });
}
