import { mkdirSync } from "node:fs";

import { explainErrno } from "../errors.ts";
import { stampFrontmatter } from "./files/frontmatter.ts";
import { localTime } from "../text/local-time.ts";
import { demoFiles, skeletonFiles, skeletonFolders, type TemplateFile } from "./templates.ts";
import type { Language } from "../text/language.ts";
import { treeFile } from "./tree/tree-text.ts";
import type { Vault } from "./vault.ts";

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
}

/** Adds the usual files and folders that are missing. Never touches one that exists. Returns the paths made. */
export async function initVault(
  vault: Vault,
  { lang, demo, now, actor }: InitOptions,
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
      if ((await vault.find(path)).kind !== "missing") continue;
      await writer.create(path, toBytes(content, time));
      made.push(path);
    }
    for (const folder of skeletonFolders) await makeFolder(folder);
    if ((await vault.find("tree.md")).kind === "missing") {
      const root = await vault.shape("");
      if (root.kind === "folder") await writer.create("tree.md", Buffer.from(treeFile(root)));
      made.push("tree.md");
    }
  });
  return made;
}

function toBytes(content: string | Buffer, time: string): Buffer {
  if (typeof content !== "string") return content;
  const stamped = stampFrontmatter(content, { created: time, updated: time });
  return Buffer.from(stamped.kind === "stamped" ? stamped.text : content);
}
