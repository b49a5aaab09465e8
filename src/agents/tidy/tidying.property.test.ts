import fc from "fast-check";
import { expect, it } from "vitest";

import type { Files } from "../../testing/temporary-vault.ts";
import { tidyHome } from "./testing/tidy-home.ts";

const day = fc.integer({ min: 1, max: 6 }).map((n) => `2026-11-0${n}`);
const entry = fc.record({ day, words: fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/u) });

const changelog = fc
  .array(entry, { maxLength: 8 })
  .map((entries) => entries.map(({ day: at, words }) => `# ${at}\n\n## ${words}\nx\n`).join("\n"));

const project = fc.record({
  name: fc.constantFrom("loft", "garden", "roof"),
  status: fc.constantFrom("Active", "Paused", "En pause"),
  said: fc.constantFrom("active", "paused", "en pause", null),
  changelog,
  /** Texts of the bucket, by their order: some are the same. */
  bucket: fc.array(fc.constantFrom("one\n", "two\n", "three\n"), { maxLength: 4 }),
  /** A link to a file of the bucket, by a path that it no longer has. */
  hasDeadLink: fc.boolean(),
});

const untidy = fc.record({
  projects: fc.uniqueArray(project, { maxLength: 3, selector: ({ name }) => name }),
  waiting: fc.integer({ min: 0, max: 3 }),
  isFrench: fc.boolean(),
});

type Untidy = typeof untidy extends fc.Arbitrary<infer Given> ? Given : never;

function filesOf({ projects, waiting, isFrench }: Untidy): Files {
  const named = projects.filter(({ said }) => said !== null);
  const lines = named.map(
    ({ name, said }) => `- **${name}** (${said}): [[projects/${name}/state]]`,
  );
  const overview = isFrench
    ? `# Vue\n\n## Projets\n\n${lines.join("\n")}\n\n## Boîte de réception\n\n${waiting} éléments en attente.\n`
    : `# Overview\n\n## Projects\n\n${lines.join("\n")}\n\n## Inbox\n\n${waiting} items waiting.\n`;
  const files = projects.flatMap(({ name, status, changelog: log, bucket, hasDeadLink }) => {
    const at = `projects/${name}`;
    const link = hasDeadLink ? `\n[[old place/${name} unique]]\n` : "";
    return [
      [`${at}/state.md`, `## Status\n\n${status}. More.\n${link}`],
      [`${at}/changelog.md`, log],
      [`${at}/bucket/deep/${name}_unique.md`, `Of ${name} alone.\n`],
      ...bucket.map((text, number) => [`${at}/bucket/${number}.md`, text]),
    ];
  });
  return Object.fromEntries([["overview.md", overview], ...files]);
}

/** The overview above its count of waiting items, which the program keeps right: the item that was answered is one less. */
function aboveCount(overview: string): string {
  return overview
    .replace(/^---\n.*?\n---\n/su, "")
    .replace(/^## (?:Inbox|Boîte de réception)\n.*/msu, "");
}

it("changes no byte outside the inbox by itself, and leaves nothing to propose after a yes", async () => {
  await fc.assert(
    fc.asyncProperty(untidy, async (given) => {
      const home = await tidyHome(filesOf(given));
      const before = home.bytes();
      const { item } = await home.tidy();
      expect(home.bytes()).toEqual(before);
      if (item === null || item.proposals.length === 0) return;
      const { status, report } = await home.answer("yes");
      expect(status).toBe("done");
      expect(await home.service.vault.entries(report?.batch ?? "")).toHaveLength(1);
      const after = await home.tidy();
      expect(after.item?.proposals ?? []).toEqual([]);
      expect(home.bugs).toEqual([]);
      await home.service.close();
    }),
    { numRuns: 8 },
  );
}, 120_000);

it("changes only the files of the numbers that were chosen, and an undo brings every byte back", async () => {
  await fc.assert(
    fc.asyncProperty(
      untidy,
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      async (given, picks) => {
        const home = await tidyHome(filesOf(given));
        const { item } = await home.tidy();
        const chosen = (item?.proposals ?? []).flatMap((proposal, at) =>
          picks[at % picks.length] === true ? [{ proposal, number: at + 1 }] : [],
        );
        if (chosen.length === 0) return;
        const before = home.bytes();
        const overview = aboveCount(home.read("overview.md"));
        const { report } = await home.answer(chosen.map(({ number }) => number).join(","));
        const paths = new Set(
          chosen.flatMap(({ proposal }) => proposal.changes.map(({ path }) => path)),
        );
        const after = home.bytes();
        const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
          (name) => before[name] !== after[name],
        );
        if (!paths.has("overview.md")) expect(aboveCount(home.read("overview.md"))).toBe(overview);
        paths.add("overview.md");
        expect(changed.filter((name) => !paths.has(name))).toEqual([]);
        await home.service.vault.undo(report?.batch ?? "", { actor: "test", force: false });
        await home.service.settled();
        expect(home.bytes()).toEqual(before);
        await home.service.close();
      },
    ),
    { numRuns: 8 },
  );
}, 120_000);
