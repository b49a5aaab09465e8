import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

import type { InboxItem, InboxItemText, OnRunEvent } from "../../agents/contract.ts";
import { stepWords } from "../../agents/step-words.ts";
import { defineTool, textOutput, type ToolFor } from "../../tools/define.ts";
import type { VaultClient } from "../client/vault-client.ts";
import { questionOf, type PersonQuestion } from "./elicitation.ts";
import { file, undo } from "./filing-tools.ts";
import { remember } from "./remember-tool.ts";
import { verify } from "./verify-tool.ts";

/** What a tool of the memory may use. */
export interface MemoryContext {
  readonly memory: VaultClient;
  /** Who calls, for the history. */
  readonly client: string;
  /** Called at each step of a run, so that a waiting client sees progress. */
  readonly onEvent: OnRunEvent;
  /** What is handed over is only tried, and waits for the person's yes. */
  readonly isPreview: boolean;
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Has the client put a question to the person, and its answer filed, instead of what the tool answers; false when the client cannot. */
  readonly ask: (question: PersonQuestion) => boolean;
}

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
  run: async ({ question }, { memory, onEvent, signal }: MemoryContext) => {
    const found = await memory.recall(question, onEvent, signal);
    return textOutput(found.answer, found);
  },
});

const inbox = defineTool({
  name: "inbox",
  title: "What waits for an answer",
  description:
    "What could not be filed and waits for the person's answer: all of it, or one item with its whole review. To answer, call remember with its inbox_ref and said_by_person.",
  input: z.strictObject({
    ref: z.string().nullish().describe("One item."),
    ask: z.boolean().nullish().describe("Ask the person its question now, where that is possible."),
  }),
  // With `ask` the person's answer is filed, and clients call tools that only read without asking.
  effect: "write",
  destructive: false,
  run: async ({ ref, ask: isAsked }, { memory, ask }: MemoryContext) => {
    if (ref === undefined || ref === null) {
      const items = await memory.inbox();
      return textOutput(listText(items), { items });
    }
    const item = await memory.inboxItem(ref);
    if (isAsked === true) ask(questionOf(item));
    return textOutput(itemText(item), item);
  },
});

/** For clients that should not spend their context on files. */
export const memoryTools: readonly ToolFor<MemoryContext>[] = [
  remember,
  recall,
  inbox,
  file,
  undo,
  verify,
];

/** Reports the steps of a run to a client that asked for progress, so that it keeps waiting. */
export function progressTo({ mcpReq }: ServerContext): OnRunEvent {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  let progress = 0;
  return (event) => {
    if (progressToken === undefined || event.type !== "call") return;
    progress += 1;
    const params = { progressToken, progress, message: stepWords(event) };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
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
