import { Hono } from "hono";
import { z } from "zod";

import type { Memory } from "../../agents/memory.ts";
import type { RecallAnswer } from "../../agents/recall/recall-answer.ts";
import type { OnRunEvent } from "../../agents/run-events.ts";
import { ExpectedError } from "../../errors.ts";
import { SearchBody, UpdateBody, viewOf } from "./agent-contract.ts";
import { jsonBody } from "../http/request-body.ts";
import { RunStream } from "./run-stream.ts";

export interface AgentRoutesOptions {
  readonly memory: Memory;
  /** Who calls, for the history. */
  readonly clientOf: (request: Request) => string;
  readonly onBug: (error: unknown, asked: string) => void;
}

const MOST_LISTED = 200;

/** Remembering and recalling over HTTP. */
export function createAgentRoutes({ memory, clientOf, onBug }: AgentRoutesOptions): Hono {
  const app = new Hono();
  const { updates, inbox } = memory;

  app.post("/api/update", async (c) => {
    const body = bodyOf(UpdateBody, await jsonBody(c.req.raw), '{"content": "…"}');
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
    c.json({ updates: updates.list(MOST_LISTED).map((task) => viewOf(task)) }),
  );

  app.get("/api/updates/:id", async (c) => {
    const id = c.req.param("id");
    const task = updates.get(id);
    if (!wantsEvents(c.req.raw)) return c.json(viewOf(task));
    return follow(async (onEvent) => {
      const stop = memory.follow(id, onEvent);
      try {
        return viewOf(await updates.ended(id));
      } finally {
        stop();
      }
    });
  });

  app.post("/api/updates/:id/cancel", async (c) =>
    c.json(viewOf(await updates.cancel(c.req.param("id")))),
  );

  app.post("/api/updates/:id/retry", async (c) =>
    c.json(viewOf(await updates.retry(c.req.param("id")))),
  );

  app.post("/api/search", async (c) => {
    const { question } = bodyOf(SearchBody, await jsonBody(c.req.raw), '{"question": "…"}');
    const { signal } = c.req.raw;
    if (!wantsEvents(c.req.raw)) return c.json(await answered(question, signal));
    return follow(async (onEvent, gone) =>
      memory.recall(question, { signal: AbortSignal.any([signal, gone]), onEvent }),
    );
  });

  app.get("/api/inbox", async (c) => c.json({ items: await inbox.list() }));

  app.get("/api/inbox/:ref", async (c) => c.json(await inbox.show(c.req.param("ref"))));

  async function answered(question: string, signal: AbortSignal): Promise<RecallAnswer> {
    try {
      return await memory.recall(question, { signal });
    } catch (error) {
      if (signal.aborted) throw new ExpectedError("unavailable", "The client is gone.");
      throw error;
    }
  }

  function follow(work: (onEvent: OnRunEvent, gone: AbortSignal) => Promise<unknown>): Response {
    return new RunStream(work, (error) => onBug(error, "an event stream")).response;
  }

  return app;
}

function wantsEvents({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/event-stream") === true;
}

function bodyOf<T>(schema: z.ZodType<T>, given: unknown, form: string): T {
  const body = schema.safeParse(given);
  if (body.success) return body.data;
  throw new ExpectedError("invalid_argument", `Send ${form}: ${z.prettifyError(body.error)}`);
}
