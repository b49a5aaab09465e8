import { BASE } from "./base.ts";
import { useServices } from "./services.ts";
import { useStore } from "./store.ts";

/** What the person at the page may change. The service decides at every request; the page leaves out what would be refused. */
export interface Access {
  /** @param path `vault/…`, of a folder with a final slash */
  readonly mayWrite: (path: string) => boolean;
  /** Whether what they write below is taken into the vault. */
  readonly mayAdd: boolean;
  /** Their name in the history of a team; null where nobody needs to be told apart. */
  readonly self: string | null;
}

/** Whether the vault is one of a team: others use it too, each with rights of their own. */
export const IS_TEAM = BASE !== "";

export const EVERYTHING: Access = { mayWrite: () => true, mayAdd: true, self: null };
export const NOTHING: Access = { mayWrite: () => false, mayAdd: false, self: null };

export function useAccess(): Access {
  return useStore(useServices().access);
}
