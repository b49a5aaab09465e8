/**
 * Run as a process: keeps writing one of two contents of the same size over a file, in place, until the time is over.
 * Arguments: the file, its size, milliseconds.
 */
import { closeSync, openSync, writeSync } from "node:fs";

const [file = "", size = "0", time = "0"] = process.argv.slice(2);
const contents = ["x", "y"].map((letter) => Buffer.alloc(Number(size), letter));
process.stdout.write("writing\n");
const end = performance.now() + Number(time);
for (let round = 0; performance.now() < end; round += 1) {
  try {
    const fd = openSync(file, "r+");
    writeSync(fd, contents[round % 2] ?? Buffer.alloc(0), 0);
    closeSync(fd);
  } catch {
    // Removed at this moment: it comes back.
  }
}
