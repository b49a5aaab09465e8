import { replacesIn } from "../index/replaces-line.ts";
import type { StatedReplacement } from "../index/search-index.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";

/** What a file says that it replaces in some other files, as it stands now: the index may not have read it yet. */
export async function replacementsIn(
  from: VaultPath,
  replaced: readonly VaultPath[],
  vault: VaultReader,
): Promise<StatedReplacement[]> {
  const file = await vault.openText(from);
  const text = file.totalLines === 0 ? "" : file.range(1, file.totalLines).lines.join("\n");
  return replacesIn(from, text).flatMap(({ line, target, value }) => {
    const named = target.replace(/^\//u, "");
    const to = replaced.find((path) => path === named || path === `${named}.md`);
    return to === undefined ? [] : [{ from, line, to, value }];
  });
}
