import { ExpectedError } from "../../errors.ts";
import type { LookingParts } from "../agent-context.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { RunLimits } from "../limits.ts";
import { recallMechanically } from "../without-model/recall-without-model.ts";
import type { OnRunEvent, RecallAnswer } from "../contract.ts";
import { runSearch } from "./search-agent.ts";

export interface RecallParts extends LookingParts {
  /** Opens the model; null when none is configured. Throws an `ExpectedError` when it cannot be used. */
  readonly openModel: () => Promise<ChatModel | null>;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

/** Answers a question from the vault, with the model or without: a model that fails leaves the sources at least. */
export async function recall(question: string, parts: RecallParts): Promise<RecallAnswer> {
  if (!/[\p{L}\p{N}]/u.test(question)) {
    throw new ExpectedError("invalid_argument", "The question has no word in it.");
  }
  let note: string | null = null;
  try {
    const model = await parts.openModel();
    if (model !== null) return await runSearch(question, { ...parts, model });
  } catch (error) {
    parts.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    note = error.message;
    parts.onEvent({ type: "error", message: error.message });
  }
  return recallMechanically(question, parts, note);
}
