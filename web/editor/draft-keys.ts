import { keptAs } from "../api/base.ts";

/** Before the tab and the path of a draft, in the browser's storage. */
export const DRAFTS = keptAs("coffre-draft ");
/** The same of the texts that drafts were made from, with their versions, and of the texts that were sent. */
export const BASES = keptAs("coffre-base ");
export const SENT = keptAs("coffre-sent ");

/** The drafts that are in the browser, by tab and path. */
export function draftKeys(
  storage: Pick<Storage, "key" | "length">,
): { readonly tab: string; readonly path: string }[] {
  const found: { tab: string; path: string }[] = [];
  for (let at = 0; at < storage.length; at += 1) {
    const key = storage.key(at) ?? "";
    if (!key.startsWith(DRAFTS)) continue;
    const [tab = "", ...path] = key.slice(DRAFTS.length).split(" ");
    found.push({ tab, path: path.join(" ") });
  }
  return found;
}
