import { ExpectedError } from "../../errors.ts";
import type { Vault } from "../../vault/vault.ts";

/** `undone`: the vault is as if the run had never been. `kept`: somebody changed the same files since, so nothing was touched. */
export type TakenBack =
  | { readonly kind: "undone" }
  | { readonly kind: "kept"; readonly why: string };

/** Takes back what a run wrote before it was ended. Never what a person wrote since. */
export async function takeBack(vault: Vault, batch: string, actor: string): Promise<TakenBack> {
  try {
    await vault.undo(batch, { actor, force: false, wasKilled: true });
    return { kind: "undone" };
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    if (error.code === "not_found") return { kind: "undone" };
    return { kind: "kept", why: error.message };
  }
}
