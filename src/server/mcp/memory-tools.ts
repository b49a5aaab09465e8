import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

import type { InboxItem, InboxItemText, OnRunEvent } from "../../agents/contract.ts";
import { defineTool, textOutput, type ToolFor } from "../../tools/define.ts";
import type { UpdateView } from "../api/agent-contract.ts";
import type { VaultClient } from "../client/vault-client.ts";

/** What a tool of the memory may use. */
export interface MemoryContext {
  readonly memory: VaultClient;
  /** Who calls, for the history. */
  readonly client: string;
  /** Called at each step of a run, so that a waiting client sees progress. */
  readonly onEvent: OnRunEvent;
}

/** Milliseconds that `remember` waits by default. Filing without a model takes less; with one, the caller need not wait for it. */
const SHORT_WAIT = 2000;

const remember = defineTool({
  name: "remember",
  title: "Hand something over",
  description:
    "Hand over what is to be kept: facts, decisions, tasks, a whole text. It is filed where it belongs in the person's vault, or put into the inbox with a question. Say it as fully as you know it, with names and dates.",
  input: z.strictObject({
    content: z.string().min(1).describe("In the person's language. Markdown."),
    inbox_ref: z.string().nullish().describe("The inbox item that this answers."),
    wait: z
      .boolean()
      .nullish()
      .describe("Wait until it is filed, and return where; seconds to minutes."),
  }),
  effect: "write",
  destructive: false,
  run: async (
    { content, inbox_ref: inboxRef = null, wait },
    { memory, client, onEvent }: MemoryContext,
  ) => {
    const id = await memory.remember({ content, inboxRef: inboxRef ?? null }, client);
    const ended = memory.follow(id, onEvent);
    // A caller that does not wait gets no error here; the queue keeps it.
    ended.catch(() => {});
    const update = wait === true ? await ended : await Promise.race([ended, later(SHORT_WAIT)]);
    const text =
      update === null ? `Accepted as ${id}: it is safe, and will be filed.` : outcome(update);
    return textOutput(text, update ?? { id, status: "accepted" });
  },
});

const recall = defineTool({
  name: "recall",
  title: "Ask the vault",
  description:
    "Ask what the person's vault knows. Returns a short answer and the sources themselves, with paths and line numbers.",
  input: z.strictObject({
    question: z.string().min(1).describe("A whole question, in plain words."),
  }),
  effect: "read",
  destructive: false,
  run: async ({ question }, { memory, onEvent }: MemoryContext) => {
    const found = await memory.recall(question, onEvent);
    return textOutput(found.answer, found);
  },
});

const inbox = defineTool({
  name: "inbox",
  title: "What waits for an answer",
  description:
    "What could not be filed and waits for the person's answer: all of it, or one item with its whole review. To answer, call remember with its inbox_ref.",
  input: z.strictObject({ ref: z.string().nullish().describe("One item.") }),
  effect: "read",
  destructive: false,
  run: async ({ ref }, { memory }: MemoryContext) => {
    if (ref === undefined || ref === null) {
      const items = await memory.inbox();
      return textOutput(listText(items), { items });
    }
    const item = await memory.inboxItem(ref);
    return textOutput(itemText(item), item);
  },
});

/** For clients that should not spend their context on files. */
export const memoryTools: readonly ToolFor<MemoryContext>[] = [remember, recall, inbox];

/** Reports the steps of a run to a client that asked for progress, so that it keeps waiting. */
export function progressTo({ mcpReq }: ServerContext): OnRunEvent {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  let progress = 0;
  return (event) => {
    if (progressToken === undefined || event.type !== "call") return;
    progress += 1;
    const params = { progressToken, progress, message: event.tool };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

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
