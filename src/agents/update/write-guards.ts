import { ExpectedError } from "../../errors.ts";
import type { ChangeGuard } from "../../vault/history/history-types.ts";
import { isUnder, showPath, type VaultPath } from "../../vault/paths.ts";

/** Inside `inbox/`, `bucket/` or a project's `bucket/`; those folders themselves are not. */
function isReceiving(path: VaultPath): boolean {
  return /^(?:inbox|bucket|projects\/[^/]+\/bucket)\/./u.test(path);
}

/**
 * For a run whose input was written by others: even if that text misleads the model, it can only add to `inbox/` and `bucket/` folders, and
 * change or remove what it added itself.
 * @param ready the folder where the program put the originals for it
 */
export function untrustedGuard(ready: VaultPath | null): ChangeGuard {
  const own = new Set<VaultPath>(ready === null ? [] : [ready]);
  const isOwn = (path: VaultPath): boolean => [...own].some((each) => isUnder(path, each));
  return (deed, path) => {
    if (!isReceiving(path)) {
      throw new ExpectedError(
        "protected",
        `${showPath(path)} cannot be changed in this run: it carries text from outside, so it may write only inside inbox/ and bucket/ folders. Leave it in the inbox, and propose the change in its review.md; the person confirms it.`,
      );
    }
    if (deed === "add") own.add(path);
    else if (!isOwn(path)) {
      throw new ExpectedError(
        "protected",
        `${showPath(path)} was there before this run, which carries text from outside and may only add. Write a new file instead.`,
      );
    }
  };
}

/** For a run that answers an inbox item, whose originals it reads: nothing but the item itself can be moved or deleted. */
export function answeringGuard(item: VaultPath): ChangeGuard {
  return (deed, path) => {
    if (deed !== "take" || isUnder(path, item)) return;
    throw new ExpectedError(
      "protected",
      `${showPath(path)} cannot be moved or deleted while an inbox item is filed; only ${showPath(item, "folder")} can. Edit it instead.`,
    );
  };
}
