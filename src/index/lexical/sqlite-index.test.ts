import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { describeFilters } from "../../testing/suites/filter-suite.ts";
import { describeSpellings } from "../../testing/suites/spelling-suite.ts";
import { describeReplacements } from "../../testing/suites/replaced-suite.ts";
import { describeSearchIndex, find, places, put } from "../../testing/suites/search-index-suite.ts";
import { describeWithoutModel } from "../../testing/suites/without-model-suite.ts";
import { indexContents, wordCounts } from "../../testing/suites/index-contents.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { SqliteIndex } from "./sqlite-index.ts";

function open(folder = temporaryFolder()): SqliteIndex {
  const index = new SqliteIndex(folder);
  onTestFinished(async () => index.close());
  return index;
}

describe("the built-in index", () => {
  describeSearchIndex(() => open());
  describeFilters(() => open());
  describeSpellings(() => open());
  describeWithoutModel(() => open());
  describeReplacements(() => open());

  it("finds other forms of a word, the form that was typed first", async () => {
    const index = open();
    await put(index, "a.md", "Les prestataires livrent demain.\n");
    await put(index, "b.md", "Le prestataire livre demain.\n");
    await put(index, "c.md", "The supplier was approving the budgets.\n");
    expect(await places(index, "prestataire")).toEqual(["b.md:1-1", "a.md:1-1"]);
    expect(await places(index, "who approved the budget?")).toEqual(["c.md:1-1"]);
  });

  it.each([
    ["[décision]", "decision"],
    ["status: en-cours", "status"],
    ["2026-07-14", "date"],
    ["TVA Q3", "tva"],
    ["l'API", "api"],
  ])("%s finds itself first", async (query, name) => {
    const index = open();
    await put(index, "decision.md", "## [décision] On garde le four\n");
    await put(index, "status.md", "# Relancer\nstatus: en-cours | prio: haute\n");
    await put(
      index,
      "autre-status.md",
      "# Status des cours de poterie\nen pause, le cours reprend\n",
    );
    await put(index, "date.md", "# 2026-07-14\n\nFeu d'artifice\n");
    await put(index, "autre-date.md", "Le 14 du mois 07, en 2026 ou en 2027\n");
    await put(index, "tva.md", "Échéance de la TVA Q3 à préparer\n");
    await put(index, "autre-tva.md", "La TVA du Q1, puis Q3 pour le reste\n");
    await put(index, "api.md", "Le contrat de l'API de paiement du voisin\n");
    await put(index, "autre.md", "Une décision se prend en cours d'année\n");
    expect((await places(index, query))[0]).toMatch(new RegExp(`^${name}\\.md`, "u"));
  });

  it("deep finds a word with a typing mistake", async () => {
    const index = open();
    await put(index, "a.md", "Le prestataire ne livre plus.\n");
    await put(index, "b.md", "Rien de tel ici.\n");
    expect(await places(index, "prestatiare", { mode: "deep" })).toEqual(["a.md:1-1"]);
  });

  it("prefers words that are akin beyond what a stemmer knows", async () => {
    const index = open();
    await put(index, "a.md", "la pompe et son moteur\n");
    await put(index, "b.md", "la pompe et son électrification\n");
    await put(index, "c.md", "la pompe et son carter\n");
    expect((await places(index, "pompe électrique"))[0]).toContain("b.md");
  });

  it("deep counts a guessed word less than one that was typed", async () => {
    const index = open();
    await put(index, "a.md", "le prestataire est venu\n");
    await put(index, "b.md", "la chaudière est froide\n");
    const request = { mode: "deep", scope: null, limit: 9, from: null, to: null } as const;
    const { hits } = await index.search({ ...request, queries: ["prestatayre chaudière"] });
    expect(hits.map((hit) => hit.path)).toEqual(["b.md", "a.md"]);
  });

  it("does not let the program's own keys match", async () => {
    const index = open();
    await put(
      index,
      "a.md",
      "---\ncreated: 2026-03-09T10:00:00\ntokens: 777\ntitre: Toiture\n---\n\nTexte\n",
    );
    expect(await places(index, "777")).toEqual([]);
    expect(await places(index, "toiture")).toHaveLength(1);
  });

  it("keeps what it knows for the next process", async () => {
    const folder = temporaryFolder();
    const first = new SqliteIndex(folder);
    await put(first, "a.md", "pompe\n");
    await first.close();
    const again = open(folder);
    expect(await places(again, "pompe")).toEqual(["a.md:1-1"]);
    expect(await again.signatures()).toEqual(new Map([["a.md", "a.md:6"]]));
  });

  it.each([
    [
      "garbage",
      (file: string) => writeFileSync(file, "ceci n'est pas une base de données".repeat(300)),
    ],
    [
      "a page overwritten",
      (file: string) =>
        writeFileSync(
          file,
          Buffer.concat([
            readFileSync(file).subarray(0, 4096),
            Buffer.alloc(readFileSync(file).length - 4096, 7),
          ]),
        ),
    ],
  ])("sets a damaged database aside, starts empty, and says so: %s", async (_, damage) => {
    const folder = temporaryFolder();
    const first = new SqliteIndex(folder);
    await put(first, "a.md", "pompe\n");
    await first.close();
    damage(path.join(folder, "index.sqlite"));
    const again = open(folder);
    expect(again.rebuilt).toContain("damaged");
    expect(existsSync(path.join(folder, "index.sqlite.set-aside"))).toBe(true);
    await put(again, "a.md", "pompe\n");
    expect(await places(again, "pompe")).toHaveLength(1);
  });

  it("refuses a damaged database, and leaves it, for those who open it beside its owner", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "index.sqlite");
    writeFileSync(file, "this is no database, whatever one may think of it");
    expect(() => new SqliteIndex(folder, false)).toThrow(/cannot be opened/u);
    expect(readFileSync(file, "utf8")).toContain("no database");
    expect(existsSync(`${file}.set-aside`)).toBe(false);
  });

  async function ofVersion(version: number): Promise<string> {
    const folder = temporaryFolder();
    await new SqliteIndex(folder).close();
    const database = new DatabaseSync(path.join(folder, "index.sqlite"));
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    return folder;
  }

  it("rebuilds a database of an older version, and keeps one of this", async () => {
    expect(open(await ofVersion(8)).rebuilt).toContain("another version");
    expect(open(await ofVersion(9)).rebuilt).toBeNull();
  });

  it("takes no line of a note that others wrote for one that replaces", async () => {
    const index = open(temporaryFolder());
    const line = "Costs 290.\nReplaces: [[log]] (310)\n";
    const files = {
      "log.md": "Slates cost 310.\n",
      "own.md": line,
      "mail.md": `---\nUntrusted: Yes\n---\n${line}`,
    };
    for (const [name, text] of Object.entries(files))
      await index.put({ path: name, text, updated: null, signature: "1" });
    expect((await index.replacements.stated()).map(({ from }) => from)).toEqual(["own.md"]);
  });

  it("refuses a database of a newer version", async () => {
    const folder = await ofVersion(99);
    expect(() => new SqliteIndex(folder)).toThrow(
      "written by a newer coffre (schema 99, this one knows 9)",
    );
  });

  it("touches only the chunks that changed", async () => {
    const folder = temporaryFolder();
    const index = open(folder);
    const entry = (at: number): string => `## Entrée ${at}\nTexte de l'entrée ${at}.\n\n`;
    const body = Array.from({ length: 50 }, (_, at) => entry(at)).join("");
    await put(index, "changelog.md", `# 2026-03-09\n\n${body}`);
    const database = new DatabaseSync(path.join(folder, "index.sqlite"), { readOnly: true });
    onTestFinished(() => database.close());
    const ids = (): unknown[] =>
      database
        .prepare("SELECT id FROM chunks ORDER BY id")
        .all()
        .map((row) => row["id"]);
    const before = new Set(ids());
    await put(
      index,
      "changelog.md",
      `# 2026-03-10\n\n## Neuf\nUne entrée neuve.\n\n# 2026-03-09\n\n${body}`,
    );
    const added = ids().filter((id) => !before.has(id));
    expect(added.length).toBeLessThanOrEqual(2);
    expect(await places(index, "neuve")).toHaveLength(1);
    expect((await find(index, "Texte entrée 49"))[0]?.lines.start).toBe(3 + 49 * 3 + 5);
  });
});

const name = fc.constantFrom("a.md", "changelog.md", "d/tasks.md", "d/b.md", "e/c.md");
const words = fc.array(
  fc.constantFrom(
    "pompe",
    "cave",
    "été",
    "# 2026-03-09",
    "## Titre",
    "\n",
    "- liste",
    "```",
    "mot",
    "\u{1f600} é\u0000",
    "---\ntitle: Pompe\ntags: [cave]\n---\n",
    "status: en-cours | prio: haute",
    "[[d/b#Titre]] et [x](../a.md)",
    "getUserName e-mail C++ 40mg 東京都",
  ),
  { maxLength: 60 },
);
const step = fc.oneof(
  fc.record({
    kind: fc.constant("load" as const),
    path: name,
    text: words.map((all) => `${all.join("\n")}\n`),
  }),
  fc.record({
    kind: fc.constant("put" as const),
    path: name,
    text: words.map((all) => `${all.join("\n")}\n`),
  }),
  fc.record({ kind: fc.constant("remove" as const), path: name }),
  fc.record({ kind: fc.constant("move" as const), path: name, to: name }),
);

const UPDATED = "2026-03-09T10:00:00";

it("after any writes, loads, moves and removals equals an index built from scratch, row for row", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const [keptFolder, freshFolder] = [temporaryFolder(), temporaryFolder()];
      const kept = new SqliteIndex(keptFolder);
      const fresh = new SqliteIndex(freshFolder);
      const files = new Map<string, string>();
      for (const each of steps) {
        if (each.kind === "put" || each.kind === "load") {
          const { path: file, text } = each;
          files.set(file, text);
          if (each.kind === "put") await put(kept, file, text);
          else await kept.load([{ path: file, text, updated: UPDATED, signature: "" }]);
        } else if (each.kind === "remove") {
          files.delete(each.path);
          await kept.remove(each.path);
        } else {
          const text = files.get(each.path);
          if (text !== undefined && each.path !== each.to) {
            files.delete(each.path);
            files.set(each.to, text);
          }
          await kept.move(each.path, each.to);
        }
      }
      for (const [file, text] of files) await put(fresh, file, text);
      expect(withoutSignatures(keptFolder)).toEqual(withoutSignatures(freshFolder));
      const { kept: counts, counted } = wordCounts(keptFolder);
      expect(counts).toEqual(counted);
      await kept.close();
      await fresh.close();
    }),
    { numRuns: 60 },
  );
});

it("counts the chunks that have a word, in a file put, replaced and removed by another connection", async () => {
  const folder = temporaryFolder();
  const [writer, reader] = [open(folder), open(folder)];
  for (let at = 0; at < 30; at += 1) await put(writer, `n/${at}.md`, `la pompe ${at}\n`);
  await put(writer, "rare.md", "la turbine\n");
  expect(await places(reader, "pompe turbine", { limit: 1 })).toEqual(["rare.md:1-1"]);
  await put(writer, "rare.md", "autre chose\n");
  expect(await places(reader, "turbine")).toEqual([]);
  const { kept, counted } = wordCounts(folder);
  expect(kept).toEqual(counted);
});

/** A moved file keeps the signature it had, which in these tests tells its first path. */
function withoutSignatures(folder: string): unknown {
  const { files = [], ...rest } = indexContents(folder);
  return { ...rest, files: files.map((row) => ({ ...Object(row), signature: "" })) };
}
