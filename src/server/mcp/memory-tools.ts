import { z } from "zod";

import type { InboxItem, InboxItemText, OnRunEvent } from "../../agents/contract.ts";
import type { UpdateView } from "../api/agent-contract.ts";
import type { VaultClient } from "../client/vault-client.ts";

/** What a tool of the memory may use. */
export interface MemoryContext {
  readonly memory: VaultClient;
  /** Who calls, for the history. */
  readonly client: string;
  /** Hears of each step, so that who waits knows that something happens. */
  readonly onEvent: OnRunEvent;
}

/** A tool for clients that should not spend their context on files. */
export interface MemoryTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly isReading: boolean;
  invoke(args: unknown, context: MemoryContext): Promise<string>;
}

function memoryTool<Input extends z.ZodObject>(
  definition: Omit<MemoryTool, "invoke"> & {
    readonly input: Input;
    readonly run: (input: z.infer<Input>, context: MemoryContext) => Promise<string>;
  },
): MemoryTool {
  const { run, ...facts } = definition;
  return {
    ...facts,
    invoke: async (args, context) => run(definition.input.parse(args), context),
  };
}

/** Milliseconds. Filing without a model takes less; with one, who hands something over need not wait. */
const SOON = 2000;

const remember = memoryTool({
  name: "remember",
  description:
    "Hand over what is to be kept: facts, decisions, tasks, a whole text. It is filed where it belongs in the person's vault, or put into the inbox with a question. Say it as fully as you know it, with names and dates.",
  input: z.strictObject({
    content: z.string().min(1).describe("In the person's language. Markdown."),
    inbox_ref: z.string().nullish().describe("The inbox item that this answers."),
    wait: z
      .boolean()
      .nullish()
      .describe("Until it is filed, and be told where; seconds to minutes."),
  }),
  isReading: false,
  run: async ({ content, inbox_ref: inboxRef = null, wait }, { memory, client, onEvent }) => {
    const id = await memory.remember({ content, inboxRef: inboxRef ?? null }, client);
    const ended = memory.follow(id, onEvent);
    // Whoever does not wait does not hear of what goes wrong then; the queue does.
    ended.catch(() => {});
    const update = wait === true ? await ended : await Promise.race([ended, later(SOON)]);
    return update === null ? `Accepted as ${id}: it is safe, and will be filed.` : outcome(update);
  },
});

const recall = memoryTool({
  name: "recall",
  description:
    "Ask what the person's vault knows. Returns a short answer and the sources themselves, with paths and line numbers.",
  input: z.strictObject({
    question: z.string().min(1).describe("A whole question, in plain words."),
  }),
  isReading: true,
  run: async ({ question }, { memory, onEvent }) => (await memory.recall(question, onEvent)).answer,
});

const inbox = memoryTool({
  name: "inbox",
  description:
    "What could not be filed and waits for the person's answer: all of it, or one item with its whole review. To answer, call remember with its inbox_ref.",
  input: z.strictObject({ ref: z.string().nullish().describe("One item.") }),
  isReading: true,
  run: async ({ ref }, { memory }) =>
    ref === undefined || ref === null
      ? listText(await memory.inbox())
      : itemText(await memory.inboxItem(ref)),
});

export const memoryTools: readonly MemoryTool[] = [remember, recall, inbox];

async function later(milliseconds: number): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  setTimeout(() => resolve(null), milliseconds).unref();
  return promise;
}

function outcome({ id, status, report, error }: UpdateView): string {
  if (report === null) return error ?? `${id} is ${status}.`;
  const { text, touched, inbox: ref, batch } = report;
  return [
    text === "" ? "Done." : text,
    ...touched.map(({ path, change }) => `- ${path} (${change})`),
    ...(ref === null ? [] : [`It waits for an answer: inbox_ref ${ref}`]),
    ...(batch === null ? [] : [`The person can take it back: coffre undo ${batch}`]),
  ].join("\n");
}

function listText(items: readonly InboxItem[]): string {
  if (items.length === 0) return "Nothing waits.";
  const texts = items.map(({ ref, title, question }) =>
    [`- ${ref}: ${title}`, ...(question === null ? [] : [`  ${question}`])].join("\n"),
  );
  return texts.join("\n");
}

function itemText({ path, review, originals }: InboxItemText): string {
  const shown = review === "" ? `${path} has no review.` : review;
  return [shown, ...(originals.length === 0 ? [] : ["", "Originals:", ...originals])].join("\n");
}
