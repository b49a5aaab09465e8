import type { Hono } from "hono";

import type {
  OnRunEvent,
  RecallAnswer,
  RememberInput,
  UpdateReport,
} from "../../agents/contract.ts";
import type { Memory } from "../../agents/memory.ts";
import { ExpectedError } from "../../errors.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import { withUploads } from "../../ingest/intake/uploads.ts";
import { materialOf, type Material } from "../../ingest/material.ts";
import type { QueuedUpdate } from "../../agents/queue/update-queue.ts";
import { localTime } from "../../text/local-time.ts";
import { runStream, wantsEvents } from "../http/event-stream.ts";
import { checked, clientOf, isForm, jsonBody } from "../http/request.ts";
import { voiceOf, type Voice } from "../http/voice.ts";
import type { AppOptions } from "./app.ts";
import { addPreviewRoutes, proposedChanges } from "./preview-routes.ts";
import { SearchBody, UpdateBody, UpdateForm, type UpdateView } from "./agent-contract.ts";

type OnBug = AppOptions["onBug"];

const MAX_LISTED = 200;

/**
 * Remembering over HTTP: the queue of updates.
 * @param ingest reads the files that come with an update; without it none are accepted
 */
export function addUpdateRoutes(
  app: Hono,
  memory: Memory,
  ingest: Ingest | undefined,
  onBug: OnBug,
): void {
  const { updates } = memory;

  app.post("/api/update", async (c) => {
    const { raw } = c.req;
    const {
      failures = [],
      isSaidByPerson,
      ...input
    } = isForm(raw) ? await formInput(raw, ingest) : await jsonInput(raw);
    const standing = standingOf(input, voiceOf(raw, c.env), isSaidByPerson);
    const { id } = await memory.remember({ ...input, ...standing, from: clientOf(raw) });
    const accepted = { id, status: "accepted" };
    return c.json(failures.length === 0 ? accepted : { ...accepted, failures }, 202);
  });

  app.get("/api/updates", async (c) =>
    c.json({ updates: (await updates.list(MAX_LISTED)).map((update) => viewOf(update)) }),
  );

  app.get("/api/updates/:id", async (c) => {
    const id = c.req.param("id");
    const update = await updates.get(id);
    if (!wantsEvents(c.req.raw)) return c.json(await shown(update, memory));
    const follow = async (onEvent: OnRunEvent): Promise<unknown> => {
      const stop = memory.follow(id, onEvent);
      try {
        return await shown(await updates.ended(id), memory);
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

  addPreviewRoutes(app, memory, viewOf);
}

/** An update by itself: with what it would change, while it is a preview. */
async function shown(update: QueuedUpdate, memory: Memory): Promise<UpdateView> {
  const changes = await proposedChanges(update, memory);
  return changes === null ? viewOf(update) : { ...viewOf(update), changes };
}

/** An update as requests give it: a header says who sends it. */
type UpdateRequest = Omit<RememberInput, "from" | "isRelayed"> &
  Partial<Pick<Material, "failures">> & { readonly isSaidByPerson: boolean };

/** How far an update may go, by who hands it over. Throws for an answer to the inbox that is not the person's. */
function standingOf(
  { isUntrusted = false, inboxRef = null }: Pick<UpdateRequest, "isUntrusted" | "inboxRef">,
  voice: Voice,
  isSaidByPerson: boolean,
): Pick<RememberInput, "isUntrusted" | "isRelayed"> {
  if (voice === "person") return { isUntrusted, isRelayed: false };
  if (isSaidByPerson) return { isUntrusted, isRelayed: true };
  if (inboxRef === null) return { isUntrusted: true, isRelayed: false };
  throw new ExpectedError(
    "no_permission",
    "Only the person answers an inbox item. Ask them; when these are their words, send said_by_person: true.",
  );
}

async function jsonInput(request: Request): Promise<UpdateRequest> {
  const body = checked(UpdateBody, await jsonBody(request), 'Send {"content": "…"}');
  const { inbox_ref: inboxRef = null, untrusted: isUntrusted, ...rest } = body;
  const { said_by_person: isSaidByPerson, preview: isPreview, ...input } = rest;
  return { ...input, inboxRef, isUntrusted, isSaidByPerson, isPreview };
}

async function formInput(request: Request, ingest: Ingest | undefined): Promise<UpdateRequest> {
  if (ingest === undefined) throw new ExpectedError("unavailable", "No files are accepted here.");
  return withUploads(request, ingest, async ({ files, fields }) => {
    const subject = "Send the fields content, inbox_ref, trust, said_by_person, preview, and files";
    const form = checked(UpdateForm, Object.fromEntries(fields), subject);
    const sent = { note: form.content, files, isTrusted: form.trust === "true" };
    const material = await materialOf(sent, ingest, request.signal);
    const isSaidByPerson = form.said_by_person === "true";
    const isUntrusted = material.isUntrusted || form.untrusted === "true";
    const isPreview = form.preview === "true";
    const inboxRef = form.inbox_ref || null;
    return { ...material, isUntrusted, inboxRef, isSaidByPerson, isPreview };
  });
}

/** The part of a memory that changes nothing. */
export type Recaller = Pick<Memory, "recall" | "inbox">;

/** Recalling over HTTP, and what waits in the inbox. */
export function addRecallRoutes(app: Hono, recaller: Recaller, onBug: OnBug): void {
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
}

const MAX_CONTENT_LENGTH = 2000;

/** The beginning of its text is enough to recognise it. */
function viewOf(update: QueuedUpdate): UpdateView {
  const { id, status, attempts, error } = update;
  const report = update.report === null ? null : withoutRights(update.report);
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

/** What somebody may do names folders that they may not see. */
function withoutRights(report: UpdateReport): UpdateReport {
  const without = { ...report };
  delete without.rights;
  return without;
}

function timeOf(milliseconds: number): string {
  return localTime(new Date(milliseconds));
}
