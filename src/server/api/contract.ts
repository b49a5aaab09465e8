import { z } from "zod";

import type { ServiceStatus } from "../../service-status.ts";
import type { CallResult } from "../../tools/call.ts";
import type { ChangeView } from "./change-view.ts";
import type { ChangeJson, EntryJson } from "./describe-change.ts";
import type { FilePage } from "./vault-files.ts";

export type { SearchResult } from "../../tools/search.ts";
export type { TreeEntry } from "../../tools/tree.ts";
export type { ChangeView } from "./change-view.ts";
export type { FileChanges } from "./file-changes.ts";
export type { ListedFile } from "./vault-files.ts";
export type { FilePage };

/*
 * What goes over the wire, for both ends: the service checks what it is sent, a client checks what it is answered.
 */

/** Who calls: what one client has read through the service counts for what it writes. Percent-encoded. */
export const CLIENT_HEADER = "coffre-client";

/** Tells apart clients of one name that are connected at once: what one has read does not count for the other. */
export const CONNECTION_HEADER = "coffre-connection";

export const ProfileName = z.enum(["update", "search"]);

/** Paths as people write them, `vault/…`. */
export const ChangedBody = z.strictObject({ paths: z.array(z.string()) });

const Count = z.int().nonnegative();

export const LinkAnswer = z.object({ address: z.string(), link: z.string() });

/** Where the page is, and how one browser gets in. */
export type Link = Readonly<z.infer<typeof LinkAnswer>>;

/** A page of the vault's files, see {@link FilePage}. */
export const FilesAnswer: z.ZodType<FilePage> = z.object({
  files: z.array(z.object({ path: z.string(), bytes: Count, changed: z.string().nullable() })),
  next: z.string().nullable(),
});

export const RescanAnswer = z.object({ changed: Count, gone: Count });

/** How the service is, and of which version. */
export interface Status extends ServiceStatus {
  readonly version: string;
}

export const StatusAnswer: z.ZodType<Status> = z.object({
  version: z.string(),
  vault: z.string(),
  index: z.object({
    engine: z.string(),
    files: Count,
    chunks: Count,
    bytes: Count,
    pending: Count,
  }),
  deep: z.object({
    engine: z.enum(["qmd", "endpoint", "words"]),
    model: z.string().nullable(),
    state: z.enum(["words", "opening", "ready", "embedding", "paused", "failed"]),
    embedded: Count,
    pending: Count,
    problem: z.string().nullable(),
  }),
  watcher: z.object({
    alive: z.boolean(),
    folders: Count,
    unwatched: Count,
    lastEvent: z.string().nullable(),
    heartbeat: z.string().nullable(),
  }),
  lastError: z.string().nullable(),
  alarms: z.array(z.string()),
  model: z.object({ name: z.string(), problem: z.string().nullable() }).nullable(),
  inbox: Count,
  queue: z.object({ waiting: Count, running: Count }),
  left: z.array(z.object({ path: z.string(), problem: z.string() })),
});

export const ToolAnswer: z.ZodType<CallResult> = z.object({
  content: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({
        type: z.literal("image"),
        data: z.string(),
        mimeType: z.string(),
        path: z.string(),
      }),
    ]),
  ),
  structured: z.unknown(),
  isError: z.boolean(),
});

/** A text file as it is shown. */
export interface ShownFile {
  /** `vault/…` */
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  readonly tokens: number;
  /** Local time. */
  readonly changed: string | null;
}

/** Something that was done to the vault, and what it changed. */
export interface HistoryItem extends EntryJson {
  readonly changes: readonly ChangeJson[];
}

/** The same with the content of each change. */
export interface HistoryDetail extends EntryJson {
  readonly changes: readonly ChangeView[];
}

export interface UndoAnswer {
  readonly undone: string;
  /** The undo's own entry: undo that one to have it back. Null when there was nothing to do. */
  readonly history: string | null;
  readonly changes: readonly ChangeJson[];
}

export const ProblemAnswer = z.object({ code: z.string(), detail: z.string() });
