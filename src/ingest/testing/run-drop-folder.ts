/**
 * Run as a process: ingests what is in the drop folder of a vault, and prints `settled` when nothing waits. Arguments: the vault's
 * folder, its state folder. To be killed at any moment.
 */
import { createVault } from "../../vault/vault.ts";
import { DropFolder } from "../intake/drop-folder.ts";
import { createIngest } from "../ingest.ts";

const [root = "", state = ""] = process.argv.slice(2);
const vault = createVault({ root, state });
const ingest = createIngest({ vault, now: () => new Date() });
const drop = new DropFolder({ vault, ingest, quiet: 20 });
process.stdout.write("started\n");
drop.look();
await drop.settled();
process.stdout.write("settled\n");
vault.close();
