import { ExpectedError } from "../../errors.ts";
import { UPDATE_ACTOR, type WritingParts } from "../agent-context.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { languageFor } from "../language.ts";
import type { RunLimits } from "../limits.ts";
import { park, routeItem } from "../without-model/update-without-model.ts";
import type { OnRunEvent } from "../contract.ts";
import { takeBack } from "./take-back.ts";
import { touchedFiles } from "./touched-files.ts";
import { runUpdateAgent } from "./update-agent.ts";
import { NO_USAGE, type UpdateInput, type UpdateReport } from "../contract.ts";

export interface UpdateParts extends WritingParts {
  /** Opens the model; null when none is configured. Throws an `ExpectedError` when it cannot be used. */
  readonly openModel: () => Promise<ChatModel | null>;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

/**
 * Files what came in, with the model or without. Nothing is lost: when the model fails, what it wrote is taken back and the input waits in the
 * inbox. Throws when the run is cancelled (what it wrote is taken back), and for an answer that cannot be followed.
 */
export async function runUpdate(input: UpdateInput, parts: UpdateParts): Promise<UpdateReport> {
  const { vault, batch, signal, onEvent } = parts;
  let model: ChatModel | null = null;
  try {
    model = await parts.openModel();
    if (model === null) return await withoutModel(input, parts);
    const { text, inbox, steps, usage } = await runUpdateAgent(input, { ...parts, model });
    return await report(parts, batch, { text, inbox, steps, usage, model: model.name });
  } catch (error) {
    const taken = await takeBack(vault, batch, UPDATE_ACTOR);
    signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    const { message } = error;
    onEvent({ type: "error", message });
    // An answer is short, and the item it answers is still there.
    if (input.inboxRef !== null) throw error;
    const done =
      taken.kind === "undone"
        ? []
        : (await touchedFiles(vault, batch)).map(({ path, change }) => `${path} (${change})`);
    return parkAgain(input, parts, { reason: message, done });
  }
}

/** For an input whose run was ended by a crash and cannot be taken back: somebody changed the same files since. */
export async function parkInterrupted(
  input: UpdateInput,
  parts: WritingParts,
  why: string,
): Promise<UpdateReport> {
  const done = (await touchedFiles(parts.vault, parts.batch)).map(
    ({ path, change }) => `${path} (${change})`,
  );
  const reason = `The program ended in the middle of filing this, and what it had written could not be taken back: ${why} To take it back all the same: coffre undo ${parts.batch} --force`;
  return parkAgain(input, parts, { reason, done });
}

/** In a batch of its own: the one before may be undone already, or must not be undone with it. */
async function parkAgain(
  input: UpdateInput,
  parts: WritingParts,
  parking: { readonly reason: string; readonly done: readonly string[] },
): Promise<UpdateReport> {
  const batch = `${parts.batch}-inbox`;
  const inbox = await park(input, { ...parts, batch }, parking);
  const facts = { text: parking.reason, inbox, steps: 0, usage: NO_USAGE, model: null };
  return report(parts, batch, facts);
}

async function withoutModel(input: UpdateInput, parts: UpdateParts): Promise<UpdateReport> {
  const { batch } = parts;
  const none = { steps: 0, usage: NO_USAGE, model: null };
  if (input.inboxRef !== null) {
    const { text } = await routeItem(input.content, input.inboxRef, parts);
    return report(parts, batch, { ...none, text, inbox: null });
  }
  const inbox = await park(input, parts, { reason: null });
  const lang = await languageFor(input.content, parts.vault);
  const text =
    lang === "fr"
      ? `Aucun modèle n'est configuré : ceci attend dans vault/inbox/${inbox}/. Répondez par le nom d'un projet pour l'y classer.`
      : `No model is configured, so this waits in vault/inbox/${inbox}/. Answer with the name of a project to file it there.`;
  return report(parts, batch, { ...none, text, inbox });
}

type Facts = Pick<UpdateReport, "text" | "inbox" | "steps" | "usage" | "model">;

async function report({ vault }: WritingParts, batch: string, facts: Facts): Promise<UpdateReport> {
  const touched = await touchedFiles(vault, batch);
  return {
    ...facts,
    outcome: facts.inbox === null ? "filed" : "inbox",
    touched,
    batch: touched.length === 0 ? null : batch,
  };
}
