import { ExpectedError } from "../../errors.ts";
import { countTokens } from "../../text/tokens.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { createSession } from "../../tools/session.ts";
import {
  callAsUpdater,
  runLoop,
  UPDATE_ACTOR,
  type RunControl,
  type UnopenedRun,
  type WritingParts,
} from "../agent-run.ts";
import { NO_USAGE, type UpdateInput, type UpdateReport } from "../contract.ts";
import {
  freshItem,
  inboxItem,
  isUntrustedItem,
  itemFolder,
  keepOriginals,
} from "../inbox/inbox.ts";
import { markAdded } from "../inbox/untrusted-mark.ts";
import { callWithin } from "./call-within.ts";
import { updateContext } from "./first-context.ts";
import { keepInboxLine } from "./inbox-line.ts";
import { RunBounds, type AnsweredItem } from "./run-bounds.ts";
import { isKnown, SeenLines } from "./known.ts";
import { settleInbox } from "./settle-inbox.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { parkingBatch } from "../batches.ts";
import { answerMessage, materialMessage, opening } from "../prompts.ts";
import { textsFor } from "../without-model/program-texts.ts";
import { park, routeItem } from "../without-model/update-without-model.ts";
import { addedPaths, touchedFiles, touchedLines, undoBatch } from "./batch.ts";
import { isForeignLayout } from "./vault-layout.ts";

/** The part of a report that the history does not know. `inbox` is the item that waits for an answer; null when all is filed. */
type Outcome = Pick<UpdateReport, "text" | "inbox" | "steps" | "usage" | "model">;

const WITHOUT_MODEL = { steps: 0, usage: NO_USAGE, model: null };

/**
 * Files an update, with the model or without. Nothing is lost: when the model fails, what it wrote is undone and the input waits in the
 * inbox. Throws when the run is cancelled (what it wrote is undone), and for an answer that cannot be followed.
 */
export async function runUpdate(
  input: UpdateInput,
  parts: WritingParts & UnopenedRun,
): Promise<UpdateReport> {
  const { vault, batch, signal, onEvent } = parts;
  try {
    const model = await parts.openModel();
    const outcome = model === null ? withoutModel(input, parts) : withModel(input, parts, model);
    return await report(parts, await outcome);
  } catch (error) {
    const notUndone = await undoBatch(vault, batch);
    signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    const { code, message } = error;
    onEvent({ type: "error", message });
    // An answer is short, and the item it answers is still there.
    if (input.inboxRef !== null) throw error;
    const done = notUndone === null ? [] : touchedLines(await touchedFiles(vault, batch));
    const { said } = await textsFor(input.content, vault);
    return parkAfterFailure(input, parts, { reason: await said(code, message), done });
  }
}

/** For an input whose run was cut off by a crash and cannot be undone, because the same files were changed since. */
export async function parkInterrupted(
  input: UpdateInput,
  parts: WritingParts,
  why: string,
): Promise<UpdateReport> {
  const { vault, batch } = parts;
  const done = touchedLines(await touchedFiles(vault, batch));
  const { said, interrupted } = await textsFor(input.content, vault);
  const reason = interrupted(await said("conflict", why), batch);
  return parkAfterFailure(input, parts, { reason, done });
}

/** In a batch of its own: the first one may be undone already, or must not be undone with it. */
async function parkAfterFailure(
  input: UpdateInput,
  parts: WritingParts,
  parking: { readonly reason: string; readonly done: readonly string[] },
): Promise<UpdateReport> {
  const own = { ...parts, batch: parkingBatch(parts.batch) };
  const inbox = await park(input, own, parking);
  const { notFiled, partlyFiled } = await textsFor(input.content, parts.vault);
  const say = parking.done.length === 0 ? notFiled : partlyFiled;
  return report(own, { ...WITHOUT_MODEL, text: say(inbox, parking.reason), inbox });
}

async function report(parts: WritingParts, outcome: Outcome): Promise<UpdateReport> {
  const { vault, batch } = parts;
  await keepInboxLine(parts);
  const touched = await touchedFiles(vault, batch);
  return {
    ...outcome,
    outcome: outcome.inbox === null ? "filed" : "inbox",
    touched,
    batch: touched.length === 0 ? null : batch,
  };
}

async function withoutModel(input: UpdateInput, parts: WritingParts): Promise<Outcome> {
  if (input.inboxRef !== null) {
    const text = await routeItem(input.content, input.inboxRef, parts);
    return { ...WITHOUT_MODEL, text, inbox: null };
  }
  const inbox = await park(input, parts, { reason: null });
  const texts = await textsFor(input.content, parts.vault);
  return { ...WITHOUT_MODEL, text: texts.noModel(inbox), inbox };
}

/** A longer text is put into the vault by the program: typed again by a model it would cost more, and have mistakes. */
const LONG_TEXT_TOKENS = 500;

/** What the smallest picture costs a model, about. */
const PICTURE_TOKENS = 100;

/** Has a model file the input. What it could not file, or was not sure of, is in the inbox when this resolves. */
async function withModel(
  input: UpdateInput,
  parts: WritingParts & RunControl,
  model: ChatModel,
): Promise<Outcome> {
  const { vault, batch } = parts;
  const item = input.inboxRef === null ? null : await answeredItem(vault, input.inboxRef);
  const answered = item?.folder ?? null;
  const ready = await putReady(input, parts);
  const bounds = await RunBounds.of({ input, answered: item, ready }, vault);
  const seen = new SeenLines();
  const message =
    answered === null
      ? materialMessage(input, ready)
      : await answerMessage(input, answered, ready, vault);
  const session = createSession(UPDATE_ACTOR);
  const isUntrusted = bounds.isUntrusted || item?.isUntrusted === true;
  const subject = isUntrusted ? input.content : `${input.content}\n${item?.review ?? ""}`;
  const looking = { ...parts, session, seen, call: callAsUpdater(parts) };
  const [said, ...images] = message;
  const tokens = countTokens(said) + images.length * PICTURE_TOKENS;
  const told = {
    context: await updateContext({ note: subject, isUntrusted, tokens }, looking),
    isForeign: await isForeignLayout(vault),
  };
  const result = await runLoop({
    model,
    ...(await opening("update", parts, message, told)),
    call: callWithin(bounds, parts, { seen, session }),
  });
  const known = await isKnown(result.text, input.content, seen, vault);
  const ended = { result, ready, answered, isKnown: known };
  const settled = await settleInbox(input, parts, ended);
  if (bounds.isUntrusted) {
    const author = { actor: UPDATE_ACTOR, call: "remember", batch };
    await markAdded(vault, author, await addedPaths(vault, batch));
  }
  const { steps, usage } = result;
  return { ...settled, steps, usage, model: model.name };
}

async function answeredItem(vault: VaultReader, ref: string): Promise<AnsweredItem> {
  const folder = await itemFolder(vault, ref);
  const { review } = await inboxItem(vault, ref);
  return { folder, review, isUntrusted: await isUntrustedItem(vault, folder) };
}

/** Puts images and long texts into a folder of the inbox, from where the model can move them. */
async function putReady(input: UpdateInput, parts: WritingParts): Promise<VaultPath | null> {
  const isLong = countTokens(input.content) > LONG_TEXT_TOKENS;
  if (input.images.length === 0 && !isLong && !input.isUntrusted) return null;
  const folder = await freshItem(parts, input);
  await keepOriginals(parts, folder, input);
  return folder;
}
