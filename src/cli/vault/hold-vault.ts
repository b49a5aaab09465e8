import { registryFile } from "../../config.ts";
import type { Ownership } from "../../jobs/owner/owner-lock.ts";
import { checkedStateFolder } from "../../vault/state-folder.ts";
import type { CommandContext } from "../table/command.ts";
import type { Place } from "./place.ts";

/** The one right to change a vault, for as long as it is not released. */
export interface HeldVault {
  readonly ownership: Ownership;
  release(): void;
}

/** Takes both locks of a vault: that of its state folder, and that of its folder. Null when another process is its owner. */
export async function holdVault(
  place: Place,
  { environment }: Pick<CommandContext, "environment">,
): Promise<HeldVault | null> {
  const { acquireOwnership } = await import("../../jobs/owner/owner-lock.ts");
  // Before the lock, which makes the state folder.
  checkedStateFolder(place.root, place.state);
  const ownership = acquireOwnership(place.state);
  if (ownership === null) return null;
  try {
    const { registerOwner } = await import("../../jobs/owner/vault-registry.ts");
    const registration = await registerOwner(registryFile(place.root, environment), place);
    return {
      ownership,
      release: () => {
        registration.release();
        ownership.release();
      },
    };
  } catch (error) {
    ownership.release();
    throw error;
  }
}
