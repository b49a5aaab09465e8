import type { Hono } from "hono";

import { ExpectedError } from "../../errors.ts";
import type { Failure, IngestedJson, IngestProgress } from "../../ingest/contract.ts";
import { ingestedJson } from "../../ingest/filing/filing.ts";
import { errorOf, failureOf } from "../../ingest/filing/gather.ts";
import type { Ingest, IngestOptions } from "../../ingest/ingest.ts";
import { withUploads, type Uploads } from "../../ingest/intake/uploads.ts";
import { parsePath, type VaultPath } from "../../vault/paths.ts";
import { runStream, wantsEvents, type OnEvent } from "../http/event-stream.ts";
import { clientOf } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import type { IngestAnswer } from "./contract.ts";

/**
 * `POST /api/ingest`: a form with files, and the optional fields `to` (a folder) and `keep_original` (`true`). What can be ingested is;
 * an error is answered only when nothing was.
 */
export function addIngestRoutes(app: Hono, ingest: Ingest, onBug: AppOptions["onBug"]): void {
  app.post("/api/ingest", async (c) => {
    const { raw } = c.req;
    const run = async (onEvent: OnEvent, signal: AbortSignal): Promise<IngestAnswer> => {
      const onProgress = (progress: IngestProgress): void =>
        onEvent({ type: "progress", ...progress });
      return withUploads(raw, ingest, async (uploads) =>
        ingestAll(uploads, ingest, { actor: clientOf(raw), signal, onProgress }),
      );
    };
    if (wantsEvents(raw)) return runStream(c, run, (error) => onBug(error, "a file"));
    return c.json(await run(() => {}, raw.signal));
  });
}

async function ingestAll(
  { files, fields }: Uploads,
  ingest: Ingest,
  caller: Pick<IngestOptions, "actor" | "signal" | "onProgress">,
): Promise<IngestAnswer> {
  if (files.length === 0) {
    throw new ExpectedError(
      "invalid_argument",
      'The form has no file in it. Send at least one: curl -F "file=@devis.pdf".',
    );
  }
  const options = {
    ...caller,
    keepOriginal: fields.get("keep_original") === "true",
    ...folderOf(fields.get("to")),
  };
  const done: IngestedJson[] = [];
  const failures: Failure[] = [];
  for (const file of files) {
    try {
      done.push(ingestedJson(await ingest.ingest(file, options)));
    } catch (error) {
      failures.push(failureOf(file.name, error));
    }
  }
  if (done.length === 0) throw errorOf(failures);
  return { files: done, failures };
}

function folderOf(to: string | undefined): { to?: VaultPath } {
  return to === undefined || to === "" ? {} : { to: parsePath(to).path };
}
