/**
 * Run as a process: opens a vault with its memory and works on the queue until it is empty, or until it is killed. Arguments: root, state, the
 * address of a scripted model, and notes to take in first.
 */
import { createService } from "../../compose.ts";

const [root = "", state = "", baseUrl = "", ...notes] = process.argv.slice(2);
const service = await createService({
  frontmatter: "all",
  root,
  state,
  memory: {
    model: { name: "openai-compatible/scripted", baseUrl, apiKey: null },
    onBug: (error) => process.stderr.write(String(error)),
    retries: { attempts: 2, firstWait: 1 },
  },
});
const { memory } = service;
if (memory === null) throw new Error("no memory");
for (const content of notes) {
  const { id } = await memory.remember({ content, from: "child" });
  process.stdout.write(`accepted ${id}\n`);
}
for (const { id } of (await memory.updates.list()).toReversed()) {
  const { status } = await memory.updates.ended(id);
  process.stdout.write(`${id} is ${status}\n`);
}
await service.close();
process.stdout.write("finished\n");
