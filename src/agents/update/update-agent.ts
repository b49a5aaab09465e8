import { toolsOf } from "../../tools/registry.ts";
import type { ChangeGuard } from "../../vault/history/history-types.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { countTokens } from "../../text/tokens.ts";
import { callAsUpdater, UPDATE_ACTOR, type WritingParts } from "../agent-context.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { firstContext } from "../first-context.ts";
import { itemFolder } from "../inbox/inbox.ts";
import type { RunLimits } from "../limits.ts";
import { runLoop, type LoopResult } from "../loop.ts";
import { freshItem, keepOriginals, titleOf } from "../inbox/originals.ts";
import { instructionsFor } from "../prompts.ts";
import type { OnRunEvent } from "../contract.ts";
import { KNOWN, settleInbox, type Ended } from "../inbox/settle-inbox.ts";
import type { UpdateInput } from "../contract.ts";
import { answerMessage, materialMessage } from "./update-messages.ts";
import { answeringGuard, untrustedGuard } from "./write-guards.ts";

export interface UpdateRun extends WritingParts {
  readonly model: ChatModel;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

export interface Filed {
  readonly text: string;
  /** The item that waits for an answer; null when all is filed. */
  readonly inbox: string | null;
  readonly steps: number;
  readonly usage: LoopResult["usage"];
}

/** A longer text is put into the vault by the program: a model that had to type it again would cost more, and make mistakes. */
const LONG_TEXT = 500;

/** Has a model file what came in. What it could not, or was not sure of, is in the inbox when this returns. */
export async function runUpdateAgent(input: UpdateInput, run: UpdateRun): Promise<Filed> {
  const { vault, model, limits, signal, onEvent, now } = run;
  const answered = input.inboxRef === null ? null : await itemFolder(vault, input.inboxRef);
  const ready = await putReady(input, run);
  const guard = guardFor(input, { answered, ready });
  const tools = toolsOf("update");
  const context = await firstContext(vault, now());
  const message =
    answered === null
      ? materialMessage(input, ready)
      : await answerMessage(input, answered, ready, vault);
  const [first, ...rest] = message;
  const result = await runLoop({
    model,
    instructions: instructionsFor("update", tools),
    tools,
    first: [{ type: "text", text: `${context}\n\n${first}` }, ...rest],
    call: callAsUpdater({ ...run, ...(guard === null ? {} : { guard }) }),
    limits,
    signal,
    onEvent,
  });
  const inbox = await settleInbox(input, run, { result, ready, answered });
  const text = result.text.replace(KNOWN, "");
  return { text, inbox, steps: result.steps, usage: result.usage };
}

function guardFor(
  input: UpdateInput,
  { answered, ready }: Pick<Ended, "answered" | "ready">,
): ChangeGuard | null {
  if (input.isUntrusted) return untrustedGuard(ready);
  return answered === null ? null : answeringGuard(answered);
}

/** Images and long texts wait in a folder of the inbox, from where the model can move them. */
async function putReady(input: UpdateInput, run: UpdateRun): Promise<VaultPath | null> {
  const isLong = countTokens(input.content) > LONG_TEXT;
  if (input.images.length === 0 && !isLong && !input.isUntrusted) return null;
  const { vault, now, batch } = run;
  const title = titleOf(input);
  const folder = await freshItem(vault, now(), title === "" ? "image" : title);
  await keepOriginals(vault, folder, input, { actor: UPDATE_ACTOR, batch });
  return folder;
}
