/** Run as a process: takes the right to write to a vault and never gives it back. Arguments: root, state. */
import { setTimeout as wait } from "node:timers/promises";

import { createVault } from "../../vault/vault.ts";

const [root = "", state = ""] = process.argv.slice(2);
const vault = createVault({ root, state });
await vault.change({ actor: "holder", call: "hold", batch: null }, async ({ writer }) => {
  await writer.create("tenu.md", Buffer.from("tenu\n"));
  process.stdout.write("holding\n");
  await wait(60_000);
});
