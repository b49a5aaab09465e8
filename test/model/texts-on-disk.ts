import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { personText } from "../../src/testing/chaos/chaos-text.ts";

/** What is in a vault's folder, as a model has it: no generated tree, no dotfiles, no frontmatter of the background job. */
export function textsOnDisk(root: string): Map<string, string> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
  const texts = new Map<string, string>();
  for (const entry of files) {
    const name = path.relative(root, path.join(entry.parentPath, entry.name)).normalize("NFC");
    if (name === "tree.md") continue;
    texts.set(name, personText(readFileSync(path.join(entry.parentPath, entry.name), "utf8")));
  }
  return texts;
}
