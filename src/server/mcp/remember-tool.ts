import { setTimeout as pause } from "node:timers/promises";

import { z } from "zod";

import type { FilingHelp } from "../../agents/client-model/filing-contract.ts";
import { defineTool, textOutput } from "../../tools/define.ts";
import type { UpdateView } from "../api/agent-contract.ts";
import { viewText } from "../api/change-view.ts";
import { questionOf } from "./elicitation.ts";
import { HandedFile, handedFiles } from "./handed-files.ts";
import type { MemoryContext } from "./memory-tools.ts";

/** Milliseconds that `remember` waits by default. Filing without a model takes less; with one, the caller need not wait for it. */
const SHORT_WAIT = 2000;

export const remember = defineTool({
  name: "remember",
  title: "Hand something over",
  description:
    "Hand over what is to be kept: facts, decisions, tasks, a whole text. It is filed where it belongs in the person's vault, or put into the inbox with a question. Say it as fully as you know it, with names and dates.",
  input: z.strictObject({
    content: z.string().min(1).describe("In the person's language. Markdown."),
    files: z.array(HandedFile).max(20).nullish().describe("Files that belong to it."),
    inbox_ref: z.string().nullish().describe("The inbox item that this answers."),
    said_by_person: z
      .boolean()
      .nullish()
      .describe(
        "True only when the person told you this in this conversation. Else it is kept as material, in inbox and buckets.",
      ),
    wait: z
      .boolean()
      .nullish()
      .describe("Wait until it is filed, and return where; seconds to minutes."),
  }),
  effect: "write",
  destructive: false,
  run: async (
    { content, files, inbox_ref: inboxRef, said_by_person: said, wait },
    { memory, client, onEvent, signal, ask, isPreview }: MemoryContext,
  ) => {
    const given = { content, files: handedFiles(files ?? []), inboxRef: inboxRef ?? null };
    const standing = { saidByPerson: said ?? false, preview: isPreview };
    const id = await memory.remember({ ...given, ...standing }, client);
    const ended = memory.follow(id, onEvent, signal);
    // A caller that does not wait gets no error here; the queue keeps it.
    ended.catch(() => {});
    const update =
      wait === true
        ? await ended
        : await Promise.race([ended, pause(SHORT_WAIT, null, { ref: false })]);
    if (update === null) {
      const text = `Accepted as ${id}: it is safe, and will be filed.`;
      return textOutput(text, { id, status: "accepted" });
    }
    const { report } = update;
    const ref = report?.inbox ?? null;
    if (update.status === "preview" || ref === null || report === null)
      return textOutput(outcome(update), update);
    // An agent of coffre's own asks the person; without one, the client's model files it.
    if (report.model !== null) ask(questionOf(await memory.inboxItem(ref)));
    const help = report.model === null ? `\n\n${helpText(await memory.filingHelp(ref))}` : "";
    return textOutput(outcome(update) + help, update);
  },
});

/** What became of an update, for a model. */
export function outcome(update: UpdateView): string {
  if (update.status === "preview") return previewText(update);
  const { id, status, report, error } = update;
  if (report === null) return error ?? `${id} is ${status}.`;
  const { text, touched, inbox: ref, batch } = report;
  return [
    text === "" ? "Done." : text,
    ...touched.map(({ path, change }) => `- ${path} (${change})`),
    ...(ref === null ? [] : [`It waits for an answer: inbox_ref ${ref}`]),
    ...(batch === null ? [] : [`To take it back: undo ${batch}`]),
  ].join("\n");
}

/** What would be changed; the yes is the person's. */
function previewText({ id, report, changes = [] }: UpdateView): string {
  return [
    report?.text ?? "",
    ...changes.map((change) => viewText(change)),
    `Nothing is changed yet. The person accepts it on the page, or with: coffre remember --accept ${id}`,
  ].join("\n\n");
}

function helpText({ ref, rules, projects, passages }: FilingHelp): string {
  const place =
    projects.length === 0
      ? "No project of the vault is close to it."
      : `Likely: ${projects.map((name) => `vault/projects/${name}/`).join(", ")}`;
  return [
    `You can file it yourself now: call the tool file with ref ${ref}. Or call inbox with this ref and ask, and the person says where it belongs.`,
    `## Rules\n\n${rules}`,
    `## Where\n\n${place}`,
    ...(passages === "" ? [] : [`## What the vault has on it\n\n${passages}`]),
  ].join("\n\n");
}
