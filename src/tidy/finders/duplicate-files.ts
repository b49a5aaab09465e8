import { createHash } from "node:crypto";

import { ExpectedError } from "../../errors.ts";
import { versionHash } from "../../vault/files/version.ts";
import { extensionOf, isMarkdown, joinPath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { FileNode } from "../../vault/tree/folder-totals.ts";
import { nodesUnder } from "../../vault/tree/nodes-under.ts";
import type { VaultReader } from "../../vault/vault.ts";
import type { Finder, Finding, ProposedChange, TidyContext } from "../finding.ts";
import { relinked } from "../relink.ts";

/** Bytes: larger files are not compared. */
const MAX_BYTES = 50_000_000;

interface BucketFile {
  readonly path: VaultPath;
  /** The project's folder; empty for the vault's own bucket. */
  readonly project: VaultPath;
}

/** Files of the buckets that say the same: all but one go, and links to them lead to that one. What two projects have each is left. */
export const duplicateFiles: Finder = {
  kind: "duplicate",
  find: async (context) => {
    const found: Finding[] = [];
    if (!context.isOurs) return found;
    for (const same of await equalFiles(context)) {
      for (const [kept, ...others] of await groupsOf(same, context))
        if (kept !== undefined && others.length > 0)
          found.push(await proposal(kept, others, context));
    }
    return found;
  },
};

/** Files with the same content: only those of one size are read, one after the other. */
async function equalFiles({ vault, projects }: TidyContext): Promise<BucketFile[][]> {
  const sized = new Map<string, BucketFile[]>();
  for (const project of ["", ...projects]) {
    for (const { path, facts } of await filesIn(vault, joinPath(project, "bucket"))) {
      if (facts.bytes === 0 || facts.bytes > MAX_BYTES) continue;
      // What the background job writes into a note is of the same length in each.
      const key = `${extensionOf(path)} ${facts.bytes}`;
      sized.set(key, [...(sized.get(key) ?? []), { path, project }]);
    }
  }
  const equal: BucketFile[][] = [];
  for (const files of sized.values()) {
    if (files.length < 2) continue;
    const hashed = new Map<string, BucketFile[]>();
    for (const file of files) {
      const hash = await contentHash(vault, file.path);
      if (hash !== null) hashed.set(hash, [...(hashed.get(hash) ?? []), file]);
    }
    equal.push(...[...hashed.values()].filter(({ length }) => length > 1));
  }
  return equal;
}

async function filesIn(vault: VaultReader, folder: VaultPath): Promise<FileNode[]> {
  try {
    if ((await vault.find(folder)).kind !== "folder") return [];
    return [...nodesUnder(await vault.shape(folder))].filter((node) => node.kind === "file");
  } catch (error) {
    if (error instanceof ExpectedError) return [];
    throw error;
  }
}

async function contentHash(vault: VaultReader, path: VaultPath): Promise<string | null> {
  try {
    const found = await vault.find(path);
    if (found.kind !== "file" || found.path !== path || found.isReadOnly) return null;
    const { bytes } = await vault.readBytes(path, MAX_BYTES);
    // The times of two notes with one text differ.
    const hash = isMarkdown(path) ? versionHash(bytes) : "";
    const text = isMarkdown(path) ? withoutStamp(bytes) : bytes;
    return hash + createHash("sha256").update(text).digest("hex");
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

/** The text below the frontmatter; that the rest is the same too, the version's hash says. */
function withoutStamp(bytes: Buffer): string {
  return bytes
    .toString("utf8")
    .replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/u, "")
    .trimStart();
}

/** Each group has the file that stays first: one in a project rather than in the vault's bucket, then the one with the most links. */
async function groupsOf(
  files: readonly BucketFile[],
  { index }: TidyContext,
): Promise<VaultPath[][]> {
  const own = files.filter(({ project }) => project !== "");
  const common = files.filter(({ project }) => project === "").map(({ path }) => path);
  const byProject = [...Map.groupBy(own, ({ project }) => project).values()].map((group) =>
    group.map(({ path }) => path),
  );
  const groups: VaultPath[][] = [];
  for (const group of byProject.length === 0 ? [common] : byProject) {
    const linked: { path: VaultPath; links: number }[] = [];
    for (const path of group) linked.push({ path, links: (await index.links.to(path)).length });
    groups.push(
      linked
        .toSorted((a, b) => b.links - a.links || (a.path < b.path ? -1 : 1))
        .map(({ path }) => path),
    );
  }
  if (byProject.length > 0) groups[0]?.push(...common);
  return groups;
}

async function proposal(
  kept: VaultPath,
  others: readonly VaultPath[],
  context: TidyContext,
): Promise<Finding> {
  const changes = new Map<string, ProposedChange>();
  for (const path of others) {
    const { bytes } = await context.vault.readBytes(path, MAX_BYTES);
    changes.set(`remove ${path}`, { kind: "remove", path, hash: versionHash(bytes) });
    const isRemoved = (from: VaultPath): boolean => others.includes(from);
    for (const change of await relinked(path, context, () => kept, isRemoved)) {
      const known = changes.get(change.path);
      const isBoth = known?.kind === "edit" && change.kind === "edit";
      // A line with links to two of them: the first of its edits stays, and the next time the rest is found.
      const lines = new Set(isBoth ? known.edits.map(({ start }) => start) : []);
      const edits = change.kind === "edit" ? change.edits : [];
      const more = edits.filter(({ start }) => !lines.has(start));
      changes.set(change.path, isBoth ? { ...known, edits: [...known.edits, ...more] } : change);
    }
  }
  const names = others.map((path) => showPath(path)).join(", ");
  return {
    kind: "duplicate",
    title: {
      en: `${names} says the same as ${showPath(kept)}, which stays`,
      fr: `${names} dit la même chose que ${showPath(kept)}, qui reste`,
    },
    path: others[0] ?? kept,
    line: null,
    changes: [...changes.values()],
    canBeWorded: false,
  };
}
