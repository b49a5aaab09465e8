import { expect, it, onTestFinished } from "vitest";

import { find, places, put } from "../../testing/suites/search-index-suite.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { parseScope } from "../scope.ts";
import type { IndexedFile } from "../search-index.ts";
import { SqliteIndex } from "./sqlite-index.ts";

async function indexOf(files: Readonly<Record<string, string>>): Promise<SqliteIndex> {
  const index = new SqliteIndex(temporaryFolder());
  onTestFinished(async () => index.close());
  for (const [path, text] of Object.entries(files)) await put(index, path, text);
  return index;
}

it("ranks a chunk with all words above one with some, however often it has them", async () => {
  const index = await indexOf({
    "some.md": "# Pompe\n\npompe pompe pompe\n",
    "all.md": `une pompe ${"mot ".repeat(80)} et une cave\n`,
  });
  expect(await places(index, "pompe cave")).toEqual(["all.md:1-1", "some.md:1-3"]);
});

it("ranks the few chunks with two common words first, and fills up with chunks that have one", async () => {
  const index = await indexOf({});
  const file = (name: string, text: string): IndexedFile => ({
    path: `${name}.md`,
    text,
    updated: null,
    signature: "1",
  });
  const many = Array.from({ length: 1400 }, (_, at) =>
    file(`n${at}`, `${at % 2 === 0 ? "pompe pompe" : "cave cave"} numéro ${at}\n`),
  );
  const few = Array.from({ length: 5 }, (_, at) =>
    file(`both${at}`, `une pompe ${"mot ".repeat(80)} et une cave ${at}\n`),
  );
  await index.load([...many, ...few]);
  const hits = await find(index, "pompe cave", { limit: 50 });
  const isOfBoth = hits.map((hit) => hit.path.startsWith("both"));
  expect(isOfBoth).toEqual(Array.from({ length: 50 }, (_, at) => at < 5));
});

it("finds a note by its name among thousands that have the same common words in theirs", async () => {
  const index = await indexOf({});
  const file = (path: string): IndexedFile => ({
    path: `${path}.md`,
    text: "# Rien\n\nrien\n",
    updated: null,
    signature: "1",
  });
  const some = (from: number, to: number): IndexedFile[] =>
    Array.from({ length: to - from }, (_, at) => file(`pompe et cave du voisin ${from + at}`));
  await index.load([...some(0, 300), file("cave pompe"), ...some(300, 3100)]);
  for (const query of ["pompe cave", "cave"])
    expect((await find(index, query))[0]?.path).toBe("cave pompe.md");
});

it("ranks the form that was typed above other forms of the word", async () => {
  const index = await indexOf({ "a.md": "Les gouttières\n", "b.md": "La gouttière\n" });
  expect(await places(index, "gouttière")).toEqual(["b.md:1-1", "a.md:1-1"]);
  expect(await places(index, "gouttières")).toEqual(["a.md:1-1", "b.md:1-1"]);
});

it("ranks a word in a heading or a path above the same word in the text", async () => {
  const index = await indexOf({
    "a.md": "# Divers\n\nUne turbine sous le toit.\n",
    "b.md": "# Turbine\n\nUne turbine sous le toit.\n",
  });
  expect((await places(index, "turbine"))[0]).toBe("b.md:1-3");
  await index.move("b.md", "turbine.md");
  expect((await places(index, "turbine"))[0]).toBe("turbine.md:1-3");
});

it("finds the words of a phrase that stands nowhere", async () => {
  const index = await indexOf({ "a.md": "la cave et la pompe\n" });
  expect(await places(index, '"pompe de la cave"')).toEqual(["a.md:1-1"]);
});

it("corrects a misspelt word in fast too, when nothing else is found", async () => {
  const index = await indexOf({ "a.md": "Le prestataire\n" });
  expect(await places(index, "prestatiare")).toEqual(["a.md:1-1"]);
});

it("finds an Arabic noun with and without its article", async () => {
  const index = await indexOf({ "a.md": "تم توقيع العقد\n", "b.md": "وقعنا على عقد\n" });
  expect(await places(index, "عقد")).toEqual(["b.md:1-1", "a.md:1-1"]);
  expect(await places(index, "العقد")).toEqual(["a.md:1-1", "b.md:1-1"]);
});

it("lifts a chunk whose file answers elsewhere too, but not above one with all words", async () => {
  const entry = (title: string, text: string): string => `## ${title}\n${text}\n\n`;
  const index = await indexOf({
    "a/changelog.md": `# 2026-03-01\n\n${entry("Un", "La pompe")}${entry("Deux", "La pompe tient")}`,
    "b/changelog.md": `# 2026-03-01\n\n${entry("Un", "La pompe")}${entry("Deux", "Le toit")}`,
    "c.md": "La pompe et la turbine\n",
  });
  const [first, second] = await find(index, "pompe");
  expect([first?.path, second?.path]).toContain("a/changelog.md");
  expect((await places(index, "pompe turbine"))[0]).toBe("c.md:1-1");
});

it("resolves a scope for each search: files that come, go and move are seen", async () => {
  const index = await indexOf({ "in/a.md": "pompe\n", "out/b.md": "pompe\n" });
  const scope = [parseScope("vault/in")];
  expect(await places(index, "pompe", { scope })).toEqual(["in/a.md:1-1"]);
  await index.remove("in/a.md");
  await index.move("out/b.md", "in/b.md");
  await put(index, "in/c.md", "une pompe\n");
  expect((await places(index, "pompe", { scope })).toSorted()).toEqual([
    "in/b.md:1-1",
    "in/c.md:1-1",
  ]);
  const none = [parseScope("vault/nowhere")];
  expect(await places(index, "pompe", { scope: none })).toEqual([]);
});

it("filters by day before it ranks: the day of an entry, else of its file", async () => {
  const index = await indexOf({
    "changelog.md": "# 2026-02-02\n\n## Un\npompe\n\n# 2026-02-01\n\n## Deux\npompe\n",
  });
  await put(index, "note.md", "pompe pompe\n", "2026-02-01T23:00:00");
  const day = { from: "2026-02-01", to: "2026-02-01" };
  expect((await places(index, "pompe", day)).toSorted()).toEqual([
    "changelog.md:6-9",
    "note.md:1-1",
  ]);
  expect(await places(index, "pompe", { ...day, scope: [parseScope("vault/note.md")] })).toEqual([
    "note.md:1-1",
  ]);
});

it("gives lines of the file: of the chunk, and those in it that match best", async () => {
  const filler = "une ligne du journal\n".repeat(90);
  const index = await indexOf({ "a.md": `# Un\n\n${filler}\n# Deux\n\nrien\nla pompe\nrien\n` });
  const [hit] = await find(index, "pompe");
  expect(hit).toMatchObject({ best: { start: 97, end: 97 }, headings: ["Deux"] });
  expect(hit?.lines.start).toBe(94);
});

it("scores a chunk that several queries find a little higher, and never above 1", async () => {
  const index = await indexOf({ "a.md": "pompe de cave\n", "b.md": "pompe de puits\n" });
  const [alone] = await find(index, "cave");
  const [both] = await find(index, "", { queries: ["cave", "pompe de cave"] });
  expect(both?.path).toBe("a.md");
  expect(both?.score).toBeGreaterThan(alone?.score ?? 1);
  expect(both?.score).toBeLessThanOrEqual(1);
});
