/** Adds lines to a file as a shell would, opening it for each: `append-often.ts FILE COUNT`, within about a second. */
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const [file = "", count = "0"] = process.argv.slice(2);
for (let round = 0; round < Number(count); round += 1) {
  appendFileSync(file, `ligne ${round}\n`);
  if (round % 10 === 0) await pause(10);
}
