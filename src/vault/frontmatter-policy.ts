import type { Vault } from "./vault.ts";
import { TREE_FILE } from "./files/generated-tree.ts";

export const FRONTMATTER_POLICIES = ["all", "own", "none"] as const;

/**
 * Into which markdown files the background job writes `created`, `updated` and `tokens`: `all` of them; its `own`, which a tool, an agent or
 * ingest created, and those that carry all three in our form already; or `none`.
 */
export type FrontmatterPolicy = (typeof FRONTMATTER_POLICIES)[number];

/** The policy of that name; undefined when there is none. */
export function chosenPolicy(name: string | undefined): FrontmatterPolicy | undefined {
  return FRONTMATTER_POLICIES.find((each) => each === name);
}

/**
 * The setting of a vault for which none was chosen: a folder that was somebody's before stays theirs.
 * @param isEmptied what was in it is away, and may come back: that it is empty says nothing
 */
export async function defaultPolicy(vault: Vault, isEmptied: boolean): Promise<FrontmatterPolicy> {
  if (!isEmptied) {
    const hasTree = (await vault.list("")).some(({ name }) => name === TREE_FILE);
    if (hasTree && (await vault.isGenerated(TREE_FILE))) return "all";
    const isEmpty = (await vault.walk("")[Symbol.asyncIterator]().next()).done === true;
    if (isEmpty) return "all";
  }
  return (await vault.log({ path: null, call: "init", limit: 1 })).length > 0 ? "all" : "own";
}
