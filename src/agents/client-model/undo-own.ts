import { ExpectedError } from "../../errors.ts";
import type { Undone, CallersVault } from "../../vault/vault.ts";
import type { UpdateQueue } from "../queue/update-queue.ts";

/** How many updates are looked through. */
const MAX_LOOKED = 1000;

/**
 * Takes back a run that this client caused: a note it handed over, or what it filed itself. Throws `protected` for what others did, and
 * `conflict` when a file was changed since.
 */
export async function undoOwn(
  id: string,
  client: string,
  { vault, updates }: { readonly vault: CallersVault; readonly updates: Pick<UpdateQueue, "list"> },
): Promise<Undone> {
  const handed = (await updates.list(MAX_LOOKED)).some(
    ({ input, report }) => input.from === client && report?.batch === id,
  );
  const entries = await vault.entries(id);
  const isOwn = handed || entries.every(({ actor, batch }) => batch === id && actor === client);
  if (!isOwn) {
    throw new ExpectedError(
      "protected",
      `${id} was not done for this client, so it cannot take it back. The person can: coffre undo ${id}`,
    );
  }
  return vault.undo(id, { actor: client, force: false });
}
