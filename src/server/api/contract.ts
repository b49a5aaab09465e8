import { z } from "zod";

import type { QueuedUpdate } from "../../agents/queue/update-queue.ts";
import type { ServiceStatus } from "../../service-status.ts";
import type { CallResult } from "../../tools/call.ts";
import type { FileChanges } from "./file-changes.ts";

export type { SearchResult } from "../../tools/search.ts";
export type { TreeEntry } from "../../tools/tree.ts";
export type { FileChanges };

/*
 * What goes over the wire, for both ends: the service checks what it is sent, a client checks what it is answered.
 */

/** Who calls: what one client has read through the service counts for what it writes. Percent-encoded. */
export const CLIENT_HEADER = "coffre-client";

/** Tells apart clients of one name that are connected at once: what one has read does not count for the other. */
export const CONNECTION_HEADER = "coffre-connection";

export const ProfileName = z.enum(["update", "search"]);

const Count = z.int().nonnegative();

export const LinkAnswer = z.object({ address: z.string(), link: z.string() });

/** Where the page is, and how one browser gets in. */
export type Link = Readonly<z.infer<typeof LinkAnswer>>;

const File = z.object({
  /** `vault/…` */
  path: z.string(),
  bytes: Count,
  /** Local time of its last change; null when it is not known. */
  changed: z.string().nullable(),
});

/** A file as it is listed. */
export type ListedFile = Readonly<z.infer<typeof File>>;

export const FilesAnswer = z.object({
  files: z.array(File).readonly(),
  /** The `after` of the request for the next files; null when these are the last. */
  next: z.string().nullable(),
});

export type FilePage = Readonly<z.infer<typeof FilesAnswer>>;

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

const Change = z.object({
  kind: z.enum(["create", "modify", "move", "remove", "restore"]),
  path: z.string(),
  to: z.string().optional(),
  /** How many files a folder had that was removed or restored. */
  files: Count.optional(),
});

/** A change, as programs get it. */
export type ChangeJson = Readonly<z.infer<typeof Change>>;

/** Lines of a file that stand together: what changed, and a few around it. */
const Hunk = z.object({
  /** Numbers of the first line before and after the change; null for a part of a large file, whose place is not kept. */
  oldStart: Count.nullable(),
  newStart: Count.nullable(),
  lines: z.array(z.object({ kind: z.enum(["same", "removed", "added"]), text: z.string() })),
});
export type Hunk = Readonly<z.infer<typeof Hunk>>;

const ChangeContent = Change.extend({
  /** Unified diff; null when there is none to show. */
  diff: z.string().nullable().optional(),
  /** The same as data. */
  hunks: z.array(Hunk).optional(),
  /** Why there is no diff. */
  note: z.string().optional(),
  /** What was taken out of a large file, and what was put there. */
  removed: z.string().optional(),
  inserted: z.string().optional(),
  /** What a deletion took, or its undo brought back. */
  items: z
    .array(
      z.object({
        path: z.string(),
        kind: z.enum(["file", "folder", "link"]),
        bytes: Count.nullable(),
      }),
    )
    .optional(),
});

/** A change with its content. */
export type ChangeView = Readonly<z.infer<typeof ChangeContent>>;

const Entry = z.object({
  id: z.string(),
  /** ISO, in UTC. */
  at: z.string(),
  actor: z.string(),
  call: z.string(),
  batch: z.string().nullable(),
  undoes: z.string().nullable(),
  undone_by: z.string().nullable(),
});

/** The facts of an entry of the history, without its changes. */
export type EntryJson = Readonly<z.infer<typeof Entry>>;

/** What `GET /api/history` answers: entries and what they changed. */
export const HistoryAnswer = z.array(Entry.extend({ changes: z.array(Change) }));
export type HistoryItem = z.infer<typeof HistoryAnswer>[number];

/** What `GET /api/history/ID` answers: the same with the content of each change. */
export const HistoryDetailAnswer = z.array(Entry.extend({ changes: z.array(ChangeContent) }));
export type HistoryDetail = z.infer<typeof HistoryDetailAnswer>[number];

export const UndoAnswer = z.object({
  undone: z.string(),
  /** The undo's own entry: undo that one to have it back. Null when there was nothing to do. */
  history: z.string().nullable(),
  changes: z.array(Change),
});
export type UndoAnswer = Readonly<z.infer<typeof UndoAnswer>>;

/** What `GET /api/vault` answers: where a vault is, and how much is in it. */
export const VaultAnswer = z.object({
  vault: z.string(),
  state: z.string(),
  files: Count,
  folders: Count,
  tokens: Count,
  history: z.object({ entries: Count, bytes: Count }),
});
export type VaultSummary = Readonly<z.infer<typeof VaultAnswer>>;

/** What `GET /api/entry` answers: what is at a path, and the names in it when it is a folder. */
export const EntryAtAnswer = z.object({
  kind: z.enum(["missing", "file", "folder", "other"]),
  entries: z.array(z.object({ name: z.string(), kind: z.enum(["file", "folder"]) })),
});
export type EntryAt = Readonly<z.infer<typeof EntryAtAnswer>>;

/** The files that `POST /api/init` made. */
export const InitAnswer = z.object({
  vault: z.string(),
  state: z.string(),
  created: z.array(z.string()),
});
export type InitAnswer = Readonly<z.infer<typeof InitAnswer>>;

const Failure = z.object({ name: z.string(), code: z.string(), message: z.string() });

const Ingested = z.object({
  name: z.string(),
  type: z.string(),
  title: z.string(),
  paths: z.array(z.string()).readonly(),
  duplicate_of: z.string().nullable(),
  notices: z.array(z.string()).readonly(),
  /** Of a mail or an archive. */
  get inside() {
    return z.array(Ingested).readonly().optional();
  },
  failures: z.array(Failure).readonly().optional(),
  /** The id that undoes it; null when nothing was changed. */
  history: z.string().nullable().optional(),
});

/** What became of a file that was taken in. */
export type IngestedJson = Readonly<z.infer<typeof Ingested>>;

/** How far a file is, as an event of `POST /api/ingest`. */
export const IngestProgress = z.object({
  name: z.string(),
  stage: z.enum(["converting", "transcribing", "filing"]),
  /** Pages, slides, sheets or chapters. */
  done: Count.optional(),
  total: Count.optional(),
});
export type IngestProgress = Readonly<z.infer<typeof IngestProgress>>;

/** What `POST /api/ingest` answers. */
export const IngestAnswer = z.object({ files: z.array(Ingested), failures: z.array(Failure) });
export type IngestAnswer = Readonly<z.infer<typeof IngestAnswer>>;

/** The data of each event of `GET /api/events`, by its name. */
export interface FeedEvents {
  /** Files that changed. */
  readonly file: FileChanges;
  /** The tree differs. */
  readonly tree: object;
  /** The index differs; `pending` files are still to be processed. */
  readonly index: { readonly files: number; readonly chunks: number; readonly pending: number };
  /** The inbox differs; `count` items wait for an answer. */
  readonly inbox: { readonly count: number };
  /** An update has another status; `queue` counts all of them. */
  readonly update: Pick<QueuedUpdate, "id" | "status"> & { readonly queue: ServiceStatus["queue"] };
  /** Too much was missed: reload everything. */
  readonly resync: object;
}

export const ProblemAnswer = z.object({ code: z.string(), detail: z.string() });
