import { Hono } from "hono";
import { z } from "zod";

import type { Service } from "../../compose.ts";
import { treeEntry } from "../../tools/tree.ts";
import { ExpectedError } from "../../errors.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import { viewChange } from "./change-view.ts";
import type { HistoryDetail, HistoryItem, ShownFile, UndoAnswer } from "./contract.ts";
import { changeJson, entryJson } from "./describe-change.ts";
import { jsonBody } from "../http/request-body.ts";
import { fileBytes, listFiles } from "./vault-files.ts";

/** Shown or sent whole; larger ones are seen with the tools. */
const LARGEST_FILE = 50_000_000;
const LARGEST_SHOWN = 5_000_000;

const Depth = z.coerce.number().int().nonnegative();
const ListLimit = z.coerce.number().int().min(1).max(100_000).default(1000);
const Limit = z.coerce.number().int().min(1).max(1000).default(50);
const UndoBody = z.strictObject({ id: z.string().min(1), force: z.boolean().default(false) });

/** The vault's files and history, for a person's page and for other processes of ours. */
export function vaultRoutes(service: Pick<Service, "vault" | "surveyed">): Hono {
  const { vault } = service;
  const app = new Hono();

  app.get("/api/tree", async (c) => {
    await service.surveyed();
    const { path } = parsePath(c.req.query("path") ?? "");
    const depth = c.req.query("depth");
    const levels = depth === undefined ? Number.POSITIVE_INFINITY : parsed(Depth, depth, "depth");
    return c.json(treeEntry(await vault.shape(path), levels));
  });

  app.get("/api/files", async (c) => {
    const limit = parsed(ListLimit, c.req.query("limit"), "limit");
    await service.surveyed();
    return c.json(await listFiles(vault, c.req.query("after") ?? null, limit));
  });

  app.get("/api/file", async (c) => {
    const { path } = parsePath(named(c.req.query("path")));
    const { isText, mimeType, bytes } = await fileBytes(vault, showPath(path), LARGEST_SHOWN);
    if (!isText) {
      throw new ExpectedError(
        "not_text",
        `${showPath(path)} is not text (${mimeType}). Its bytes are at /api/raw?path=${encodeURIComponent(showPath(path))}.`,
      );
    }
    const { tokens, changed } = treeEntry(await vault.shape(path), 0);
    const shown: ShownFile = {
      path: showPath(path),
      text: bytes.toString("utf8"),
      bytes: bytes.length,
      tokens,
      changed,
    };
    return c.json(shown);
  });

  app.get("/api/raw", async (c) => {
    const path = named(c.req.query("path"));
    const { mimeType, isText, bytes } = await fileBytes(vault, path, LARGEST_FILE);
    return c.body(new Uint8Array(bytes), 200, {
      "content-type": isText ? `${mimeType}; charset=utf-8` : mimeType,
      "x-content-type-options": "nosniff",
    });
  });

  app.get("/api/history", async (c) => {
    const given = c.req.query("path");
    const limit = parsed(Limit, c.req.query("limit"), "limit");
    const path = given === undefined ? null : parsePath(given).path;
    const entries = await vault.log({ path, limit });
    const items = entries.map((entry): HistoryItem => ({
      ...entryJson(entry),
      changes: entry.changes.map(changeJson),
    }));
    return c.json(items);
  });

  app.get("/api/history/:id", async (c) => {
    const entries = await vault.entries(c.req.param("id"));
    const views = entries.map(async (entry): Promise<HistoryDetail> => ({
      ...entryJson(entry),
      changes: await Promise.all(entry.changes.map(async (each) => viewChange(each, vault))),
    }));
    return c.json(await Promise.all(views));
  });

  app.post("/api/undo", async (c) => {
    const { id, force } = parsed(UndoBody, await jsonBody(c.req.raw), "the body");
    const { id: history, changes } = await vault.undo(id, { actor: "page", force });
    const answer: UndoAnswer = { undone: id, history, changes: changes.map(changeJson) };
    return c.json(answer);
  });

  return app;
}

function named(path: string | undefined): string {
  if (path !== undefined && path !== "") return path;
  throw new ExpectedError("invalid_argument", "Say which file: ?path=vault/….");
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ExpectedError("invalid_argument", `${name}: ${z.prettifyError(result.error)}`);
}
