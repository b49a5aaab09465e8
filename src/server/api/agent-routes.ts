import { Hono } from "hono";

import type { Memory } from "../../agents/memory.ts";
import type { RecallAnswer } from "../../agents/recall/recall-answer.ts";
import type { OnRunEvent } from "../../agents/run-events.ts";
import { ExpectedError } from "../../errors.ts";
import { SearchBody, UpdateBody, viewOf } from "./agent-contract.ts";
import { checked, jsonBody } from "../http/request-body.ts";
import { clientOf } from "./client-sessions.ts";
import { runStream, wantsEvents } from "./run-stream.ts";

type OnBug = (error: unknown, asked: string) => void;

const MAX_LISTED = 200;

/** Remembering over HTTP: the queue of updates. */
export function updateRoutes(memory: Memory, onBug: OnBug): Hono {
  const app = new Hono();
  const { updates } = memory;

  app.post("/api/update", async (c) => {
    const body = checked(UpdateBody, await jsonBody(c.req.raw), 'Send {"content": "…"}');
    const { id } = await memory.remember({
      content: body.content,
      images: body.images,
      inboxRef: body.inbox_ref ?? null,
      sources: body.sources,
      isUntrusted: body.untrusted,
      from: clientOf(c.req.raw),
    });
    return c.json({ id, status: "accepted" }, 202);
  });

  app.get("/api/updates", (c) =>
    c.json({ updates: updates.list(MAX_LISTED).map((task) => viewOf(task)) }),
  );

  app.get("/api/updates/:id", async (c) => {
    const id = c.req.param("id");
    const task = updates.get(id);
    if (!wantsEvents(c.req.raw)) return c.json(viewOf(task));
    const follow = async (onEvent: OnRunEvent): Promise<unknown> => {
      const stop = memory.follow(id, onEvent);
      try {
        return viewOf(await updates.ended(id));
      } finally {
        stop();
      }
    };
    return runStream(c, follow, (error) => onBug(error, "an update"));
  });

  app.post("/api/updates/:id/cancel", async (c) =>
    c.json(viewOf(await updates.cancel(c.req.param("id")))),
  );

  app.post("/api/updates/:id/retry", async (c) =>
    c.json(viewOf(await updates.retry(c.req.param("id")))),
  );

  return app;
}

/** The part of a memory that changes nothing. */
export type Recaller = Pick<Memory, "recall" | "inbox">;

/** Recalling over HTTP, and what waits in the inbox. */
export function recallRoutes(recaller: Recaller, onBug: OnBug): Hono {
  const app = new Hono();

  app.post("/api/search", async (c) => {
    const given = await jsonBody(c.req.raw);
    const { question } = checked(SearchBody, given, 'Send {"question": "…"}');
    const { signal } = c.req.raw;
    if (wantsEvents(c.req.raw)) {
      const ask = async (onEvent: OnRunEvent, gone: AbortSignal): Promise<RecallAnswer> =>
        recaller.recall(question, { signal: AbortSignal.any([signal, gone]), onEvent });
      return runStream(c, ask, (error) => onBug(error, "a question"));
    }
    try {
      return c.json(await recaller.recall(question, { signal }));
    } catch (error) {
      if (signal.aborted) throw new ExpectedError("unavailable", "The client disconnected.");
      throw error;
    }
  });

  app.get("/api/inbox", async (c) => c.json({ items: await recaller.inbox.list() }));

  app.get("/api/inbox/:ref", async (c) => c.json(await recaller.inbox.show(c.req.param("ref"))));

  return app;
}
