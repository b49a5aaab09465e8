import {
  isUnder,
  joinPath,
  nameOf,
  parentOf,
  parsePath,
  type VaultPath,
} from "../../vault/paths.ts";
import type { Vault } from "../../vault/vault.ts";
import { UPDATE_ACTOR, type WritingParts } from "../agent-context.ts";
import { INBOX } from "./inbox.ts";
import { explainLimit, type RunLimits } from "../limits.ts";
import type { LoopResult } from "../loop.ts";
import { park } from "../without-model/update-without-model.ts";
import { keepOriginals } from "./originals.ts";
import { touchedFiles } from "../update/touched-files.ts";
import type { UpdateInput } from "../contract.ts";

/** How a model says that it has nothing to write since the vault says it all. Any other silence may be a question in disguise. */
export const KNOWN = /^KNOWN\b[:.\s]*/u;

/** How a run ended, and the folders of the inbox it had to do with. */
export interface Ended {
  readonly result: LoopResult;
  /** Where the program put the originals for the model to move. */
  readonly ready: VaultPath | null;
  /** The item that was answered. */
  readonly answered: VaultPath | null;
}

/**
 * Makes the inbox right after a run: every item in it has its originals and a review, and nothing that is filed stays. The name of the item that
 * waits; null when all is filed.
 */
export async function settleInbox(
  input: UpdateInput,
  run: WritingParts & { readonly limits: RunLimits },
  ended: Ended,
): Promise<string | null> {
  const { vault, batch, limits } = run;
  const { result, ready, answered } = ended;
  const author = { actor: UPDATE_ACTOR, batch };
  const touched = await touchedFiles(vault, batch);
  const done = touched
    .filter(({ path }) => !isUnder(parsePath(path).path, INBOX))
    .map(({ path, change }) => `${path} (${change})`);
  if (result.reached !== null) {
    if (answered !== null && (await exists(vault, answered))) return nameOf(answered);
    const reason = `${capital(explainLimit(result.reached, limits))}. ${result.text}`.trim();
    return park(input, run, { reason, done, folder: await existing(vault, ready) });
  }
  const reviews = touched
    .map(({ path }) => parsePath(path).path)
    .filter((path) => /^inbox\/[^/]+\/review\.md$/u.test(path));
  const reviewed = await firstExisting(vault, reviews);
  if (reviewed !== undefined) {
    const folder = parentOf(reviewed);
    await gather(vault, ready, folder, author);
    if (folder !== answered) await keepOriginals(vault, folder, input, author);
    return nameOf(folder);
  }
  if (answered !== null && (await exists(vault, answered))) {
    if (done.length === 0) return nameOf(answered);
    // Filed as the person said; what is left is the review, and what nobody moved.
    await take(vault, answered, author);
  }
  const isKnown = KNOWN.test(result.text);
  if (ready === null || !(await exists(vault, ready))) {
    if (touched.length > 0 || isKnown) return null;
    const reason = result.text === "" ? "The model ended without a word." : result.text;
    return park(input, run, { reason, done });
  }
  const left = await Array.fromAsync(vault.walk(ready), ({ path }) => nameOf(path));
  const isFiled = (done.length > 0 || isKnown) && left.every((name) => name === "original.md");
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
  if (from === null || from === to || !(await exists(vault, from))) return;
  // Listed first: it is emptied on the way.
  const files = await Array.fromAsync(vault.walk(from));
  await vault.change({ ...author, call: "remember" }, async ({ writer }) => {
    for (const { path } of files) {
      const target = joinPath(to, nameOf(path));
      if (!(await exists(vault, target))) await writer.move(path, target);
    }
    await writer.remove(from);
  });
}

async function take(
  vault: Vault,
  folder: VaultPath,
  author: { readonly actor: string; readonly batch: string },
): Promise<void> {
  await vault.change({ ...author, call: "remember" }, async ({ writer }) => writer.remove(folder));
}

async function exists(vault: Vault, path: VaultPath): Promise<boolean> {
  return (await vault.find(path)).kind !== "missing";
}

async function existing(vault: Vault, path: VaultPath | null): Promise<VaultPath | null> {
  return path !== null && (await exists(vault, path)) ? path : null;
}

async function firstExisting(
  vault: Vault,
  paths: readonly VaultPath[],
): Promise<VaultPath | undefined> {
  for (const path of paths) if (await exists(vault, path)) return path;
  return undefined;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
