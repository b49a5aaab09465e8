import {
  isUnder,
  joinPath,
  nameOf,
  parentOf,
  parsePath,
  type VaultPath,
} from "../../vault/paths.ts";
import { changeInRun, type LoopResult, type RunControl, type WritingParts } from "../agent-run.ts";
import type { UpdateInput } from "../contract.ts";
import { touchedFiles, touchedLines } from "./batch.ts";
import { KNOWN } from "./known.ts";
import { textsFor } from "../without-model/program-texts.ts";
import { park } from "../without-model/update-without-model.ts";
import { exists, INBOX, keepOriginals } from "../inbox/inbox.ts";

/** How a run ended, and its folders in the inbox. */
interface Ended {
  readonly result: LoopResult;
  /** Where the program put the originals for the model to move. */
  readonly ready: VaultPath | null;
  /** The item that was answered. */
  readonly answered: VaultPath | null;
  /** The vault had all of the input before; any other run that wrote nothing is parked. */
  readonly isKnown: boolean;
}

export interface Settled {
  /** The name of the item that waits for an answer; null when all is filed. */
  readonly inbox: string | null;
  /** What is reported: the model's words, and first of all that it was not filed when it was not. */
  readonly text: string;
}

/** Cleans up the inbox after a run: every item in it has its originals and a review, and nothing that is filed stays. */
export async function settleInbox(
  input: UpdateInput,
  run: WritingParts & RunControl,
  ended: Ended,
): Promise<Settled> {
  const { vault, batch, limits } = run;
  const { result, ready, answered, isKnown } = ended;
  const touched = await touchedFiles(vault, batch);
  const done = touchedLines(touched.filter(({ path }) => !isUnder(parsePath(path).path, INBOX)));
  const texts = await textsFor(input.content, vault);
  const said = result.text.replace(KNOWN, "");
  const filed = { inbox: null, text: said };
  /** It waits in the inbox because the run ended so, and not because its model asked something. */
  const waits = async (reason: string, folder: VaultPath | null = null): Promise<Settled> => {
    const inbox =
      folder !== null && folder === answered
        ? nameOf(folder)
        : await park(input, run, { reason, done, folder });
    const say = done.length === 0 ? texts.notFiled : texts.partlyFiled;
    return { inbox, text: say(inbox, reason).trim() };
  };
  if (result.reached !== null) {
    const reason = `${texts.limits[result.reached](limits[result.reached])} ${said}`.trim();
    if (answered !== null && (await exists(vault, answered))) return waits(reason, answered);
    const hasOriginals = ready !== null && (await exists(vault, ready));
    return waits(reason, hasOriginals ? ready : null);
  }
  const reviews = touched
    .map(({ path }) => parsePath(path).path)
    .filter((path) => /^inbox\/[^/]+\/review\.md$/u.test(path));
  for (const reviewed of reviews) {
    if (!(await exists(vault, reviewed))) continue;
    const folder = parentOf(reviewed);
    await gather(run, ready, folder);
    if (folder !== answered) await keepOriginals(run, folder, input);
    return { inbox: nameOf(folder), text: said };
  }
  const isUnproven = KNOWN.test(result.text) && !isKnown;
  const reason = [isUnproven ? texts.notKnown : "", said === "" ? texts.noAnswer : said]
    .filter((part) => part !== "")
    .join(" ");
  if (answered !== null && (await exists(vault, answered))) {
    if (done.length === 0) return waits(reason, answered);
    // Filed as the person said: only the review and what was not moved are left.
    await remove(run, answered);
  }
  if (ready === null || !(await exists(vault, ready))) {
    return touched.length > 0 || isKnown ? filed : waits(reason);
  }
  const left = await Array.fromAsync(vault.walk(ready), ({ path }) => nameOf(path));
  const isFiled = (done.length > 0 || isKnown) && left.every((name) => name === "original.md");
  if (isFiled && !input.isUntrusted) {
    await remove(run, ready);
    return filed;
  }
  return waits(reason, ready);
}

/** Moves the originals that were put ready to the item that the model made. */
async function gather(run: WritingParts, from: VaultPath | null, to: VaultPath): Promise<void> {
  const { vault } = run;
  if (from === null || from === to || !(await exists(vault, from))) return;
  // Listed before any is moved.
  const files = await Array.fromAsync(vault.walk(from));
  await changeInRun(run, async (writer) => {
    for (const { path } of files) {
      const target = joinPath(to, nameOf(path));
      if (!(await exists(vault, target))) await writer.move(path, target);
    }
    await writer.remove(from);
  });
}

async function remove(run: WritingParts, folder: VaultPath): Promise<void> {
  await changeInRun(run, async (writer) => writer.remove(folder));
}
