import { Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { treeEntry } from "../../tools/tree.ts";
import { formatBytes } from "../../text/tokens.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { sniffImage } from "../../vault/files/image.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import type { FileNode, TreeNode } from "../../vault/tree/totals.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { CALLERS, checked, clientOf, jsonBody } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import { changeJson, entryJson, viewEntry } from "./change-view.ts";
import type {
  EntryAt,
  FileBytes,
  FilePage,
  HistoryItem,
  InitAnswer,
  ShownFile,
  UndoAnswer,
  VaultSummary,
} from "./contract.ts";

/** Larger files are read with the tools. */
const MAX_RAW_BYTES = 50_000_000;
const MAX_SHOWN_BYTES = 5_000_000;

const FileQuery = z.object({
  path: z.string().min(1),
  max_bytes: z.coerce.number().int().min(1).max(MAX_RAW_BYTES).default(MAX_RAW_BYTES),
});
const TreeQuery = z.object({
  path: z.string().default(""),
  depth: z.coerce.number().int().nonnegative().default(Infinity),
});
const ListQuery = z.object({
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100_000).default(1000),
});
const HistoryQuery = z.object({
  path: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
const UndoBody = z.strictObject({ id: z.string().min(1), force: z.boolean().default(false) });
const InitBody = z.strictObject({ lang: z.enum(["en", "fr"]), demo: z.boolean().default(false) });

/** The vault's files and history, for a person's page and for other processes of ours. */
export function vaultRoutes({ service, now }: Pick<AppOptions, "service" | "now">): Hono {
  const { vault } = service;
  const app = new Hono();

  app.get("/api/vault", async (c) => {
    const summary: VaultSummary = {
      vault: vault.root,
      state: vault.state,
      ...contentOf(await vault.shape("")),
      history: await vault.historySize(),
    };
    return c.json(summary);
  });

  app.post("/api/init", async (c) => {
    const { lang, demo } = checked(InitBody, await jsonBody(c.req.raw), 'Send {"lang": "en"}');
    const { initVault } = await import("../../vault/init.ts");
    const actor = clientOf(c.req.raw);
    const made = await initVault(vault, { lang, demo, now: now(), actor });
    const { root, state } = vault;
    const answer: InitAnswer = { vault: root, state, created: made.map((path) => showPath(path)) };
    return c.json(answer);
  });

  app.get("/api/entry", async (c) => {
    const { path } = parsePath(c.req.query("path") ?? "");
    const { kind } = await vault.find(path);
    const listed = kind === "folder" ? await vault.list(path) : [];
    const entries = listed.map((each) => ({ name: each.name, kind: each.kind }));
    const entry: EntryAt = { kind, entries };
    return c.json(entry);
  });

  app.get("/api/tree", async (c) => {
    const { path, depth } = checked(TreeQuery, c.req.query(), "The query");
    await service.surveyed();
    return c.json(treeEntry(await vault.shape(parsePath(path).path), depth));
  });

  app.get("/api/files", async (c) => {
    const { after = null, limit } = checked(ListQuery, c.req.query(), "The query");
    await service.surveyed();
    return c.json(await listFiles(vault, after, limit));
  });

  app.get("/api/file", async (c) => {
    const asked = checked(FileQuery, c.req.query(), "Say which file, ?path=vault/…");
    const { path } = parsePath(asked.path);
    const { isText, mimeType, bytes } = await fileBytes(vault, showPath(path), MAX_SHOWN_BYTES);
    if (!isText) {
      throw new ExpectedError(
        "not_text",
        `${showPath(path)} is not text (${mimeType}). Its bytes are at /api/raw?path=${encodeURIComponent(showPath(path))}.`,
      );
    }
    const { tokens, changed } = treeEntry(await vault.shape(path), 0);
    const text = bytes.toString("utf8");
    const shown: ShownFile = { path: showPath(path), text, bytes: bytes.length, tokens, changed };
    return c.json(shown);
  });

  app.get("/api/raw", async (c) => {
    const asked = checked(FileQuery, c.req.query(), "Say which file, ?path=vault/…");
    const { mimeType, isText, bytes } = await fileBytes(vault, asked.path, asked.max_bytes);
    return c.body(new Uint8Array(bytes), 200, {
      "content-type": isText ? `${mimeType}; charset=utf-8` : mimeType,
      "x-content-type-options": "nosniff",
    });
  });

  app.get("/api/history", async (c) => {
    const { path, limit } = checked(HistoryQuery, c.req.query(), "The query");
    const under = path === undefined ? null : parsePath(path).path;
    const entries = await vault.log({ path: under, limit });
    const items = entries.map((entry): HistoryItem => ({
      ...entryJson(entry),
      changes: entry.changes.map(changeJson),
    }));
    return c.json(items);
  });

  app.get("/api/history/:id", async (c) => {
    const entries = await vault.entries(c.req.param("id"));
    return c.json(await Promise.all(entries.map(async (entry) => viewEntry(entry, vault))));
  });

  app.post("/api/undo", async (c) => {
    const { id, force } = checked(UndoBody, await jsonBody(c.req.raw), 'Send {"id": "…"}');
    const actor = clientOf(c.req.raw, CALLERS.page);
    const { id: history, changes } = await vault.undo(id, { actor, force });
    const answer: UndoAnswer = { undone: id, history, changes: changes.map(changeJson) };
    return c.json(answer);
  });

  return app;
}

/**
 * The files of the vault by their paths, a page at a time.
 * @param after the `next` of the page before; null for the first
 */
async function listFiles(
  vault: VaultReader,
  after: string | null,
  limit: number,
): Promise<FilePage> {
  const rest = [...filesUnder(await vault.shape(""))]
    .map(({ path, facts: { bytes, changed } }) => ({ path: showPath(path), bytes, changed }))
    .filter(({ path }) => after === null || path > after)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files = rest.slice(0, limit);
  return { files, next: rest.length > limit ? (files.at(-1)?.path ?? null) : null };
}

function* filesUnder(node: TreeNode): Generator<FileNode> {
  if (node.kind === "file") yield node;
  else for (const child of node.children()) yield* filesUnder(child);
}

/** How much is in the vault. */
function contentOf(root: TreeNode): Pick<VaultSummary, "files" | "folders" | "tokens"> {
  return root.kind === "file"
    ? { files: 1, folders: 0, tokens: root.facts.tokens }
    : { files: root.files, folders: countFolders(root), tokens: root.tokens };
}

/** Those under a node, not itself. */
function countFolders(node: TreeNode): number {
  if (node.kind === "file") return 0;
  const folders = node.children().filter(({ kind }) => kind === "folder");
  return folders.reduce((sum, folder) => sum + countFolders(folder), folders.length);
}

/** Throws `too_large` for a file of more than `maxBytes`. */
async function fileBytes(
  vault: VaultReader,
  shownPath: string,
  maxBytes: number,
): Promise<FileBytes> {
  const { path, mustBeFolder } = parsePath(shownPath);
  if (mustBeFolder || (await vault.get(path)).kind === "folder") {
    throw new ExpectedError("not_a_file", `${showPath(path, "folder")} is a folder, not a file.`);
  }
  const { bytes, size } = await vault.readBytes(path, maxBytes);
  if (size > maxBytes) {
    throw new ExpectedError(
      "too_large",
      `${showPath(path)} has ${formatBytes(size)}; at most ${formatBytes(maxBytes)} are sent whole. The tool read shows a part: give it head or tail.`,
    );
  }
  const isText = isTextBytes(bytes);
  return { mimeType: mimeTypeOf(path, bytes, isText), isText, bytes };
}

/** Never a type that a browser would run: an HTML page or an SVG is plain text here. */
function mimeTypeOf(path: string, bytes: Buffer, isText: boolean): string {
  const image = sniffImage(bytes);
  if (image !== null) return image.mimeType;
  if (!isText) return "application/octet-stream";
  return /\.(?:md|markdown)$/iu.test(path) ? "text/markdown" : "text/plain";
}
