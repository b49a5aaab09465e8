import { z } from "zod";

import { FilingChange } from "../../agents/client-model/filing-contract.ts";
import { ExpectedError } from "../../errors.ts";
import { defineTool, textOutput } from "../../tools/define.ts";
import type { MemoryContext } from "./memory-tools.ts";

export const file = defineTool({
  name: "file",
  title: "File what waits",
  description:
    "File an item of the inbox yourself, as remember or inbox proposed it: a list of changes, done together or not at all. The item is gone afterwards. Nothing can be deleted or replaced unseen.",
  input: z.strictObject({
    ref: z.string().describe("The inbox item."),
    changes: z.array(FilingChange).min(1).max(50).describe("In the order they are made."),
  }),
  effect: "write",
  destructive: true,
  run: async ({ ref, changes }, { memory, client, isPreview }: MemoryContext) => {
    if (isPreview) throw onlyProposes();
    const filed = await memory.file(ref, changes, client);
    const lines = filed.touched.map(({ path, change }) => `- ${path} (${change})`);
    const text = ["Filed.", ...lines, `To take it back: undo ${filed.batch}`].join("\n");
    return textOutput(text, filed);
  },
});

export const undo = defineTool({
  name: "undo",
  title: "Take something back",
  description:
    "Take back what remember or file did for you, all of one run: its id stands at the end of their answer. Refused when a file was changed since.",
  input: z.strictObject({ id: z.string().min(1).describe("As remember or file gave it.") }),
  effect: "write",
  destructive: true,
  run: async ({ id }, { memory, client, isPreview }: MemoryContext) => {
    if (isPreview) throw onlyProposes();
    const undone = await memory.undoOwn(id.replace(/^undo\s+/u, ""), client);
    const count = undone.changes.length;
    return textOutput(`Taken back: ${count === 1 ? "1 change" : `${count} changes`}.`, undone);
  },
});

/** What these tools do cannot be tried first. */
function onlyProposes(): ExpectedError {
  return new ExpectedError(
    "protected",
    "This client only proposes changes; the person files and takes back: on the page, or with coffre inbox and coffre undo.",
  );
}
