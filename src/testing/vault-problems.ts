import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { createIndex } from "../index/create-index.ts";
import { readIndexable } from "../index/fill-index.ts";
import { plainValue } from "../vault/files/frontmatter.ts";
import { readTime } from "../text/local-time.ts";
import { TEMPORARY_PREFIX } from "../vault/write/open-folder.ts";
import { isMarkdown } from "../vault/paths.ts";
import { countTokens } from "../text/tokens.ts";
import { treeFile } from "../vault/tree/tree-text.ts";
import { createVault } from "../vault/vault.ts";
import { indexContents } from "./suites/index-contents.ts";

/**
 * What is wrong with a vault that should be at rest: frontmatter, `tree.md` and index compared with what they would be if they
 * were made again from the files, and nothing left over. The service must be closed.
 */
export async function vaultProblems(root: string, state: string): Promise<string[]> {
  const problems: string[] = [];
  const scratch = mkdtempSync(path.join(tmpdir(), "coffre-fresh-"));
  const vault = createVault({ root, state: path.join(scratch, "state") });
  try {
    for await (const { path: file } of vault.walk("")) {
      if (!isMarkdown(file) || (await vault.isGenerated(file))) continue;
      const { bytes } = await vault.readBytes(file, Number.MAX_SAFE_INTEGER);
      const text = bytes.toString("utf8");
      problems.push(...frontmatterProblems(text).map((problem) => `${file}: ${problem}`));
    }
    const shape = await vault.shape("");
    const tree = readFileSync(path.join(root, "tree.md"), "utf8");
    if (shape.kind !== "folder" || treeFile(shape) !== tree) problems.push("tree.md is not right");
    problems.push(...(await indexProblems(vault, path.join(state, "index"), scratch)));
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }))
      if (path.basename(name).startsWith(TEMPORARY_PREFIX)) problems.push(`left over: ${name}`);
    return problems;
  } finally {
    vault.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function frontmatterProblems(text: string): string[] {
  const problems: string[] = [];
  const tokens = plainValue(text, "tokens");
  if (tokens !== String(countTokens(text)))
    problems.push(`tokens: ${tokens}, should be ${countTokens(text)}`);
  for (const key of ["created", "updated"])
    if (readTime(plainValue(text, key) ?? "") === null) problems.push(`no ${key}`);
  return problems;
}

async function indexProblems(
  vault: ReturnType<typeof createVault>,
  folder: string,
  scratch: string,
): Promise<string[]> {
  const fresh = createIndex({ folder: path.join(scratch, "index") });
  await fresh.load(readIndexable(vault));
  await fresh.close();
  const [kept, made] = [indexContents(folder), indexContents(path.join(scratch, "index"))];
  return Object.keys(made).flatMap((table) => {
    const rowsOf = (rows: unknown[] = []): Set<string> =>
      new Set(rows.map((row) => JSON.stringify(row)));
    const [old, now] = [rowsOf(kept[table]), rowsOf(made[table])];
    const missing = [...now].filter((row) => !old.has(row));
    const extra = [...old].filter((row) => !now.has(row));
    return [
      ...missing.slice(0, 3).map((row) => `index, ${table}: lacks ${row.slice(0, 300)}`),
      ...extra.slice(0, 3).map((row) => `index, ${table}: has ${row.slice(0, 300)}`),
    ];
  });
}
