import path from "node:path";

import { Hono, type Context } from "hono";

import type { Ingest } from "../../ingest/ingest.ts";
import { ingestedJson, type IngestedJson } from "../../ingest/ingested-json.ts";
import { receiveUploads, type Uploads } from "../../ingest/intake/uploads.ts";
import { ExpectedError, type ErrorCode } from "../../errors.ts";
import { parsePath, type VaultPath } from "../../vault/paths.ts";

export interface IngestRoutesOptions {
  readonly ingest: Ingest;
  /** The vault's state folder: what is sent waits there. */
  readonly state: string;
  /** Who calls, for the history. */
  readonly clientOf: (c: Context) => string;
}

interface FailedFile {
  readonly name: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** What `POST /api/ingest` answers. */
export interface IngestAnswer {
  readonly files: readonly IngestedJson[];
  readonly failures: readonly FailedFile[];
}

/**
 * `POST /api/ingest`: a form with files, and the fields `to` (a folder) and `keep_original` (`true`) if wanted. What can be ingested is;
 * an error is answered only when nothing was.
 */
export function ingestRoutes({ ingest, state, clientOf }: IngestRoutesOptions): Hono {
  const app = new Hono();
  app.post("/api/ingest", async (c) => {
    const folder = path.join(state, "ingest");
    const uploads = await receiveUploads(c.req.raw, { folder, limits: ingest.limits });
    try {
      return c.json(await ingestAll(uploads, ingest, clientOf(c), c.req.raw.signal));
    } finally {
      uploads.remove();
    }
  });
  return app;
}

async function ingestAll(
  { files, fields }: Uploads,
  ingest: Ingest,
  actor: string,
  signal: AbortSignal,
): Promise<IngestAnswer> {
  const options = {
    actor,
    signal,
    keepOriginal: fields.get("keep_original") === "true",
    ...folderOf(fields.get("to")),
  };
  const done: IngestedJson[] = [];
  const failures: FailedFile[] = [];
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
