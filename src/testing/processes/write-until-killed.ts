/**
 * Run as a process, until it is killed: makes, changes, moves and removes files of a vault, over and over. Every content ends with a
 * hash of the rest, so that half a file shows. Arguments: root, state, a number to start from.
 */
import { createHash } from "node:crypto";

import { createVault } from "../../vault/vault.ts";
import { create, move, remove, undo, update } from "../suites/changes.ts";
import { codeOf } from "../expected-error.ts";

/** A content that proves to be whole. */
export function wholeContent(seed: number, size: number): string {
  const text = `version ${seed}\n${"contenu ".repeat(size)}\n`;
  return `${text}${createHash("sha256").update(text).digest("hex")}\n`;
}

/** True when a content is one that {@link wholeContent} made. */
export function isWhole(content: string): boolean {
  const text = content.slice(0, -65);
  return content.slice(-65) === `${createHash("sha256").update(text).digest("hex")}\n`;
}

async function writeForEver(root: string, state: string, start: number): Promise<never> {
  const vault = createVault({ root, state });
  process.stdout.write("writing\n");
  for (let round = start; ; round += 1) {
    const name = `f${round % 5}.md`;
    const sizes = [3, 300, 60_000, 200_000];
    const content = wholeContent(round, sizes[round % sizes.length] ?? 1);
    const steps = [
      async () => create(vault, `d${round % 3}/${name}`, content),
      async () => update(vault, `d${round % 3}/${name}`, content),
      async () => update(vault, "grand.md", wholeContent(round, 250_000)),
      async () => move(vault, `d${round % 3}/${name}`, `e${round % 2}/${name}`),
      async () => remove(vault, `e${round % 2}`),
      async () => undo(vault, (await vault.log({ path: null, limit: 1 }))[0]?.id ?? ""),
    ];
    await codeOf(steps[round % steps.length] ?? (async () => null));
  }
}

const [root, state, start] = process.argv.slice(2);
if (import.meta.main && root !== undefined && state !== undefined) {
  await writeForEver(root, state, Number(start));
}
