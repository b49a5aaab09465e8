import {
  isUnder,
  joinPath,
  nameOf,
  parentOf,
  parsePath,
  type VaultPath,
} from "../../vault/paths.ts";
import type { Vault } from "../../vault/vault.ts";
import {
  explainLimit,
  UPDATE_ACTOR,
  type LoopResult,
  type RunControl,
  type WritingParts,
} from "../agent-run.ts";
import type { UpdateInput } from "../contract.ts";
import { touchedFiles, touchedLines } from "../update/batch.ts";
import { park } from "../without-model/update-without-model.ts";
import { INBOX, keepOriginals } from "./inbox.ts";

/** A model says so when the vault has all of the input already; any other run that wrote nothing is parked. */
export const KNOWN = /^KNOWN\b[:.\s]*/u;

/** How a run ended, and its folders in the inbox. */
interface Ended {
  readonly result: LoopResult;
  /** Where the program put the originals for the model to move. */
  readonly ready: VaultPath | null;
  /** The item that was answered. */
  readonly answered: VaultPath | null;
}

/**
 * Cleans up the inbox after a run: every item in it has its originals and a review, and nothing that is filed stays. Resolves to the name of
 * the item that waits for an answer; null when all is filed.
 */
export async function settleInbox(
  input: UpdateInput,
  run: WritingParts & RunControl,
  ended: Ended,
): Promise<string | null> {
  const { vault, batch, limits } = run;
  const { result, ready, answered } = ended;
  const author = { actor: UPDATE_ACTOR, batch };
  const touched = await touchedFiles(vault, batch);
  const done = touchedLines(touched.filter(({ path }) => !isUnder(parsePath(path).path, INBOX)));
  if (result.reached !== null) {
    if (answered !== null && (await exists(vault, answered))) return nameOf(answered);
    const reason = `${capital(explainLimit(result.reached, limits))}. ${result.text}`.trim();
    const hasOriginals = ready !== null && (await exists(vault, ready));
    return park(input, run, { reason, done, folder: hasOriginals ? ready : null });
  }
  const reviews = touched
    .map(({ path }) => parsePath(path).path)
    .filter((path) => /^inbox\/[^/]+\/review\.md$/u.test(path));
  for (const reviewed of reviews) {
    if (!(await exists(vault, reviewed))) continue;
    const folder = parentOf(reviewed);
    await gather(vault, ready, folder, author);
    if (folder !== answered) await keepOriginals(vault, folder, input, author);
    return nameOf(folder);
  }
  if (answered !== null && (await exists(vault, answered))) {
    if (done.length === 0) return nameOf(answered);
    // Filed as the person said: only the review and what was not moved are left.
    await remove(vault, answered, author);
  }
  const isKnown = KNOWN.test(result.text);
  if (ready === null || !(await exists(vault, ready))) {
    if (touched.length > 0 || isKnown) return null;
    const reason = result.text === "" ? "The model ended without an answer." : result.text;
    return park(input, run, { reason, done });
  }
  const left = await Array.fromAsync(vault.walk(ready), ({ path }) => nameOf(path));
  const isFiled = (done.length > 0 || isKnown) && left.every((name) => name === "original.md");
  if (isFiled && !input.isUntrusted) {
    await remove(vault, ready, author);
    return null;
  }
  return park(input, run, { reason: result.text === "" ? null : result.text, done, folder: ready });
}

interface Author {
  readonly actor: string;
  readonly batch: string;
}

/** Moves the originals that were put ready to the item that the model made. */
async function gather(
  vault: Vault,
  from: VaultPath | null,
  to: VaultPath,
  author: Author,
): Promise<void> {
  if (from === null || from === to || !(await exists(vault, from))) return;
  // Listed before any is moved.
  const files = await Array.fromAsync(vault.walk(from));
  await vault.change({ ...author, call: "remember" }, async ({ writer }) => {
    for (const { path } of files) {
      const target = joinPath(to, nameOf(path));
      if (!(await exists(vault, target))) await writer.move(path, target);
    }
    await writer.remove(from);
  });
}

async function remove(vault: Vault, folder: VaultPath, author: Author): Promise<void> {
  await vault.change({ ...author, call: "remember" }, async ({ writer }) => writer.remove(folder));
}

async function exists(vault: Vault, path: VaultPath): Promise<boolean> {
  return (await vault.find(path)).kind !== "missing";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
