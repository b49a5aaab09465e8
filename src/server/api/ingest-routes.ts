import path from "node:path";

import { Hono } from "hono";

import type { Ingest, IngestOptions } from "../../ingest/ingest.ts";
import { ingestedJson } from "../../ingest/ingested-json.ts";
import type { Progress } from "../../ingest/filing/gather.ts";
import { receiveUploads, type Uploads } from "../../ingest/intake/uploads.ts";
import { ExpectedError } from "../../errors.ts";
import { parsePath, type VaultPath } from "../../vault/paths.ts";
import { clientOf } from "./client-sessions.ts";
import type { IngestAnswer, IngestedJson } from "./contract.ts";
import { runStream, wantsEvents, type OnEvent } from "./run-stream.ts";

export interface IngestRoutesOptions {
  readonly ingest: Ingest;
  /** The vault's state folder: what is sent waits there. */
  readonly state: string;
  readonly onBug: (error: unknown, asked: string) => void;
}

/**
 * `POST /api/ingest`: a form with files, and the fields `to` (a folder) and `keep_original` (`true`) if wanted. What can be ingested is;
 * an error is answered only when nothing was.
 */
export function ingestRoutes({ ingest, state, onBug }: IngestRoutesOptions): Hono {
  const app = new Hono();
  app.post("/api/ingest", async (c) => {
    const folder = path.join(state, "ingest");
    const uploads = await receiveUploads(c.req.raw, { folder, limits: ingest.limits });
    const actor = clientOf(c.req.raw);
    const run = async (onEvent: OnEvent, gone: AbortSignal): Promise<IngestAnswer> => {
      const onProgress = (progress: Progress): void => onEvent({ type: "progress", ...progress });
      try {
        return await ingestAll(uploads, ingest, { actor, signal: gone, onProgress });
      } finally {
        uploads.remove();
      }
    };
    if (wantsEvents(c.req.raw)) return runStream(c, run, (error) => onBug(error, "a file"));
    return c.json(await run(() => {}, c.req.raw.signal));
  });
  return app;
}

async function ingestAll(
  { files, fields }: Uploads,
  ingest: Ingest,
  caller: Pick<IngestOptions, "actor" | "signal" | "onProgress">,
): Promise<IngestAnswer> {
  const options = {
    ...caller,
    keepOriginal: fields.get("keep_original") === "true",
    ...folderOf(fields.get("to")),
  };
  const done: IngestedJson[] = [];
  const failures: (IngestAnswer["failures"][number] & Pick<ExpectedError, "code">)[] = [];
  for (const file of files) {
    try {
      done.push(ingestedJson(await ingest.ingest(file, options)));
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      failures.push({ name: file.name, code: error.code, message: error.message });
    }
  }
  const [first] = failures;
  if (done.length === 0 && first !== undefined) {
    throw new ExpectedError(first.code, failures.map(({ message }) => message).join("\n"));
  }
  return { files: done, failures };
}

function folderOf(to: string | undefined): { to?: VaultPath } {
  return to === undefined || to === "" ? {} : { to: parsePath(to).path };
}
