import { z } from "zod";

import { UpdateStatus } from "../../agents/contract.ts";
import { Failure, IngestedJson } from "../../ingest/contract.ts";
import { ServiceStatus } from "../../service-status.ts";
import type { CallResult } from "../../tools/call-result.ts";

export type { SearchResult } from "../../tools/search-passages.ts";
export type { TreeEntry } from "../../tools/tree.ts";

/*
 * What goes over the wire, for both ends: the service checks requests, a client checks answers.
 */

export const Count = z.int().nonnegative();

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
  /** It is our own `tree.md`, which changes with every other file. */
  generated: z.literal(true).optional(),
});

export type ListedFile = Readonly<z.infer<typeof File>>;

export const FilesAnswer = z.object({
  files: z.array(File).readonly(),
  /** The `after` of the request for the next files; null when these are the last. */
  next: z.string().nullable(),
  /** The `since` of a later request for what changed; left out by a service that does not follow changes. */
  version: z.string().optional(),
  /** Only in an answer to `since`: then `files` are those that changed, and these are gone. */
  gone: z.array(z.string()).readonly().optional(),
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

/** The answer of a tool whose facts are known. */
export type ToolResult<Facts> = Omit<CallResult, "structured"> & { readonly structured: Facts };

/** What `GET /api/file` answers: a text file. */
const FileAnswer = File.extend({ text: z.string(), tokens: Count });
export type ShownFile = Readonly<z.infer<typeof FileAnswer>>;

/** What `GET /api/note` answers: a note to be edited. */
export const NoteAnswer = z.object({
  path: z.string(),
  /** What stands below the frontmatter, lines ended by `\n`. */
  body: z.string(),
  /** Differs when the person's text or a key of theirs does. */
  version: z.string(),
});
export type NoteAnswer = Readonly<z.infer<typeof NoteAnswer>>;

/** What `POST /api/note` and those below it answer; a note that is another by now is a 409 with `theirs`. */
export const SavedAnswer = z.object({
  path: z.string(),
  version: z.string(),
  /** Null when nothing had to be changed. */
  history: z.string().nullable(),
});
export type SavedAnswer = Readonly<z.infer<typeof SavedAnswer>>;

/** What `POST /api/note/properties` answers; where a key is another by now, it is a 409 with `theirs`. */
export const PropertiesAnswer = SavedAnswer.extend({
  /** The frontmatter as it is now, with the lines around it; empty without one. */
  head: z.string(),
});
export type PropertiesAnswer = Readonly<z.infer<typeof PropertiesAnswer>>;

/** What `POST /api/note/attachment` answers: where the picture is, and how the note shows it. */
export const AttachedAnswer = z.object({ path: z.string(), markdown: z.string() });
export type AttachedAnswer = Readonly<z.infer<typeof AttachedAnswer>>;

/** A link of a note. */
const NoteLink = z.object({
  /** The note it stands in, `vault/…` */
  path: z.string(),
  line: Count,
  /** The whole line. */
  text: z.string(),
  kind: z.enum(["wiki", "markdown"]),
  /** What it names is shown in its place. */
  embed: z.boolean(),
  /** As it is written, decoded; empty for a place in the same note. */
  target: z.string(),
  /** A heading, or a block with its `^`; null for the whole file. */
  fragment: z.string().nullable(),
  /** The file it means, `vault/…`; null when there is none. */
  to: z.string().nullable(),
});
export type NoteLink = Readonly<z.infer<typeof NoteLink>>;

/** What `GET /api/links` answers. */
export const LinksAnswer = z.object({
  /** Those that stand in the file, in order. */
  outgoing: z.array(NoteLink),
  /** Those of other notes to the file. */
  incoming: z.array(NoteLink),
});
export type LinksAnswer = Readonly<z.infer<typeof LinksAnswer>>;

/** What `GET /api/filters` answers: filters that the end of a query may become. */
export const FiltersAnswer = z.object({
  filters: z.array(
    z.object({
      /** `status:`, `tag:work`: what replaces the end of the query. */
      text: z.string(),
      /** How many files have it. */
      files: Count,
    }),
  ),
});
export type FiltersAnswer = Readonly<z.infer<typeof FiltersAnswer>>;

/** What `GET /api/links/dead` answers: links to files that are not there, some of them with their lines. */
export const DeadLinksAnswer = z.object({ total: Count, links: z.array(NoteLink) });
export type DeadLinksAnswer = Readonly<z.infer<typeof DeadLinksAnswer>>;

/** What `GET /api/tags` answers: without `#`, in order. */
export const TagsAnswer = z.object({ tags: z.array(z.string()) });
export type TagsAnswer = Readonly<z.infer<typeof TagsAnswer>>;

/** What `GET /api/places` answers: notes by their names, sections by their headings. */
export const PlacesAnswer = z.object({
  places: z.array(
    z.object({
      /** `vault/…` */
      path: z.string(),
      kind: z.enum(["name", "heading"]),
      text: z.string(),
      line: Count,
    }),
  ),
});
export type PlacesAnswer = Readonly<z.infer<typeof PlacesAnswer>>;

/** What `GET /api/properties` answers: keys, or the values of one, with how many files have them. */
export const ValuesAnswer = z.object({
  values: z.array(z.object({ value: z.string(), files: Count })),
});
export type ValuesAnswer = Readonly<z.infer<typeof ValuesAnswer>>;

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
export const ChangeContent = Change.extend({
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
  /** Files of an adoption that changed since, and were left as they are. */
  skipped: z.array(z.string()).optional(),
  /** Who else made what was taken back, in a vault of several people. */
  made_by: z.array(z.string()).optional(),
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

const Choice = z.object({ changed: Count, removed: z.array(z.string()) });

/** What `GET /api/adopt` answers: what is there, and what each setting would change. */
export const AdoptionAnswer = z.object({
  setting: ServiceStatus.shape.frontmatter.shape.setting,
  chosen: z.boolean(),
  notes: Count,
  /** Notes that carry our keys already. */
  stamped: Count,
  own_keys: Count,
  toml: Count,
  json: Count,
  read_only: Count,
  invalid: Count,
  choices: z.object({ all: Choice, own: Choice, none: Choice }),
  /** Some of the notes that `all` would change. */
  examples: z.array(
    z.object({
      path: z.string(),
      diff: z.string().nullable(),
      /** The same, line by line. */
      hunks: z.array(Hunk).readonly(),
    }),
  ),
});
export type AdoptionAnswer = Readonly<z.infer<typeof AdoptionAnswer>>;

/** What `POST /api/adopt` answers. */
export const AdoptedAnswer = z.object({
  setting: AdoptionAnswer.shape.setting,
  before: AdoptionAnswer.shape.setting,
  /** Undoes all of it; null when no file had to be changed. */
  history: z.string().nullable(),
  files: Count,
});
export type AdoptedAnswer = Readonly<z.infer<typeof AdoptedAnswer>>;

export const ForgottenAnswer = z.object({ forgotten: Count });

/** What `POST /api/ingest` answers. */
export const IngestAnswer = z.object({ files: z.array(IngestedJson), failures: z.array(Failure) });
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
  /** The index differs; `pending` files are still to be processed, and it will have `total`. */
  index: z.object({ files: Count, chunks: Count, pending: Count, total: Count.optional() }),
  /** The inbox differs; `count` items wait for an answer. */
  inbox: z.object({ count: Count }),
  /** An update has another status; `queue` counts all of them. */
  update: z.object({ id: z.string(), status: UpdateStatus, queue: ServiceStatus.shape.queue }),
  /** Somebody came to a note, or left one: `GET /api/presence` of a team's vault differs. */
  presence: z.looseObject({}),
  /** Too much was missed: reload everything. */
  resync: z.looseObject({}),
});
export type FeedEvents = Readonly<z.infer<typeof FeedEvents>>;

/** What is hidden from models, as shown. */
export const PrivateAnswer = z.object({ paths: z.array(z.string()) });

export type PrivateAnswer = z.infer<typeof PrivateAnswer>;
