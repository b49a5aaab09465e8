import { ExpectedError } from "../../errors.ts";
import { freeName } from "../../ingest/filing/free-name.ts";
import { callTool } from "../../tools/call.ts";
import type { CallResult } from "../../tools/call-result.ts";
import { createSession } from "../../tools/session.ts";
import type { ChangeGuard } from "../../vault/history/history-types.ts";
import { newId } from "../../vault/history/history.ts";
import { extensionOf, joinPath, nameOf, parsePath, type VaultPath } from "../../vault/paths.ts";
import type { ReadingParts } from "../agent-run.ts";
import { exists, itemFolder, wholeText } from "../inbox/inbox.ts";
import { isFromOutside, markAdded } from "../inbox/untrusted-mark.ts";
import type { UpdateQueue } from "../queue/update-queue.ts";
import { addedPaths, touchedFiles, undoBatch } from "../update/batch.ts";
import { RunBounds } from "../update/run-bounds.ts";
import type { CallersVault } from "../../vault/vault.ts";
import type { Filed, FilingChange } from "./filing-contract.ts";

/*
 * Filing by the model of an AI client, when coffre has none of its own: the client says what to append, edit and write, and the program does
 * it as one batch or not at all.
 */

export interface FilingParts extends ReadingParts {
  readonly vault: CallersVault;
  readonly updates: Pick<UpdateQueue, "list">;
  /** Who files, for the history. */
  readonly client: string;
}

/**
 * Files an inbox item as a client's model says, under the guards of an agent that files it. The item is gone afterwards, and its files other than
 * the note are in a bucket. When a change is refused, nothing is changed, and the error says which and why.
 */
export async function fileItem(
  ref: string,
  changes: readonly FilingChange[],
  parts: FilingParts,
): Promise<Filed> {
  const { vault, now, client } = parts;
  const folder = await itemFolder(vault, ref);
  if (changes.length === 0) {
    throw new ExpectedError("invalid_argument", "There is nothing to file: give a change or more.");
  }
  const isTrusted = await isPersonsOwn(nameOf(folder), parts.updates);
  const original = joinPath(folder, "original.md");
  const content = (await exists(vault, original)) ? await wholeText(vault, original) : "";
  const input = { content, isUntrusted: !isTrusted, isRelayed: true };
  const { guard, isUntrusted } = await RunBounds.of(
    { input, answered: null, ready: folder },
    vault,
  );
  const batch = newId(now());
  const call = callAsClient(parts, batch, guard);
  try {
    for (const [at, change] of changes.entries()) await apply(change, at + 1, call, vault);
    const bucket = bucketFor(changes);
    for (const { path } of await Array.fromAsync(vault.walk(folder))) {
      if (/^(?:original|review)\.md$/u.test(nameOf(path))) continue;
      const extension = extensionOf(path);
      const stem = nameOf(path).slice(0, -extension.length || undefined);
      const free = await freeName(vault, bucket, `${nameOf(folder)}-${stem}`, [extension]);
      await must(call("move", { from: path, to: joinPath(bucket, free + extension) }), "move");
    }
    const author = { actor: client, call: "file", batch };
    if (isUntrusted) await markAdded(vault, author, await addedPaths(vault, batch));
    if (await exists(vault, folder)) {
      await vault.change(author, async ({ writer }) => writer.remove(folder));
    }
  } catch (error) {
    await undoBatch(vault, batch);
    throw error;
  }
  return { touched: await touchedFiles(vault, batch), batch };
}

/** How many updates are looked through for the one that an item came from. */
const MAX_LOOKED = 1000;

/** Whether the text of an item is the person's; one of unknown origin is not. */
async function isPersonsOwn(item: string, updates: FilingParts["updates"]): Promise<boolean> {
  const origin = (await updates.list(MAX_LOOKED)).find(
    ({ report, input }) => report?.inbox === item && input.inboxRef === null,
  );
  return origin !== undefined && !origin.input.isUntrusted;
}

type Call = (name: string, args: object) => Promise<CallResult>;

function callAsClient(parts: FilingParts, batch: string, guard: ChangeGuard): Call {
  const { vault, index, now, onBug, client } = parts;
  const session = createSession(client);
  const conceals = async (path: VaultPath): Promise<boolean> => isFromOutside(vault, path);
  const context = {
    profile: "update",
    vault,
    index,
    session,
    now,
    batch,
    guard,
    conceals,
  } as const;
  return async (name, args) => callTool(name, args, context, { onBug });
}

async function apply(
  change: FilingChange,
  at: number,
  call: Call,
  vault: CallersVault,
): Promise<void> {
  const { path, replaces } = change;
  const where = `change ${at} (${change.do} ${path})`;
  const given = (name: "content" | "old_content" | "new_content"): string => {
    const text = change[name];
    if (typeof text === "string") return text;
    throw new ExpectedError("invalid_argument", `${where} needs ${name}. Nothing was changed.`);
  };
  if (change.do === "append") {
    const position = change.position ?? "bottom";
    await must(call("append", { path, content: given("content"), position, replaces }), where);
    return;
  }
  if (change.do === "edit") {
    const texts = { old_content: given("old_content"), new_content: given("new_content") };
    // The client has seen passages, not the file: what it replaces must stand in the file as it is now, and once.
    await must(call("read", { paths: path }), where);
    await must(call("edit", { path, ...texts, replaces }), where);
    return;
  }
  if (await exists(vault, parsePath(path).path)) {
    throw new ExpectedError(
      "already_exists",
      `${where}: there is a file of that name; append to it or edit it. Nothing was changed.`,
    );
  }
  await must(call("write", { path, content: given("content") }), where);
}

async function must(called: Promise<CallResult>, where: string): Promise<void> {
  const {
    isError,
    content: [first],
  } = await called;
  if (!isError) return;
  const why = first?.type === "text" ? first.text : "refused";
  throw new ExpectedError("conflict", `${where}: ${why} Nothing was changed.`);
}

/** That of the project which the changes are about; else the vault's own. */
function bucketFor(changes: readonly FilingChange[]): VaultPath {
  for (const { path } of changes) {
    const project = /^projects\/[^/]+(?=\/)/u.exec(parsePath(path).path)?.[0];
    if (project !== undefined) return joinPath(project, "bucket");
  }
  return "bucket";
}
