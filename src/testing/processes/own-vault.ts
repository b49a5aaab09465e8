/**
 * Run as a process: asks to own a vault, says whether it does, and ends when told. Arguments: the state folder; a folder with the files
 * that tell it what to do (`go`: ask now, `stop`: end).
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { acquireOwnership } from "../../jobs/owner/owner-lock.ts";

const [state = "", signs = ""] = process.argv.slice(2);

async function told(sign: string): Promise<void> {
  while (!existsSync(path.join(signs, sign))) await wait(2);
}

process.stdout.write("ready\n");
await told("go");
const ownership = acquireOwnership(state);
ownership?.publish({ endpoint: `${signs}/socket`, version: "1.2.3", started: "then" });
process.stdout.write(ownership === null ? "refused\n" : "owner\n");
process.stdout.write("asked\n");
await told("stop");
ownership?.release();
