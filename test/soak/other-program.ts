import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { anyBody, anyNote, anyWords } from "./load.ts";
import type { Door, DoorOptions } from "./doors.ts";

/** As many as this stay of what only ever grows. */
const MOST = 40;
const MOST_BYTES = 20_000;

/** Another program at work in the vault's folder; it also removes what would only grow, as a person does. */
export function otherProgram({ place, random }: DoorOptions): Door {
  const at = (name: string): string => path.join(place.root, name);
  const save = (name: string, text: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const deeds: readonly (readonly [number, () => void])[] = [
    [4, () => save(anyNote(random), anyBody(random))],
    [
      3,
      () => {
        const name = `disk/${random.below(30)}.md`;
        save(`${name}.tmp`, anyBody(random));
        renameSync(at(`${name}.tmp`), at(name));
      },
    ],
    [3, () => appendFileSync(at(`disk/journal.md`), `- ${anyWords(random)}\n`)],
    [1, () => rmSync(at(`disk/${random.below(30)}.md`), { force: true })],
    [1, () => save(`drop/${random.below(1000)}.txt`, anyBody(random))],
    [0.5, () => renameSync(at("disk/folder"), at("disk/other folder"))],
    [0.5, () => renameSync(at("disk/other folder"), at("disk/folder"))],
    [1, () => save(`disk/folder/${random.below(5)}.md`, anyBody(random))],
    [2, () => keepSize(place.root)],
  ];
  return {
    name: "another program",
    every: 250,
    act: async () => {
      try {
        random.weighed(deeds)?.();
      } catch {
        // What it wanted to rename is not there at the moment.
      }
    },
  };
}

/** Leaves the newest of what every door adds to. */
export function keepSize(root: string): void {
  for (const folder of ["inbox", "bucket", "disk/drop"]) {
    const place = path.join(root, folder);
    const known = entries(place).map((name) => {
      const file = path.join(place, name);
      return { file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
    });
    const old = known.toSorted((a, b) => b.time - a.time).slice(MOST);
    for (const { file } of old) rmSync(file, { recursive: true, force: true });
  }
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const file = path.join(root, name);
    const size = statSync(file, { throwIfNoEntry: false });
    if (size?.isFile() === true && size.size > MOST_BYTES && path.basename(file) !== "tree.md")
      writeFileSync(file, "# Begun again\n");
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}
