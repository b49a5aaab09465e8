/**
 * Run as a process: in every folder directly under one, whatever it is called at the moment, keeps swapping a folder `sous` with a
 * link to a folder outside. So it follows what is renamed out of sight, too. Arguments: the folder above, the folder outside,
 * milliseconds.
 */
import { readdirSync, renameSync, symlinkSync } from "node:fs";

const [above = "", outside = "", time = "0"] = process.argv.slice(2);

/** Any of these may fail at any moment: the folder is being moved, removed and created again. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

process.stdout.write("swapping\n");
const end = performance.now() + Number(time);
let swaps = 0;
while (performance.now() < end) {
  for (const name of readdirSync(above)) {
    // Mostly what is out of sight: there the work is done that no check follows.
    if (!name.startsWith(".") && Math.random() < 0.8) continue;
    const inner = `${above}/${name}/sous`;
    for (let round = 0; round < 20; round += 1) {
      if (!attempt(() => renameSync(inner, `${inner}.held`))) break;
      attempt(() => symlinkSync(outside, inner));
      attempt(() => renameSync(inner, `${inner}.link`));
      if (attempt(() => renameSync(`${inner}.held`, inner))) swaps += 1;
    }
  }
}
process.stdout.write(`${swaps} swaps\n`);
