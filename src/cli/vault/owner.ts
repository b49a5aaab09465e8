import { existsSync } from "node:fs";
import path from "node:path";

import type { OwnerClient } from "../../server/owner/owner-client.ts";
import type { Vault } from "../../vault/vault.ts";

/** Lends the running service of a vault to `work`; null when there is none, or when it ends before it answers. */
export async function withOwner<T>(
  { state }: Pick<Vault, "state">,
  work: (owner: OwnerClient) => Promise<T>,
): Promise<T | null> {
  // Most vaults have no service, and what talks to one takes longer to load than a command takes.
  if (!existsSync(path.join(state, "owner.json"))) return null;
  const { connectOwner } = await import("../../server/owner/owner-client.ts");
  const { OwnerGoneError } = await import("../../server/owner/owner-connection.ts");
  const owner = await connectOwner(state);
  if (owner === null) return null;
  try {
    return await work(owner);
  } catch (error) {
    if (error instanceof OwnerGoneError) return null;
    throw error;
  } finally {
    owner.close();
  }
}
