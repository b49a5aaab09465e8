import type { Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { treeEntry } from "../../tools/tree.ts";
import { formatBytes } from "../../text/tokens.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { sniffImage } from "../../vault/files/image.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import { nodesUnder } from "../../vault/tree/nodes-under.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { runStream, wantsEvents, type OnEvent } from "../http/event-stream.ts";
import { CALLERS, checked, clientOf, jsonBody } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import { changeJson, entryJson, viewEntry } from "./change-view.ts";
import type {
  EntryAt,
  FileBytes,
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
const HistoryQuery = z.object({
  path: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
const UndoBody = z.strictObject({ id: z.string().min(1), force: z.boolean().default(false) });
const InitBody = z.strictObject({ lang: z.enum(["en", "fr"]), demo: z.boolean().default(false) });

/** What is at a path, for whoever may see it. */
export function addFileRoutes(
  app: Hono,
  { service: { vault } }: { readonly service: { readonly vault: VaultReader } },
): void {
  app.get("/api/entry", async (c) => {
    const { path } = parsePath(c.req.query("path") ?? "");
    const { kind } = await vault.find(path);
    const listed = kind === "folder" ? await vault.list(path) : [];
    const entries = listed.map((each) => ({ name: each.name, kind: each.kind }));
    return c.json<EntryAt>({ kind, entries });
  });

  app.get("/api/raw", async (c) => {
    const asked = checked(FileQuery, c.req.query(), "Say which file, ?path=vault/…");
    const { mimeType, isText, bytes } = await fileBytes(vault, asked.path, asked.max_bytes);
    return c.body(new Uint8Array(bytes), 200, {
      "content-type": isText ? `${mimeType}; charset=utf-8` : mimeType,
      "x-content-type-options": "nosniff",
    });
  });
}

/** The vault's files and history, for a person's page and for other processes of ours. */
export function addVaultRoutes(
  app: Hono,
  { service, now, onBug, person }: Pick<AppOptions, "service" | "now" | "onBug" | "person">,
): void {
  const { vault } = service;
  /** Who else made a change, as the history names them. */
  const others = async (id: string): Promise<string[]> => {
    if (person === undefined) return [];
    const actors = (await vault.entries(id)).map(({ actor }) => actor);
    return [...new Set(actors)].filter((actor) => !actor.startsWith(`${person} (`));
  };

  app.get("/api/vault", async (c) => {
    await service.surveyed();
    const root = await vault.shape("", "glance");
    const { files = 0, tokens } = treeEntry(root, 0);
    const folders = [...nodesUnder(root)].filter(({ kind }) => kind === "folder").length;
    const history = await vault.historySize();
    const { root: folder, state } = vault;
    return c.json<VaultSummary>({ vault: folder, state, files, folders, tokens, history });
  });

  app.post("/api/init", async (c) => {
    const { lang, demo } = checked(InitBody, await jsonBody(c.req.raw), 'Send {"lang": "en"}');
    const asked = { lang, demo, now: now(), actor: clientOf(c.req.raw) };
    // Without a job there is no tree.md on the disk: it is made when it is read.
    const options =
      service.frontmatter === undefined ? { ...asked, frontmatter: "own" as const } : asked;
    const { initVault } = await import("../../vault/init.ts");
    const made = await (service.frontmatter?.init(options) ?? initVault(vault, options));
    const { root, state } = vault;
    const created = made.map((path) => showPath(path));
    return c.json<InitAnswer>({ vault: root, state, created });
  });

  app.get("/api/tree", async (c) => {
    const { path, depth } = checked(TreeQuery, c.req.query(), "The query");
    await service.surveyed();
    return c.json(treeEntry(await vault.shape(parsePath(path).path, "glance"), depth));
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
    const shown = { path: showPath(path), text, bytes: bytes.length, tokens, changed };
    return c.json<ShownFile>(shown);
  });

  app.get("/api/history", async (c) => {
    const { path, limit } = checked(HistoryQuery, c.req.query(), "The query");
    const under = path === undefined ? null : parsePath(path).path;
    const entries = await vault.log({ path: under, limit });
    return c.json<HistoryItem[]>(
      entries.map((entry) => ({ ...entryJson(entry), changes: entry.changes.map(changeJson) })),
    );
  });

  app.get("/api/history/:id", async (c) => {
    const entries = await vault.entries(c.req.param("id"));
    return c.json(await Promise.all(entries.map(async (entry) => viewEntry(entry, vault))));
  });

  app.post("/api/undo", async (c) => {
    const { id, force } = checked(UndoBody, await jsonBody(c.req.raw), 'Send {"id": "…"}');
    const actor = clientOf(c.req.raw, CALLERS.page);
    const run = async (onEvent: OnEvent): Promise<UndoAnswer> => {
      const onProgress = (done: number, total: number): void =>
        onEvent({ type: "progress", done, total });
      const madeBy = await others(id);
      const undone = await (service.frontmatter ?? vault).undo(id, { actor, force, onProgress });
      return {
        undone: id,
        history: undone.id,
        changes: undone.changes.map(changeJson),
        ...(madeBy.length === 0 ? {} : { made_by: madeBy }),
        ...(undone.skipped.length === 0
          ? {}
          : { skipped: undone.skipped.map((path) => showPath(path)) }),
      };
    };
    if (wantsEvents(c.req.raw)) return runStream(c, run, (error) => onBug(error, "an undo"));
    return c.json<UndoAnswer>(await run(() => {}));
  });
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
