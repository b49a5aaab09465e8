import { z } from "zod";

import { UpdateStatus } from "../../agents/contract.ts";
import { ServiceStatus } from "../../service-status.ts";
import type { CallResult } from "../../tools/call.ts";

export type { SearchResult } from "../../tools/search.ts";
export type { TreeEntry } from "../../tools/tree.ts";

/*
 * What goes over the wire, for both ends: the service checks requests, a client checks answers.
 */

export const ProfileName = z.enum(["update", "search"]);

const Count = z.int().nonnegative();

/** Where the page is, and a link that logs one browser in. */
export const LinkAnswer = z.object({ address: z.string(), link: z.string() });
export type Link = Readonly<z.infer<typeof LinkAnswer>>;

/** A file as it is listed. */
const File = z.object({
  /** `vault/…` */
  path: z.string(),
  bytes: Count,
  /** Local time of its last change; null when it is not known. */
  changed: z.string().nullable(),
});

export type ListedFile = Readonly<z.infer<typeof File>>;

export const FilesAnswer = z.object({
  files: z.array(File).readonly(),
  /** The `after` of the request for the next files; null when these are the last. */
  next: z.string().nullable(),
});

export type FilePage = Readonly<z.infer<typeof FilesAnswer>>;

/** The bytes of a file, with a type that is decided by its content, whatever the name says. */
export interface FileBytes {
  readonly mimeType: string;
  readonly isText: boolean;
  readonly bytes: Buffer;
}

export const RescanAnswer = z.object({ changed: Count, gone: Count });

/** How the service is, and of which version. */
export const StatusAnswer = ServiceStatus.extend({ version: z.string() });
export type Status = Readonly<z.infer<typeof StatusAnswer>>;

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

/** What `GET /api/file` answers: a text file. */
const FileAnswer = File.extend({ text: z.string(), tokens: Count });
export type ShownFile = Readonly<z.infer<typeof FileAnswer>>;

/** A change, as programs get it. */
const Change = z.object({
  kind: z.enum(["create", "modify", "move", "remove", "restore"]),
  path: z.string(),
  to: z.string().optional(),
  /** How many files a folder had that was removed or restored. */
  files: Count.optional(),
});
export type ChangeJson = Readonly<z.infer<typeof Change>>;

/** Lines of a file that stand together: what changed, and a few around it. */
const Hunk = z.object({
  /** Numbers of the first line before and after the change; null for a part of a large file, whose place is not kept. */
  oldStart: Count.nullable(),
  newStart: Count.nullable(),
  lines: z.array(z.object({ kind: z.enum(["same", "removed", "added"]), text: z.string() })),
});
export type Hunk = Readonly<z.infer<typeof Hunk>>;

/** A change with its content. */
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
export type ChangeView = Readonly<z.infer<typeof ChangeContent>>;

/** The facts of an entry of the history, without its changes. */
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

/** What became of an ingested file. */
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

const Paths = z.array(z.string()).readonly();

/** Files that changed, those of them that are new, and files that are gone, as `vault/…`. */
export const FileChanges = z.object({ changed: Paths, created: Paths, gone: Paths });
export type FileChanges = Readonly<z.infer<typeof FileChanges>>;

/** The data of each event of `GET /api/events`, by its name. */
const FeedEvents = z.object({
  file: FileChanges,
  /** The tree differs. */
  tree: z.looseObject({}),
  /** The index differs; `pending` files are still to be processed. */
  index: z.object({ files: Count, chunks: Count, pending: Count }),
  /** The inbox differs; `count` items wait for an answer. */
  inbox: z.object({ count: Count }),
  /** An update has another status; `queue` counts all of them. */
  update: z.object({ id: z.string(), status: UpdateStatus, queue: ServiceStatus.shape.queue }),
  /** Too much was missed: reload everything. */
  resync: z.looseObject({}),
});
export type FeedEvents = Readonly<z.infer<typeof FeedEvents>>;

export const ProblemAnswer = z.object({ code: z.string(), detail: z.string() });
