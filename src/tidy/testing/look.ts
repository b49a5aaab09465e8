import { readFileSync } from "node:fs";
import path from "node:path";

import { MemoryIndex } from "../../index/create-index.ts";
import { fillIndex } from "../../index/fill-index.ts";
import { VaultLinks } from "../../index/vault-links.ts";
import { temporaryVault, type Files } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { applyChanges } from "../apply.ts";
import { contextOf } from "../find.ts";
import type { Finder, Finding, TidyContext } from "../finding.ts";

export const TODAY = "2026-11-18";

/** A vault on a real folder, as the finders see it. */
export interface Looked {
  readonly vault: LocalVault;
  /** What is found now. */
  readonly find: () => Promise<Finding[]>;
  /** Makes all changes that were found. */
  readonly apply: (findings: readonly Finding[]) => Promise<void>;
  readonly read: (name: string) => string;
}

export function look(
  files: Files,
  find: (context: TidyContext) => Promise<Finding[]>,
  inbox: TidyContext["inbox"] = { all: 0, others: 0 },
): Looked {
  const vault = temporaryVault(files);
  return {
    vault,
    find: async () => {
      const index = new MemoryIndex();
      await fillIndex(vault, index);
      const links = new VaultLinks(async () => index.links, vault);
      const parts = { vault, index: { links, replacements: index.replacements }, today: TODAY };
      return find(await contextOf({ ...parts, inbox }));
    },
    apply: async (findings) => {
      const author = { actor: "test", call: "tidy", batch: null };
      const changes = findings.flatMap((finding) => finding.changes);
      await applyChanges(vault, author, changes, null);
    },
    read: (name) => readFileSync(path.join(vault.root, name), "utf8"),
  };
}

/** The English titles of what a finder finds. */
export async function titlesOf(files: Files, { find }: Finder): Promise<string[]> {
  return (await look(files, find).find()).map(({ title }) => title.en);
}
