import { describe, expect, it } from "vitest";
import { z } from "zod";

import { MemoryIndex } from "../index/create-index.ts";
import { fillIndex } from "../index/fill-index.ts";
import type { Vault } from "../vault/vault.ts";
import { callTool } from "./call.ts";
import { createSession } from "./session.ts";
import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";

const NOW = new Date(2026, 2, 15, 12, 0);

function search(args: unknown) {
  const vault = temporaryVault({
    "overview.md": "la chaudière est partout\n",
    "inbox/2026-03-01-x/review.md": "la chaudière du voisin\n",
    "projects/maison/changelog.md":
      "# 2026-03-12\n\n## [décision] Changer la chaudière\nLe chauffagiste passe jeudi.\n\n# 2026-02-01\n\n## Panne de chaudière\nEau froide toute la nuit.\n",
    "projects/maison/state.md":
      "---\nupdated: 2026-03-14T10:00:00\n---\n\n## En ce moment\nOn attend le chauffagiste.\n",
    "bucket/recette.md": "---\nupdated: 2025-12-24T10:00:00\n---\n\n# Bûche\nBeurre et marrons.\n",
  });
  return callerOf(vault, { now: () => NOW }).search("search", args);
}

describe("search", () => {
  it("gives one block per chunk in rank order, with lines, score, context and the file's numbers", async () => {
    const text = textOf(await search({ queries: ["changer chaudière"], limit: 1 }));
    expect(text).toMatch(
      /^```vault\/projects\/maison\/changelog\.md \(lines 1-5\) · score \d\.\d\d\n1 {2}\| # 2026-03-12\n2 {2}\|\n3 {2}\| ## \[décision\] Changer la chaudière\n4 {2}\| Le chauffagiste passe jeudi\.\n5 {2}\|\n6 {2}\| # 2026-02-01\n7 {2}\|\n```$/u,
    );
  });

  it("gives programs path, score, lines, heading, chunk and date", async () => {
    const { structured } = await search({ queries: ["changer chaudière"], limit: 1 });
    expect(structured).toEqual([
      {
        path: "vault/projects/maison/changelog.md",
        score: expect.any(Number),
        lines: "1-5",
        heading: "2026-03-12 > [décision] Changer la chaudière",
        chunk_with_context: expect.stringContaining("3  | ## [décision]"),
        updated: "2026-03-12",
        text_lines: [
          { number: 1, text: "# 2026-03-12" },
          { number: 2, text: "" },
          { number: 3, text: "## [décision] Changer la chaudière" },
          { number: 4, text: "Le chauffagiste passe jeudi." },
        ],
        best: [3],
        replaced: null,
      },
    ]);
  });

  it("gives programs a passage without the frontmatter above it", async () => {
    const { structured } = await search({ queries: ["beurre"], limit: 1 });
    expect(structured).toMatchObject([
      {
        lines: "5-6",
        text_lines: [
          { number: 5, text: "# Bûche" },
          { number: 6, text: "Beurre et marrons." },
        ],
        best: [6],
      },
    ]);
  });

  it("shows a long chunk around its best lines, and names all of its lines", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `Ligne ${at} ${"mot ".repeat(25)}`);
    lines[20] = "Ici la turbine.";
    const vault = temporaryVault({ "tasks.md": `# Tâche\n${lines.join("\n")}\n` });
    const { structured } = await callerOf(vault).search("search", { queries: ["turbine"] });
    const shown = z.array(
      z.object({ lines: z.string(), chunk_with_context: z.string(), best: z.array(z.number()) }),
    );
    const [result] = shown.parse(structured);
    expect(result?.best).toEqual([22]);
    expect(result?.lines).toBe("1-31");
    expect(result?.chunk_with_context).toContain("22 | Ici la turbine.");
    expect(result?.chunk_with_context.length).toBeLessThan(2200);
    expect(result?.chunk_with_context.split("\n").length).toBeGreaterThan(8);
  });

  it.each(["\n", "\n\n", ""])(
    "shows lines as read does, in a file that ends with %j",
    async (end) => {
      const lines = Array.from({ length: 98 }, (_, at) =>
        at % 9 === 0 ? `## ${at}` : `mot ${at}`,
      );
      const text = `\u{feff}${[...lines, "turbine"].join("\r\n")}${end}`;
      const caller = callerOf(temporaryVault({ "a.md": text }));
      const { structured } = await caller.search("search", { queries: ["turbine"], limit: 1 });
      const shown = z.array(z.object({ chunk_with_context: z.string() })).parse(structured);
      const numbered = shown[0]?.chunk_with_context ?? "missing";
      expect(textOf(await caller.search("read", { paths: "a.md" }))).toContain(
        `\n${numbered}\n\`\`\``,
      );
    },
  );

  it("shows what is on disk when the index could not follow, and nothing of a file that is gone", async () => {
    const before = {
      "a.md": "une pompe\n",
      "b.md": "deux pompes\n",
      "tasks.md": "# Un\nx\n# Deux\npompe\n",
    };
    const index = new MemoryIndex();
    await fillIndex(temporaryVault(before), index);
    const vault = temporaryVault({ "a.md": "un tuyau\nneuf\n", "tasks.md": "rien\n" });
    const context = { vault, index, session: createSession("x"), now: () => NOW };
    const args = { queries: ["pompe"] };
    const result = await callTool("search", args, { ...context, profile: "search" });
    expect(textOf(result)).toMatch(/^```vault\/a\.md .*\n1 {2}\| un tuyau\n2 {2}\| neuf\n```$/u);
  });

  it("does not look in overview.md, tree.md, profile.md and the inbox", async () => {
    const { structured } = await search({ queries: ["chaudière"] });
    expect(JSON.stringify(structured)).not.toMatch(/overview|inbox/u);
  });

  it("filters by scope and dates before ranking", async () => {
    const paths = async (args: object) => {
      const { structured } = await search({
        queries: ["chaudière chauffagiste beurre"],
        limit: 1,
        ...args,
      });
      return JSON.parse(JSON.stringify(structured)).map(
        (hit: { path: string; lines: string }) => `${hit.path}:${hit.lines}`,
      );
    };
    expect(await paths({ scopes: ["vault/projects/*/state.md"] })).toEqual([
      "vault/projects/maison/state.md:5-6",
    ]);
    expect(await paths({ scopes: ["bucket"] })).toEqual(["vault/bucket/recette.md:5-6"]);
    expect(await paths({ scopes: ["vault/bucket/*"] })).toEqual(["vault/bucket/recette.md:5-6"]);
    expect(await paths({ date_to: "2026-02-10", date_from: "2026-01-01" })).toEqual([
      "vault/projects/maison/changelog.md:6-9",
    ]);
    expect(await paths({ date_from: "2 days ago" })).toEqual([
      "vault/projects/maison/state.md:5-6",
    ]);
    expect(await paths({ date_to: "2 months ago" })).toEqual(["vault/bucket/recette.md:5-6"]);
  });

  it("no match is an empty list, not an error", async () => {
    const result = await search({ queries: ["ornithorynque"] });
    expect(result.isError).toBe(false);
    expect(result.structured).toEqual([]);
    expect(textOf(result)).toContain("No match");
  });

  it("deep without a model says so in one line", async () => {
    expect(textOf(await search({ queries: ["chaudière"], mode: "deep" }))).toContain(
      "no model: lexical deep search",
    );
  });

  it.each([
    [{ queries: [] }],
    [{ queries: [""] }],
    [{ queries: ["chaudière", "  "] }],
    [{ queries: ["…"] }],
    [{ queries: ["-chaudière"] }],
    [{ queries: ["chaudière", '-"de la" -x'] }],
    [{ queries: Array.from({ length: 11 }, () => "x") }],
    [{ queries: ["…"], scopes: ["projects"] }],
    [{ queries: ["x"], mode: "slow" }],
    [{ queries: ["x"], limit: 51 }],
    [{ queries: ["x"], limit: 0 }],
    [{ queries: ["x"], scopes: ["vault/{a"] }],
    [{ queries: ["x"], scopes: ["vault/[a"] }],
    [{ queries: ["x"], scopes: ["../autre"] }],
    [{ queries: ["x"], scopes: [""] }],
    [{ queries: ["x"], date_from: "hier soir" }],
    [{ queries: ["x"], date_from: "2026-02-30" }],
    [{ queries: ["x"], date_from: "2026-03-02", date_to: "2026-03-01" }],
    [{ queries: ["x"], date: "2026-03-02" }],
  ])("refuses %j", async (args) => {
    const result = await search(args);
    expect(result.isError).toBe(true);
    expect(result.structured).toMatchObject({
      error: { code: expect.stringMatching(/invalid_argument|outside_vault/u) },
    });
  });
});

describe("an answer of search", () => {
  const filler = `${"Une ligne du journal du chantier. ".repeat(3)}\n`;

  it("shows several passages of a file under one header, a line between them", async () => {
    const text = `---\ntitle: Cave\n---\n\n## Pompe\nLa pompe tient.\n\n## Toit\n${filler.repeat(9)}\n## Essai\nLa pompe encore.\n`;
    const caller = callerOf(temporaryVault({ "a.md": text, "b.md": "La pompe du voisin.\n" }));
    const result = await caller.search("search", { queries: ["pompe"], limit: 3 });
    expect(textOf(result)).toMatch(
      /```vault\/a\.md \(lines 5-7, 19-20\) · score \d\.\d\d\n5 {2}\| ## Pompe\n[^`]*\n\.\.\.\n[^`]*20 \| La pompe encore\.\n```/u,
    );
    expect(textOf(result)).not.toContain("title: Cave");
    expect(result.structured).toHaveLength(3);
  });

  it("has about 1,500 tokens at most, large passages first", async () => {
    const files = Array.from(
      { length: 40 },
      (_, at) => [`n/${at}.md`, `# Pompe ${at}\n\n${`La pompe.\n${filler}`.repeat(9)}`] as const,
    );
    const caller = callerOf(temporaryVault(Object.fromEntries(files)));
    const text = textOf(await caller.search("search", { queries: ["pompe"] }));
    expect(text.length / 4).toBeLessThan(1600);
    const blocks = text.split("\n\n").filter((block) => block.startsWith("```"));
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks[0]?.length).toBeGreaterThan(2 * (blocks.at(-1)?.length ?? 0));
  });

  it("leaves out results far below the best, and counts them", async () => {
    const caller = callerOf(
      temporaryVault({
        "a.md": "# Turbine de cave\n\nLa turbine de la cave.\n",
        "b.md": `Une cave. ${"mot ".repeat(300)}\n`,
      }),
    );
    const result = await caller.search("search", { queries: ["turbine de cave"] });
    expect(result.structured).toHaveLength(1);
    expect(textOf(result)).toContain(
      "\n\n1 more result left out to save tokens. For all: limit=2.",
    );
    const all = await caller.search("search", { queries: ["turbine de cave"], limit: 2 });
    expect(all.structured).toHaveLength(2);
  });

  it("says that there are more than may be asked for", async () => {
    const files = Array.from({ length: 60 }, (_, at) => [`n/${at}.md`, "#pompe\n"] as const);
    const caller = callerOf(temporaryVault(Object.fromEntries(files)));
    const result = await caller.search("search", { queries: ["tag:pompe"] });
    const shown = z.array(z.unknown()).parse(result.structured).length;
    expect(textOf(result).split("\n").at(-1)).toBe(
      `More than ${50 - shown} results left out to save tokens. For the first 50: limit=50. For better ones: other words, scopes or dates.`,
    );
    const most = await caller.search("search", { queries: ["tag:pompe"], limit: 50 });
    expect(most.structured).toHaveLength(50);
  });

  it("says of a query that only excludes what to add", async () => {
    const result = await search({ queries: ["-chaudière"] });
    expect(textOf(result)).toBe(
      'Error (invalid_argument): Query 1 ("-chaudière") only says what to leave out. Add words, a filter like tag:x, or dates.',
    );
    expect((await search({ queries: ["-chaudière"], date_from: "2026-01-01" })).isError).toBe(
      false,
    );
    expect((await search({ queries: ["-path:bucket"] })).isError).toBe(false);
  });

  it.each([
    [{ queries: [], date_from: "2026-02-01", date_to: "2026-03-12" }],
    [{ queries: [""], date_from: "2026-02-01", date_to: "2026-03-12" }],
  ])("without words, between dates, lists what happened, newest first: %j", async (args) => {
    const { structured } = await search(args);
    const results = z.array(z.object({ lines: z.string(), updated: z.string() })).parse(structured);
    expect(results.map(({ updated, lines }) => `${updated} ${lines}`)).toEqual([
      "2026-03-12 1-5",
      "2026-02-01 6-9",
    ]);
  });
});

describe("a search for a caller that takes few tokens", () => {
  const names = Array.from(
    { length: 10 },
    (_, at) => [`n/${at}.md`, `# Pump ${at}\n\n${"The pump hums. ".repeat(50)}\n`] as const,
  );
  const vault = (): Vault => temporaryVault(Object.fromEntries(names));

  it("shows the best results, how many are left out, and how to get them", async () => {
    const caller = callerOf(vault(), { mostTokens: 1000 });
    const result = await caller.search("search", { queries: ["pump"] });
    expect(textOf(result).length).toBeLessThan(1000 * 4 + 200);
    const shown = z.array(z.unknown()).parse(result.structured).length;
    expect(shown).toBeGreaterThan(1);
    expect(textOf(result).split("\n").at(-1)).toBe(
      `${10 - shown} more results left out to save tokens. For all: limit=10. For better ones: other words, scopes or dates.`,
    );
  });

  it("shows all of them when a limit is given", async () => {
    const caller = callerOf(vault(), { mostTokens: 1000 });
    const { structured } = await caller.search("search", { queries: ["pump"], limit: 10 });
    expect(structured).toHaveLength(10);
  });
});
