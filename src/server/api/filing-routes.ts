import type { Hono } from "hono";
import { z } from "zod";

import { fileItem } from "../../agents/client-model/file-item.ts";
import { FilingChange } from "../../agents/client-model/filing-contract.ts";
import { filingHelp } from "../../agents/client-model/filing-help.ts";
import { undoOwn } from "../../agents/client-model/undo-own.ts";
import type { Memory } from "../../agents/memory.ts";
import { checked, clientOf, jsonBody } from "../http/request.ts";
import type { AppOptions, GivenVault } from "./app.ts";
import { changeJson } from "./change-view.ts";
import type { UndoAnswer } from "./contract.ts";

const FileBody = z.strictObject({ changes: z.array(FilingChange).max(50) });
const OwnUndoBody = z.strictObject({ id: z.string().min(1) });

/** Filing by the model of an AI client, and taking back what was done for one. */
export function addFilingRoutes(
  app: Hono,
  { updates }: Memory,
  { service, now, onBug }: Pick<AppOptions, "now" | "onBug"> & { readonly service: GivenVault },
): void {
  const { vault, index } = service;
  const parts = { vault, index, now, onBug };

  app.get("/api/inbox/:ref/filing", async (c) =>
    c.json(await filingHelp(c.req.param("ref"), parts)),
  );

  app.post("/api/inbox/:ref/file", async (c) => {
    const subject = 'Send {"changes": [{"do": "append", …}]}';
    const { changes } = checked(FileBody, await jsonBody(c.req.raw), subject);
    const client = clientOf(c.req.raw);
    return c.json(await fileItem(c.req.param("ref"), changes, { ...parts, updates, client }));
  });

  app.post("/api/undo/own", async (c) => {
    const { id } = checked(OwnUndoBody, await jsonBody(c.req.raw), 'Send {"id": "…"}');
    const undone = await undoOwn(id, clientOf(c.req.raw), { vault, updates });
    return c.json<UndoAnswer>({
      undone: id,
      history: undone.id,
      changes: undone.changes.map(changeJson),
    });
  });
}
