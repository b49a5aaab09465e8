/** Run as a process: makes one file in a vault and prints the code of the refusal, or `done`. Arguments: root, state, path. */
import { parsePath } from "../../vault/paths.ts";
import { createVault } from "../../vault/vault.ts";
import { codeOf } from "../expected-error.ts";

const [root = "", state = "", input = ""] = process.argv.slice(2);
const vault = createVault({ root, state });
const code = await codeOf(async () =>
  vault.change({ actor: "child", call: "write", batch: null }, async ({ writer }) =>
    writer.create(parsePath(input).path, Buffer.from("neuf\n")),
  ),
);
vault.close();
process.stdout.write(code);
