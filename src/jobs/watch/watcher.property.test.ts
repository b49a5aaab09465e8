import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { startChild } from "../../testing/processes/child.ts";
import { isUnder, joinPath } from "../../vault/paths.ts";
import { churner, randomFrom } from "../testing/random-operations.ts";
import { PATIENCE, watched, type Scene } from "../testing/watched-folder.ts";
import { statsOf } from "./watch-disk.ts";

type Contents = Map<string, string>;

/** Every file under a folder with what it holds. */
function contentsOf(root: string, folder = "", found: Contents = new Map()): Contents {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const each = joinPath(folder, entry.name);
    if (entry.isDirectory()) contentsOf(root, each, found);
    else found.set(each, readFileSync(path.join(root, each), "utf8"));
  }
  return found;
}

function foldersIn(root: string): string[] {
  const below = readdirSync(root, { withFileTypes: true, recursive: true });
  const folders = below.filter((entry) => entry.isDirectory());
  return [root, ...folders.map((entry) => path.join(entry.parentPath, entry.name))];
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** What a caller knows who looks at what is reported, and at nothing else. */
function lookAt(root: string, paths: ReadonlySet<string>, known: Contents): void {
  for (const each of paths) {
    const place = path.join(root, each);
    const isFolder = statsOf(place)?.isDirectory() === true;
    const content = isFolder ? null : readIfThere(place);
    if (content !== null) {
      known.set(each, content);
      continue;
    }
    // Gone, or a new folder: nothing is below it but what is named.
    for (const other of known.keys()) {
      if (isUnder(other, each) && !(isFolder && other !== each && paths.has(other))) {
        known.delete(other);
      }
    }
  }
}

interface KnownScene extends Scene {
  readonly known: Contents;
}

async function watchedAndKnown(files: Readonly<Record<string, string>>): Promise<KnownScene> {
  const known: Contents = new Map(Object.entries(files));
  const scene = await watched(files, {
    onChanges: ({ paths }) => lookAt(scene.root, paths, known),
  });
  return { ...scene, known };
}

/** What is known is what is there, and every folder is watched, also by a trial. */
async function expectAllKnown({
  root,
  known,
  watcher,
  clear,
  reported,
}: KnownScene): Promise<void> {
  await vi.waitFor(() => {
    expect(known).toEqual(contentsOf(root));
    expect(watcher.folders).toBe(foldersIn(root).length);
  }, PATIENCE);
  clear();
  const trials = foldersIn(root).map((each) => path.join(each, "trial.md"));
  for (const trial of trials) writeFileSync(trial, "");
  await reported(...trials.map((trial) => path.relative(root, trial)));
}

describe("whoever looks at what is reported knows the disk", () => {
  it.each([1, 2, 3, 4, 5, 6])("after 300 changes at random, seed %i", async (seed) => {
    const scene = await watchedAndKnown({});
    const random = randomFrom(seed);
    const change = churner(scene.root, random);
    for (let done = 0; done < 300; done += 1) {
      change();
      // Reports come between the changes, and also in the midst of many.
      if (random(4) === 0) await wait(random(8));
    }
    await expectAllKnown(scene);
    expect(scene.problems).toEqual([]);
  });

  it.each([1, 2, 3])("after two processes made changes at once, seed %i", async (seed) => {
    const scene = await watchedAndKnown({});
    const script = new URL("../testing/churn.ts", import.meta.url);
    const children = [seed, seed + 100].map((each) =>
      startChild(script, [scene.root, String(each), "1500"]),
    );
    onTestFinished(async () => {
      await Promise.all(children.map(async (child) => child.kill()));
    });
    await Promise.all(children.map(async (child) => child.finished()));
    // A machine that is very busy may not keep up; then it says so, and a caller looks at everything.
    if (scene.calls.some(({ isBurst }) => isBurst)) {
      await scene.settled();
      scene.watcher.rescan();
      scene.known.clear();
      for (const [file, content] of contentsOf(scene.root)) scene.known.set(file, content);
    }
    await expectAllKnown(scene);
    expect(scene.problems).toEqual([]);
  });

  it("after 2,000 atomic writes of 200 files", async () => {
    const names = Array.from({ length: 200 }, (_, i) => `${i % 10}/${i}.md`);
    const scene = await watchedAndKnown(Object.fromEntries(names.map((name) => [name, ""])));
    for (let round = 1; round <= 10; round += 1) {
      scene.clear();
      for (const name of names) {
        const target = scene.at(name);
        const temporary = path.join(path.dirname(target), `.${path.basename(target)}.tmp`);
        writeFileSync(temporary, `round ${round}`);
        renameSync(temporary, target);
      }
      await scene.reported(...names);
    }
    await expectAllKnown(scene);
    expect(new Set(scene.known.values())).toEqual(new Set(["round 10", ""]));
  });
});
