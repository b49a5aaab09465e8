/**
 * Run as a process: adds lines to one file of a vault, each with a look at the file first. Arguments: root, state, the writer's name,
 * how many lines.
 */
import { retryWhenChanged } from "../../vault/write/atomic-write.ts";
import { createVault } from "../../vault/vault.ts";

const [root = "", state = "", name = "", count = "0"] = process.argv.slice(2);
const vault = createVault({ root, state });
process.stdout.write("ready\n");
for (let line = 0; line < Number(count); line += 1) {
  await retryWhenChanged(async () =>
    vault.change({ actor: name, call: "append", batch: null }, async (change) => {
      const seen = await change.readWhole("a.md");
      // Time for another writer to come in between, if anything lets it.
      await new Promise((next) => setImmediate(next));
      await change.writer.update(seen, Buffer.from(`${seen.text}${name} ${line}\n`));
    }),
  );
}
vault.close();
