import fc from "fast-check";
import { expect, it } from "vitest";

import { parseScope } from "../../index/scope.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import { find, places, put } from "./search-index-suite.ts";

const OLD = "# 2026-11-03\n\n## [decision] Polmear does the electrics\nThe cost of it is £4,280.\n";
const NEW = `# 2026-11-16

## More for the sockets
Now £4,510.
Replaces: [[projects/loft/changelog#decision Polmear does the electrics]] (£4,280)
`;
const LOFT = "projects/loft/changelog.md";

/** What any engine must do with facts that other facts replaced. */
export function describeReplacements(open: () => SearchIndex | Promise<SearchIndex>): void {
  it("puts what replaced a passage above it, though it has none of the words", async () => {
    const index = await open();
    await put(index, LOFT, OLD);
    await put(index, "changelog.md", NEW);
    for (const mode of ["fast", "deep"] as const) {
      const hits = await find(index, "electrics cost", { mode });
      expect(hits.map(({ path }) => path)).toEqual(["changelog.md", LOFT]);
      expect(hits.map(({ replaced }) => replaced)).toEqual([
        null,
        { path: "changelog.md", lines: { start: 1, end: 5 }, date: "2026-11-16", value: "£4,280" },
      ]);
      expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? 1);
    }
    expect(await places(index, "electrics cost", { limit: 1 })).toEqual(["changelog.md:1-5"]);
  });

  it("says what replaces lines of a file, and nothing of other lines", async () => {
    const index = await open();
    await put(index, LOFT, `${OLD}\n## Paint\nGrey.\n`);
    await put(index, "changelog.md", NEW);
    const of = async (start: number, end: number): Promise<unknown[]> =>
      index.replacements.of(LOFT, { start, end });
    expect(await of(4, 4)).toEqual([
      { path: "changelog.md", lines: { start: 1, end: 5 }, date: "2026-11-16", value: "£4,280" },
    ]);
    expect(await of(6, 7)).toEqual([]);
    expect(await index.replacements.of("changelog.md", { start: 1, end: 5 })).toEqual([]);
  });

  it("lists every line that replaces something, with the file that it means", async () => {
    const index = await open();
    await put(index, LOFT, OLD);
    await put(index, "changelog.md", `${NEW}Remplace : [[nowhere#x]]\n`);
    expect(await index.replacements.stated()).toEqual([
      { from: "changelog.md", line: 5, to: LOFT, value: "£4,280" },
      { from: "changelog.md", line: 6, to: null, value: null },
    ]);
  });

  it("ranks the old passage as before when the entry is taken back", async () => {
    const index = await open();
    await put(index, LOFT, OLD);
    const before = await find(index, "electrics cost");
    await put(index, "changelog.md", NEW);
    expect(await find(index, "electrics cost")).not.toEqual(before);
    await index.remove("changelog.md");
    expect(await find(index, "electrics cost")).toEqual(before);
    await put(index, "changelog.md", NEW);
    await put(index, "changelog.md", NEW.replace(/^Replaces.*\n/mu, ""));
    expect(await places(index, "electrics cost")).toEqual([`${LOFT}:1-4`]);
  });

  it("keeps what replaced a passage out where a scope, date, filter or excluded word does", async () => {
    const index = await open();
    await put(index, LOFT, OLD);
    await put(index, "changelog.md", NEW);
    const scope = [parseScope("vault/projects/**")];
    for (const more of [{ scope }, { to: "2026-11-10" }]) {
      const hits = await find(index, "electrics cost", more);
      expect(hits.map(({ path, replaced }) => [path, replaced?.path])).toEqual([
        [LOFT, "changelog.md"],
      ]);
    }
    expect(await places(index, "electrics cost -sockets")).toEqual([`${LOFT}:1-4`]);
    expect(await places(index, "electrics path:loft")).toEqual([`${LOFT}:1-4`]);
  });

  it("follows a chain: the newest first, and ends where passages replace each other", async () => {
    const index = await open();
    const entry = (heading: string, text: string, older?: string): string =>
      `## ${heading}\n${text}\n${older === undefined ? "" : `Remplace : [[#${older}]]\n`}\n`;
    const chain = entry("One", "pompe bleue") + entry("Two", "verte", "One");
    await put(index, "changelog.md", `# 2026-01-01\n\n${chain}${entry("Three", "grise", "Two")}`);
    expect(await places(index, "pompe bleue")).toEqual([
      "changelog.md:10-13",
      "changelog.md:6-9",
      "changelog.md:1-5",
    ]);
    await put(index, "a/changelog.md", "## A\nvanne\nReplaces: [[b/changelog#B]]\n");
    await put(index, "b/changelog.md", "## B\nvanne\nReplaces: [[a/changelog#A]]\n");
    expect(await places(index, "vanne")).toHaveLength(2);
  });

  it("follows a note that moved, when its links are rewritten", async () => {
    const index = await open();
    await put(index, LOFT, OLD);
    await put(index, "changelog.md", NEW);
    await index.move(LOFT, "archive/2026.md");
    expect((await find(index, "electrics cost"))[0]?.replaced).toBeNull();
    await put(index, "changelog.md", NEW.replace("projects/loft/changelog", "archive/2026"));
    expect((await places(index, "electrics cost"))[0]).toBe("changelog.md:1-5");
  });

  it("takes no word for it from raw material", async () => {
    const index = await open();
    await put(index, LOFT, OLD);
    await put(index, "projects/loft/bucket/mail.md", NEW);
    await put(index, "code.md", `\`\`\`\n${NEW}\`\`\`\n`);
    const hit = (await find(index, "electrics cost")).find(({ path }) => path === LOFT);
    expect(hit?.replaced).toBeNull();
  });

  it("never ranks a replaced passage above its replacement, whatever replaces what", async () => {
    const word = fc.constantFrom("pompe", "cave", "vanne", "puits", "filtre", "niveau");
    const entry = fc.record({
      words: fc.array(word, { minLength: 1, maxLength: 6 }),
      file: fc.constantFrom("changelog.md", "projects/a/changelog.md", "projects/b/notes.md"),
      older: fc.option(fc.nat(9)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 2, maxLength: 10 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.record({
          mode: fc.constantFrom("fast" as const, "deep" as const),
          scope: fc.constantFrom(null, [parseScope("vault/projects/**")]),
          limit: fc.integer({ min: 1, max: 12 }),
        }),
        async (entries, query, request) => {
          const index = await open();
          const replaced = entries.map(({ older }, at) =>
            older !== null && older < at ? older : null,
          );
          const texts = new Map<string, string>();
          for (const [at, { words, file }] of entries.entries()) {
            const older = replaced[at] ?? null;
            const target = older === null ? null : entries[older]?.file.replace(".md", "");
            const line = target === null ? "" : `Replaces: [[/${target}#Entry ${older}]]\n`;
            const text = `## Entry ${at}\n${words.join(" ")}\n${line}\n`;
            texts.set(file, text + (texts.get(file) ?? ""));
          }
          for (const [file, text] of texts) await put(index, file, text);
          const found = await find(index, query.join(" "), request);
          const names = found.map(({ headings }) =>
            Number(/\d+$/u.exec(headings.at(-1) ?? "")?.[0]),
          );
          for (const [at, older] of replaced.entries()) {
            if (older === null || !names.includes(older)) continue;
            const path = entries[at]?.file ?? "";
            expect(found[names.indexOf(older)]?.replaced).not.toBeNull();
            if (request.scope !== null && !path.startsWith("projects/")) continue;
            expect(names.slice(0, names.indexOf(older))).toContain(at);
          }
          const scores = found.map(({ score }) => score);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        },
      ),
      { numRuns: 40 },
    );
  });
}
