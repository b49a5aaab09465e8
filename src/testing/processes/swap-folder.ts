/**
 * Run as a process: keeps swapping a folder with a link to another one, by renames, until the time is over.
 * Arguments: the folder, the folder outside that the link leads to, milliseconds.
 */
import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";

const [folder = "", outside = "", time = "0"] = process.argv.slice(2);
const [held, link] = [`${folder}.held`, `${folder}.link`];
if (!existsSync(link)) symlinkSync(outside, link);
let aside = 0;

/** Renames to the folder's place. What others made there in the instant it was free is put aside. */
function put(from: string): void {
  for (;;) {
    try {
      renameSync(from, folder);
      return;
    } catch {
      aside += 1;
      renameSync(folder, `${folder}.aside-${aside}`);
    }
  }
}

/** Renames from the folder's place. An empty folder may have been taken away meanwhile: then there is one again. */
function take(to: string): void {
  try {
    renameSync(folder, to);
  } catch {
    mkdirSync(folder, { recursive: true });
    renameSync(folder, to);
  }
}

process.stdout.write("swapping\n");
const end = performance.now() + Number(time);
let swaps = 0;
for (; performance.now() < end; swaps += 1) {
  take(held);
  put(link);
  take(link);
  put(held);
}
process.stdout.write(`${swaps} swaps\n`);
