/** Run as a process: takes back a batch of the history. Arguments: root, state, batch. */
import { createVault } from "../../vault/vault.ts";

const [root = "", state = "", batch = ""] = process.argv.slice(2);
const vault = createVault({ root, state });
process.stdout.write("undoing\n");
await vault.undo(batch, { actor: "child", force: false });
vault.close();
