import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { stampFrontmatter } from "../src/vault/files/frontmatter.ts";
import { generateVault } from "./generate-vault.ts";

/** Writes the generated vault out as files whose frontmatter is right already, so that a first start writes none of them. */
export function writeStampedVault(root: string, files: number): void {
  for (const { path: file, text } of generateVault(files)) {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), { recursive: true });
    const stamped = stampFrontmatter(text, {});
    if (stamped.kind === "left") throw new Error(`${file} cannot be stamped: ${stamped.problem}`);
    writeFileSync(full, stamped.text);
  }
}
