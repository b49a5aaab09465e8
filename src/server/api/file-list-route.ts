import type { Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import type { TreeNode } from "../../vault/tree/folder-totals.ts";
import { nodesUnder } from "../../vault/tree/nodes-under.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { checked } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import type { FilePage, ListedFile } from "./contract.ts";
import type { EventFeed } from "./event-feed.ts";

const ListQuery = z.object({
  after: z.string().optional(),
  since: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100_000).default(1000),
});

/** All files, sorted by their paths, as they were at a version of the event feed. */
interface Listing {
  readonly version: string;
  readonly files: readonly ListedFile[];
}

/**
 * `GET /api/files`: the files of the vault by their paths, a page at a time. With `since`, the version of an earlier answer, only those that
 * changed; all of them when it is not known any more what did.
 */
export function addFileListRoute(
  app: Hono,
  {
    service,
    events,
  }: {
    readonly service: Pick<AppOptions["service"], "surveyed"> & { readonly vault: VaultReader };
    readonly events?: EventFeed | undefined;
  },
): void {
  const { vault } = service;
  // The pages of one listing are asked for one after the other: they are cut from one sorted list.
  let last: Listing | null = null;

  app.get("/api/files", async (c) => {
    const { after = null, since, limit } = checked(ListQuery, c.req.query(), "The query");
    await service.surveyed();
    const version = events?.version;
    const changed = since === undefined ? null : (events?.changesSince(since) ?? null);
    if (changed !== null && version !== undefined) {
      return c.json<FilePage>({ ...(await changedFiles(vault, changed)), next: null, version });
    }
    const known = last !== null && last.version === version && after !== null ? last : null;
    const files = known?.files ?? (await allFiles(vault));
    last = version === undefined ? null : { version, files };
    return c.json<FilePage>({
      ...pageOf(files, after, limit),
      ...(version === undefined ? {} : { version }),
    });
  });
}

/** @param after the `next` of the page before; null for the first */
function pageOf(
  files: readonly ListedFile[],
  after: string | null,
  limit: number,
): Pick<FilePage, "files" | "next"> {
  const found = after === null ? 0 : files.findIndex(({ path }) => path > after);
  const start = found < 0 ? files.length : found;
  const page = files.slice(start, start + limit);
  const isLast = start + limit >= files.length;
  return { files: page, next: isLast ? null : (page.at(-1)?.path ?? null) };
}

async function allFiles(vault: VaultReader): Promise<readonly ListedFile[]> {
  return [...nodesUnder(await vault.shape("", "glance"))]
    .flatMap(listed)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function changedFiles(
  vault: VaultReader,
  paths: readonly string[],
): Promise<Required<Pick<FilePage, "files" | "gone">>> {
  const files: ListedFile[] = [];
  const gone: string[] = [];
  for (const path of paths) {
    const [file] = await fileAt(vault, path);
    if (file === undefined) gone.push(path);
    else files.push(file);
  }
  return { files, gone };
}

/** None when there is no file there any more. */
async function fileAt(vault: VaultReader, shownPath: string): Promise<ListedFile[]> {
  const { path } = parsePath(shownPath);
  if ((await vault.find(path)).kind !== "file") return [];
  try {
    return listed(await vault.shape(path));
  } catch (error) {
    // It went between the two questions.
    if (error instanceof ExpectedError) return [];
    throw error;
  }
}

function listed(node: TreeNode): ListedFile[] {
  if (node.kind !== "file") return [];
  const { bytes, changed, isGenerated } = node.facts;
  const generated = isGenerated === true ? { generated: isGenerated } : {};
  return [{ path: showPath(node.path), bytes, changed, ...generated }];
}
