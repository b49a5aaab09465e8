/** Run as a process: owns a vault and answers for it until it is killed. Arguments: root, state. */
import { acquireOwnership } from "../../jobs/owner/owner-lock.ts";
import { MemoryIndex } from "../../index/create-index.ts";
import { createApp } from "../../server/api/app.ts";
import { startLocalServer } from "../../server/http/http-server.ts";
import { createVault } from "../../vault/vault.ts";

const [root = "", state = ""] = process.argv.slice(2);
const vault = createVault({ root, state });
const ownership = acquireOwnership(vault.state);
const nothing = { changed: 0, gone: 0 };
const service = {
  vault,
  index: new MemoryIndex(),
  settle: async () => {},
  settled: async () => {},
  rescan: async () => nothing,
  onDone: () => () => {},
  surveyed: async () => true,
  status: async () => {
    throw new Error("this one has nothing to tell");
  },
};
const app = createApp({ service, version: "1.2.3", now: () => new Date(), onBug: () => {} });
const { endpoint } = await startLocalServer(app, vault.state);
ownership?.publish({ endpoint, version: "1.2.3", started: "then" });
process.stdout.write("serving\n");
