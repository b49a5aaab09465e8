import { toolsOf } from "../tools/registry.ts";
import type { ChangeGuard } from "../vault/history-types.ts";
import { isUnder, joinPath, nameOf, parsePath, type VaultPath } from "../vault/paths.ts";
import { countTokens } from "../vault/tokens.ts";
import type { Vault } from "../vault/vault.ts";
import { callAsUpdater, UPDATE_ACTOR, type WritingParts } from "./agent-context.ts";
import type { ChatModel } from "./chat-model.ts";
import { firstContext } from "./first-context.ts";
import { INBOX, itemFolder, REVIEW } from "./inbox.ts";
import { explainLimit, type RunLimits } from "./limits.ts";
import { runLoop, type LoopResult } from "./loop.ts";
import { park } from "./mechanical-update.ts";
import { freshItem, keepOriginals, titleOf } from "./originals.ts";
import { instructionsFor } from "./prompts.ts";
import type { OnRunEvent } from "./run-events.ts";
import { touchedFiles } from "./touched-files.ts";
import type { UpdateInput } from "./update-input.ts";
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
  const answered = input.inboxRef === null ? null : itemFolder(vault, input.inboxRef);
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
  const inbox = await settle(input, run, { result, ready, answered });
  return { text: result.text, inbox, steps: result.steps, usage: result.usage };
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
  const folder = freshItem(vault, now(), title === "" ? "image" : title);
  await keepOriginals(vault, folder, input, { actor: UPDATE_ACTOR, batch });
  return folder;
}

interface Ended {
  readonly result: LoopResult;
  readonly ready: VaultPath | null;
  readonly answered: VaultPath | null;
}

/** Makes the inbox right after a run: every item in it has its originals and a review, and nothing that is filed stays. */
async function settle(input: UpdateInput, run: UpdateRun, ended: Ended): Promise<string | null> {
  const { vault, batch, limits } = run;
  const { result, ready, answered } = ended;
  const author = { actor: UPDATE_ACTOR, batch };
  const touched = touchedFiles(vault, batch);
  const done = touched
    .filter(({ path }) => !isUnder(parsePath(path).path, INBOX))
    .map(({ path, change }) => `${path} (${change})`);
  if (result.reached !== null) {
    const reason = `${capital(explainLimit(result.reached, limits))}. ${result.text}`.trim();
    return park(input, run, { reason, done, folder: existing(vault, ready) });
  }
  const reviewed = touched
    .map(({ path }) => parsePath(path).path)
    .find((path) => isUnder(path, INBOX) && nameOf(path) === REVIEW && exists(vault, path));
  if (reviewed !== undefined) {
    const folder = parsePath(`${reviewed}/..`).path;
    await gather(vault, ready, folder, author);
    if (folder !== answered) await keepOriginals(vault, folder, input, author);
    return nameOf(folder);
  }
  if (answered !== null && exists(vault, answered)) {
    if (done.length === 0) return nameOf(answered);
    // Filed as the person said; what is left is the review, and what nobody moved.
    await take(vault, answered, author);
  }
  if (ready === null || !exists(vault, ready)) {
    return done.length === 0 && touched.length === 0 && result.text === ""
      ? park(input, run, { reason: "The model ended without a word.", done })
      : null;
  }
  const left = [...vault.walk(ready)].map(({ path }) => nameOf(path));
  const isFiled = done.length > 0 && left.every((name) => name === "original.md");
  if (isFiled && !input.isUntrusted) {
    await take(vault, ready, author);
    return null;
  }
  return park(input, run, { reason: result.text === "" ? null : result.text, done, folder: ready });
}

/** What lay ready belongs to the item that the model made. */
async function gather(
  vault: Vault,
  from: VaultPath | null,
  to: VaultPath,
  author: { readonly actor: string; readonly batch: string },
): Promise<void> {
  if (from === null || from === to || !exists(vault, from)) return;
  // Listed first: it is emptied on the way.
  const files = [...vault.walk(from)];
  await vault.change({ ...author, call: "remember" }, async ({ writer, entry }) => {
    for (const { path } of files) {
      const target = joinPath(to, nameOf(path));
      if (!exists(vault, target)) await writer.move(entry(path), target);
    }
    await writer.remove(entry(from));
  });
}

async function take(
  vault: Vault,
  folder: VaultPath,
  author: { readonly actor: string; readonly batch: string },
): Promise<void> {
  await vault.change({ ...author, call: "remember" }, async ({ writer, entry }) =>
    writer.remove(entry(folder)),
  );
}

function exists(vault: Vault, path: VaultPath): boolean {
  return vault.find(path).kind !== "missing";
}

function existing(vault: Vault, path: VaultPath | null): VaultPath | null {
  return path !== null && exists(vault, path) ? path : null;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
