/**
 * Captures a folder of notes: copies each markdown file into the vault's bucket, once.
 *
 *     node examples/capture-folder.ts VAULT STATE FOLDER
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

// In a program of your own: from "coffre".
import { callTool, createService, createSession } from "../src/index.ts";

const [root = "", state = "", folder = ""] = process.argv.slice(2);
const service = await createService({ root, state, isWatching: false });
const { vault, index } = service;
const session = createSession("capture-folder");
const context = {
  profile: "update",
  vault,
  index,
  session,
  now: () => new Date(),
  batch: null,
} as const;

try {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".md"))) {
    const content = readFileSync(path.join(folder, name), "utf8");
    // A file that is there already is refused: nothing is ever replaced unread.
    const result = await callTool("write", { path: `vault/bucket/${name}`, content }, context);
    const [said] = result.content;
    console.log(said?.type === "text" ? said.text : name);
  }
  await service.settled();
} finally {
  await service.close();
}
