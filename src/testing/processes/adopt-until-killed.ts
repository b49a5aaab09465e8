/**
 * Adopts a vault, as `coffre adopt --frontmatter all` does, and kills itself when so many of its notes are stamped: arguments `root state
 * stamps`. The last stamp is whole or never begun; a kill within one is for the tests of atomic writes.
 */
import { createService } from "../../compose.ts";

const [root = "", state = "", stamps = "0"] = process.argv.slice(2);
const service = await createService({ root, state, isWatching: false });
await service.settled();
const { vault } = service;
const stamp = vault.stamp.bind(vault);
let done = 0;
vault.stamp = async (path, decide) => {
  if (done === Number(stamps)) process.kill(process.pid, "SIGKILL");
  done += 1;
  return stamp(path, decide);
};
await service.frontmatter.adopt("all", "person", () => {});
throw new Error(`only ${done} notes were stamped`);
