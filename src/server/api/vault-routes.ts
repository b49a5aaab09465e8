import { Hono } from "hono";
import { z } from "zod";

import { treeEntry } from "../../tools/tree.ts";
import { ExpectedError } from "../../errors.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import { viewEntry } from "./change-view.ts";
import { checked, jsonBody } from "../http/request-body.ts";
import type { AppOptions } from "./app.ts";
import { clientOf } from "./client-sessions.ts";
import type {
  EntryAt,
  HistoryItem,
  InitAnswer,
  ShownFile,
  UndoAnswer,
  VaultSummary,
} from "./contract.ts";
import { changeJson, entryJson } from "./describe-change.ts";
import { contentOf, fileBytes, listFiles } from "./vault-files.ts";

/** Sent whole; larger ones are seen with the tools. */
const MAX_RAW_BYTES = 50_000_000;
const MAX_SHOWN_BYTES = 5_000_000;

const MaxBytes = z.coerce.number().int().min(1).max(MAX_RAW_BYTES).default(MAX_RAW_BYTES);
const Depth = z.coerce.number().int().nonnegative();
const ListLimit = z.coerce.number().int().min(1).max(100_000).default(1000);
const Limit = z.coerce.number().int().min(1).max(1000).default(50);
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
    const entry: EntryAt = {
      kind,
      entries: listed.map((each) => ({ name: each.name, kind: each.kind })),
    };
    return c.json(entry);
  });

  app.get("/api/tree", async (c) => {
    await service.surveyed();
    const { path } = parsePath(c.req.query("path") ?? "");
    const depth = c.req.query("depth");
    const levels = depth === undefined ? Number.POSITIVE_INFINITY : checked(Depth, depth, "depth");
    return c.json(treeEntry(await vault.shape(path), levels));
  });

  app.get("/api/files", async (c) => {
    const limit = checked(ListLimit, c.req.query("limit"), "limit");
    await service.surveyed();
    return c.json(await listFiles(vault, c.req.query("after") ?? null, limit));
  });

  app.get("/api/file", async (c) => {
    const { path } = parsePath(named(c.req.query("path")));
    const { isText, mimeType, bytes } = await fileBytes(vault, showPath(path), MAX_SHOWN_BYTES);
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
    const most = checked(MaxBytes, c.req.query("max_bytes"), "max_bytes");
    const { mimeType, isText, bytes } = await fileBytes(vault, named(c.req.query("path")), most);
    return c.body(new Uint8Array(bytes), 200, {
      "content-type": isText ? `${mimeType}; charset=utf-8` : mimeType,
      "x-content-type-options": "nosniff",
    });
  });

  app.get("/api/history", async (c) => {
    const path = c.req.query("path");
    const limit = checked(Limit, c.req.query("limit"), "limit");
    const entries = await vault.log({
      path: path === undefined ? null : parsePath(path).path,
      limit,
    });
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
    const { id, force } = checked(UndoBody, await jsonBody(c.req.raw), "the body");
    const { id: history, changes } = await vault.undo(id, {
      actor: clientOf(c.req.raw, "page"),
      force,
    });
    const answer: UndoAnswer = { undone: id, history, changes: changes.map(changeJson) };
    return c.json(answer);
  });

  return app;
}

function named(path: string | undefined): string {
  if (path !== undefined && path !== "") return path;
  throw new ExpectedError("invalid_argument", "Say which file: ?path=vault/….");
}
