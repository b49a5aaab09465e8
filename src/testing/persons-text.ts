import { readFileSync } from "node:fs";

import { isJobKey } from "../text/job-keys.ts";
import { splitFrontmatter } from "../vault/files/frontmatter.ts";

/** A file without what the background job wrote into it: its keys, and a block that holds nothing else. */
export function personsText(file: string): string {
  const text = readFileSync(file, "utf8");
  const { bom, block, body } = splitFrontmatter(text);
  if (block === null) return text;
  const lines = block.yaml.split(/(?<=\n)/u);
  const kept = lines.filter((line) => !isJobKey(line.split(":")[0] ?? "")).join("");
  if (kept === "") return bom + body.replace(/^\r?\n/u, "");
  return `${bom}${block.opening}${kept}${block.closing}${body}`;
}
