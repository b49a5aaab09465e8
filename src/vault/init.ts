import { mkdirSync } from "node:fs";

import { ExpectedError, explainErrno } from "../errors.ts";
import { stampFrontmatter } from "./files/frontmatter.ts";
import { localTime } from "../text/local-time.ts";
import { demoFiles, skeletonFiles, skeletonFolders, type TemplateFile } from "./templates.ts";
import type { Language } from "../text/language.ts";
import { treeFile } from "./tree/tree-text.ts";
import type { FrontmatterPolicy } from "./frontmatter-policy.ts";
import type { CallersVault } from "./vault.ts";

/** Creates the folder of a new vault, and its missing parents. */
export function makeVaultFolder(root: string): void {
  try {
    mkdirSync(root, { recursive: true });
  } catch (error) {
    throw explainErrno(error, root);
  }
}

export interface InitOptions {
  readonly lang: Language;
  /** Add a small lived-in vault to try things on. */
  readonly demo: boolean;
  readonly now: Date;
  readonly actor: string;
  /** Into which files the three keys are written; `all` by default. Without `all` there is no `tree.md` either. */
  readonly frontmatter?: FrontmatterPolicy;
}

/** Adds the usual files and folders that are missing. Never touches one that exists. Returns the paths made. */
export async function initVault(
  vault: CallersVault,
  { lang, demo, now, actor, frontmatter = "all" }: InitOptions,
): Promise<string[]> {
  const files = new Map<string, TemplateFile>();
  // The demo has its own overview, profile, tasks and changelog instead of the empty ones.
  for (const file of [...(demo ? demoFiles(lang, now) : []), ...skeletonFiles(lang)]) {
    if (!files.has(file.path)) files.set(file.path, file);
  }
  const time = localTime(now);
  const made: string[] = [];
  await vault.change({ actor, call: "init", batch: null }, async ({ writer, makeFolder }) => {
    for (const { path, content } of files.values()) {
      if (!(await isFree(vault, path))) continue;
      await writer.create(path, toBytes(content, frontmatter === "none" ? null : time));
      made.push(path);
    }
    for (const folder of skeletonFolders) if (await isFree(vault, folder)) await makeFolder(folder);
    if (frontmatter === "all" && (await isFree(vault, "tree.md"))) {
      const root = await vault.shape("");
      if (root.kind === "folder") await writer.create("tree.md", Buffer.from(treeFile(root)));
      made.push("tree.md");
    }
  });
  return made;
}

/** Nothing is there, and nothing of that name is hidden. */
async function isFree(vault: CallersVault, path: string): Promise<boolean> {
  try {
    return (await vault.find(path)).kind === "missing";
  } catch (error) {
    if (error instanceof ExpectedError && error.code === "outside_vault") return false;
    throw error;
  }
}

function toBytes(content: string | Buffer, time: string | null): Buffer {
  if (time === null) return Buffer.from(content);
  if (typeof content !== "string") return content;
  const stamped = stampFrontmatter(content, { created: time, updated: time });
  return Buffer.from(stamped.kind === "stamped" ? stamped.text : content);
}
