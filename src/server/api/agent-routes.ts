import { Hono } from "hono";

import type { OnRunEvent, RecallAnswer, RememberInput } from "../../agents/contract.ts";
import type { Memory } from "../../agents/memory.ts";
import { ExpectedError } from "../../errors.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import { withUploads } from "../../ingest/intake/uploads.ts";
import { materialOf, type Material } from "../../ingest/material.ts";
import type { QueuedUpdate } from "../../agents/queue/update-queue.ts";
import { localTime } from "../../text/local-time.ts";
import { runStream, wantsEvents } from "../http/event-stream.ts";
import { checked, clientOf, isForm, jsonBody } from "../http/request.ts";
import { SearchBody, UpdateBody, UpdateForm, type UpdateView } from "./agent-contract.ts";

type OnBug = (error: unknown, asked: string) => void;

const MAX_LISTED = 200;

/**
 * Remembering over HTTP: the queue of updates.
 * @param ingest reads the files that come with an update; without it none are accepted
 */
export function updateRoutes(memory: Memory, ingest: Ingest | undefined, onBug: OnBug): Hono {
  const app = new Hono();
  const { updates } = memory;

  app.post("/api/update", async (c) => {
    const { raw } = c.req;
    const { failures = [], ...input } = isForm(raw)
      ? await formInput(raw, ingest)
      : await jsonInput(raw);
    const { id } = await memory.remember({ ...input, from: clientOf(raw) });
    const accepted = { id, status: "accepted" };
    return c.json(failures.length === 0 ? accepted : { ...accepted, failures }, 202);
  });

  app.get("/api/updates", async (c) =>
    c.json({ updates: (await updates.list(MAX_LISTED)).map((update) => viewOf(update)) }),
  );

  app.get("/api/updates/:id", async (c) => {
    const id = c.req.param("id");
    const update = await updates.get(id);
    if (!wantsEvents(c.req.raw)) return c.json(viewOf(update));
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

/** An update as requests give it: a header says who sends it. */
type UpdateRequest = Omit<RememberInput, "from"> & Partial<Pick<Material, "failures">>;

async function jsonInput(request: Request): Promise<UpdateRequest> {
  const body = checked(UpdateBody, await jsonBody(request), 'Send {"content": "…"}');
  const { images, inbox_ref: inboxRef = null, untrusted: isUntrusted, ...rest } = body;
  const named = images.map((image) => (typeof image === "string" ? { data: image } : image));
  const decoded = named.map((image) => ({
    ...image,
    data: image.data.replace(/^data:[^,]*,/u, ""),
  }));
  return { ...rest, images: decoded, inboxRef, isUntrusted };
}

async function formInput(request: Request, ingest: Ingest | undefined): Promise<UpdateRequest> {
  if (ingest === undefined) throw new ExpectedError("unavailable", "No files are accepted here.");
  return withUploads(request, ingest, async ({ files, fields }) => {
    const subject = "Send the fields content, inbox_ref, trust, and files";
    const form = checked(UpdateForm, Object.fromEntries(fields), subject);
    const sent = { note: form.content, files, isTrusted: form.trust === "true" };
    const material = await materialOf(sent, { ingest, signal: request.signal });
    return { ...material, inboxRef: form.inbox_ref || null };
  });
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

const MAX_CONTENT_LENGTH = 2000;

/** The beginning of its text is enough to recognise it. */
function viewOf(update: QueuedUpdate): UpdateView {
  const { id, status, attempts, report, error } = update;
  const { content, images, inboxRef, from } = update.input;
  return {
    id,
    status,
    content:
      content.length <= MAX_CONTENT_LENGTH
        ? content
        : `${content.slice(0, MAX_CONTENT_LENGTH).toWellFormed()}…`,
    images: images.length,
    inbox_ref: inboxRef,
    from,
    created: timeOf(update.created),
    started: update.started === null ? null : timeOf(update.started),
    ended: update.ended === null ? null : timeOf(update.ended),
    attempts,
    report,
    error,
  };
}

function timeOf(milliseconds: number): string {
  return localTime(new Date(milliseconds));
}
