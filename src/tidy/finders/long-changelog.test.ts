import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { longChangelog } from "./long-changelog.ts";

const PATH = "projects/a/changelog.md";
const long = "word ".repeat(60);

/** So many days, the newest first, each of about 900 characters. */
function days(year: number, count: number, mark = "[decision]"): string {
  const day = (at: number): string =>
    new Date(Date.UTC(year, 0, 1 + at)).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, at) => {
    const title = at % 10 === 0 ? `${mark} Choice ${year} ${at}` : `Event ${year} ${at}`;
    return `# ${day(count - at)}\n\n## ${title}\n${long}\n${long}\n${long}\n`;
  }).join("\n");
}

it("moves years gone by to files of their own, with an index of decisions, and leads links there", async () => {
  const files = {
    [PATH]: `${days(2026, 40)}\n${days(2025, 150)}\n${days(2024, 60)}`,
    "projects/a/state.md":
      "See [[projects/a/changelog#decision Choice 2025 0]], [[changelog#2026-02-10]] and [here](changelog.md#Event%202024%201).\n",
    "changelog.md":
      "# 2026-11-01\n\n## New\nx\nReplaces: [[projects/a/changelog#2025-05-31#decision Choice 2025 0]] (word)\n",
    "overview.md": "See [[projects/a/changelog#Event 2025 3|then]] and [[projects/a/changelog]].\n",
  };
  const { find, apply, read } = look(files, longChangelog.find);
  const found = await find();
  expect(found[0]?.title.en).toMatch(
    /^vault\/projects\/a\/changelog\.md has \d+k tokens: 210 days go to changelog-2025\.md, changelog-2024\.md, with an index of decisions$/u,
  );
  await apply(found);
  const kept = read(PATH);
  expect(kept).toBe(
    `${days(2026, 40)}\n# Archive\n\n- [[projects/a/changelog-2025]]\n- [[projects/a/changelog-2024]]\n`,
  );
  const archive = read("projects/a/changelog-2025.md");
  expect(archive).toMatch(
    /^# Decisions\n\n- \[\[projects\/a\/changelog-2025#2025-05-31\|2025-05-31\]\] Choice 2025 0\n/u,
  );
  expect(archive.slice(archive.indexOf("# 2025-"))).toBe(days(2025, 150));
  expect(read("projects/a/state.md")).toBe(
    "See [[projects/a/changelog-2025#decision Choice 2025 0]], [[changelog#2026-02-10]] and [here](changelog-2024.md#Event%202024%201).\n",
  );
  expect(read("changelog.md")).toContain(
    "Replaces: [[projects/a/changelog-2025#2025-05-31#decision Choice 2025 0]] (word)",
  );
  expect(read("overview.md")).toBe(
    "See [[projects/a/changelog-2025#Event 2025 3|then]] and [[projects/a/changelog]].\n",
  );
  expect(await find()).toEqual([]);
});

it("adds to an archive that is there, in French, and merges days on the way", async () => {
  const today = "# 2026-11-02\n\n## Encore la même journée, avec les mots de la maison\noui\n\n";
  const files = {
    [PATH]: `${today}${today}${days(2026, 10, "[décision]")}\n${days(2025, 300, "[décision]")}\n# Archives\n\n- [[projects/a/changelog-2024]]\n`,
    "projects/a/changelog-2025.md":
      "# Décisions\n\n- [[projects/a/changelog-2025#2025-01-01|2025-01-01]] Début\n\n# 2025-01-01\n\n## [décision] Début\nC'est parti.\n",
  };
  const { find, apply, read } = look(files, longChangelog.find);
  await apply(await find());
  const kept = read(PATH);
  expect(kept.match(/^# 2026-11-02$/gmu)).toHaveLength(1);
  expect(kept).toContain(
    "# Archives\n\n- [[projects/a/changelog-2024]]\n- [[projects/a/changelog-2025]]\n",
  );
  const archive = read("projects/a/changelog-2025.md");
  expect(archive.match(/^# Décisions$/gmu)).toHaveLength(1);
  expect(archive).toContain("#2025-01-01|2025-01-01]] Début\n\n# 2025-10-28");
  expect(archive).toMatch(/# 2025-01-01\n\n## \[décision\] Début\nC'est parti\.\n$/u);
  expect(await find()).toEqual([]);
});

it("moves the oldest days of a year that is too long by itself, and never the newest", async () => {
  const { find, apply, read } = look({ [PATH]: days(2026, 300) }, longChangelog.find);
  await apply(await find());
  expect(read(PATH).length).toBeLessThan(110_000);
  expect(read(PATH)).toContain("# 2026-10-28");
  expect(read("projects/a/changelog-2026.md")).toContain("# 2026-01-02");
  expect(await find()).toEqual([]);
});

it.each([
  ["a changelog of a bearable length", { [PATH]: days(2025, 100) }],
  ["one long day", { [PATH]: `# 2026-11-01\n\n${long.repeat(900)}\n` }],
  ["a long changelog without days", { [PATH]: `# 1.0\n\n${long.repeat(900)}\n` }],
  [
    "a vault with another structure",
    { "changelog.md": days(2025, 300), "Areas/changelog.md": days(2025, 300) },
  ],
])("finds nothing in %s", async (_, files) => {
  expect(await titlesOf(files, longChangelog)).toEqual([]);
});
