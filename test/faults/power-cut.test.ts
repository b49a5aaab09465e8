import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { expect, it, onTestFinished } from "vitest";

import { createService } from "../../src/compose.ts";
import { personText } from "../../src/testing/chaos/chaos-text.ts";
import { vaultProblems } from "../../src/testing/vault-problems.ts";
import { createVault } from "../../src/vault/vault.ts";
import { ServiceClient } from "../model/service-client.ts";
import { SyncedDisk, type AfterCut } from "./synced-disk.ts";

/** The person's part of every note, by its path. */
type Notes = Readonly<Record<string, string>>;

interface Act {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly after: Notes;
}

const LONG = `${"word ".repeat(3000)}\n`;
const [ONE, TWO, MORE] = ["One.\n", "Two.\n", "Two.\n\nMore.\n"];

/** Every kind of change, with all that is there after it. An undo is of the one before. */
const ACTS: readonly Act[] = [
  { tool: "write", args: { path: "a.md", content: ONE }, after: { "a.md": ONE } },
  {
    tool: "write",
    args: { path: "new/folder/b.md", content: TWO },
    after: { "a.md": ONE, "new/folder/b.md": TWO },
  },
  {
    tool: "append",
    args: { path: "new/folder/b.md", content: "More.", position: "bottom" },
    after: { "a.md": ONE, "new/folder/b.md": MORE },
  },
  {
    tool: "move",
    args: { from: "a.md", to: "other/place/c.md" },
    after: { "other/place/c.md": ONE, "new/folder/b.md": MORE },
  },
  {
    tool: "write",
    args: { path: "other/place/long.md", content: LONG },
    after: { "other/place/c.md": ONE, "other/place/long.md": LONG, "new/folder/b.md": MORE },
  },
  {
    tool: "move",
    args: { from: "new", to: "other/new" },
    after: {
      "other/place/c.md": ONE,
      "other/place/long.md": LONG,
      "other/new/folder/b.md": MORE,
    },
  },
  {
    tool: "delete",
    args: { path: "other/place/c.md" },
    after: { "other/place/long.md": LONG, "other/new/folder/b.md": MORE },
  },
  { tool: "delete", args: { path: "other" }, after: {} },
  {
    tool: "undo",
    args: {},
    after: { "other/place/long.md": LONG, "other/new/folder/b.md": MORE },
  },
  {
    tool: "write",
    args: { path: "d.md", content: ONE },
    after: { "d.md": ONE, "other/place/long.md": LONG, "other/new/folder/b.md": MORE },
  },
];

/** A change that was acknowledged. */
interface Made {
  readonly id: string;
  readonly after: Notes;
  /** How many syncs had come back by then. */
  readonly syncs: number;
}

async function makeChanges(disk: SyncedDisk, service: ServiceClient): Promise<Made[]> {
  const made: Made[] = [];
  for (const { tool, args, after } of ACTS) {
    const { isError, text, structured } = await (tool === "undo"
      ? service.ask({ kind: "undo", id: made.at(-1)?.id ?? "" })
      : service.call(tool, args));
    expect(isError ? { tool, text } : null).toBeNull();
    made.push({ id: String(Object(structured).history), after, syncs: disk.syncs });
  }
  return made;
}

function notesIn(root: string): Notes {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const notes = names.filter((name) => name.endsWith(".md") && name !== "tree.md");
  return Object.fromEntries(
    notes.map((name) => [name, personText(readFileSync(path.join(root, name), "utf8"))]),
  );
}

const isSame = (one: Notes, other: Notes): boolean => isDeepStrictEqual(one, other);

const namesOf = (notes: Notes): string =>
  Object.entries(notes)
    .map(([name, text]) => `${name} (${text.length})`)
    .toSorted()
    .join(", ");

/** What is wrong after a cut, given the changes that were acknowledged before it and the one under way, if any. */
async function problemsAfter(
  place: { readonly root: string; readonly state: string },
  acknowledged: readonly Made[],
  next: Made | undefined,
): Promise<string[]> {
  const service = await createService({ ...place, frontmatter: "all", quiet: 20 });
  await service.rescan();
  await service.settled();
  await service.close();
  const [before, found] = [acknowledged.at(-1)?.after ?? {}, notesIn(place.root)];
  const isNextMade = next !== undefined && isSame(found, next.after);
  if (!isNextMade && !isSame(found, before)) return [`found ${namesOf(found)}`];

  const problems = await vaultProblems(place.root, place.state);
  const vault = createVault(place);
  try {
    const made = isNextMade ? [...acknowledged, next] : acknowledged;
    for (const { id } of made.toReversed()) await vault.undo(id, { actor: "model", force: false });
    const left = notesIn(place.root);
    return isSame(left, {}) ? problems : [...problems, `not undone: ${namesOf(left)}`];
  } catch (error) {
    return [...problems, `not undone: ${String(error)}`];
  } finally {
    vault.close();
  }
}

it.each(["only what was synced", "all names, synced content"] satisfies AfterCut[])(
  "a power cut before any sync takes no acknowledged change, leaves the next one whole or not made, and all can be undone (%s)",
  async (how) => {
    const scratch = mkdtempSync(path.join(tmpdir(), "coffre-cut-"));
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
    const folder = path.join(scratch, "disk");
    const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
    mkdirSync(root, { recursive: true });
    const disk = new SyncedDisk(folder, scratch);
    const environment = { ...process.env, ...disk.environment };
    const service = await ServiceClient.start({ root, state }, environment);
    const made = await makeChanges(disk, service);
    await service.kill();

    const copy = path.join(scratch, "after");
    const place = { root: path.join(copy, "notes"), state: path.join(copy, "state") };
    const problems: string[] = [];
    for (let turn = 0; turn < disk.syncs; turn += 1) {
      disk.cut(turn, how, copy);
      const acknowledged = made.filter(({ syncs }) => syncs <= turn);
      for (const problem of await problemsAfter(place, acknowledged, made[acknowledged.length]))
        problems.push(`before sync ${turn}, after ${acknowledged.length} changes: ${problem}`);
    }
    expect(problems).toEqual([]);
    // Most cuts were between two acknowledged changes.
    expect(made.at(-2)?.syncs).toBeLessThan(disk.syncs);
  },
);
