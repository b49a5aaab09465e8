/**
 * Run as a process: makes a file whenever there is none, as a person's editor might, and counts how many of them were lost: replaced
 * by another file, not moved away. Arguments: the file, milliseconds.
 */
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const [file = "", time = "0"] = process.argv.slice(2);
process.stdout.write("planting\n");
const end = performance.now() + Number(time);
let [planted, lost] = [0, 0];
while (performance.now() < end) {
  try {
    const fd = openSync(file, "wx");
    writeSync(fd, "à la main\n");
    planted += 1;
    await wait(5);
    if (fstatSync(fd).nlink === 0) lost += 1;
    closeSync(fd);
  } catch {
    await wait(0);
  }
}
process.stdout.write(`${planted} planted ${lost} lost\n`);
