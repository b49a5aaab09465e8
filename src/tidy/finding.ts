import { z } from "zod";

import type { IndexReader } from "../index/search-index.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import type { Page } from "./pages.ts";

/*
 * What is untidy in a vault, and how it would be put right. Proposals are stored in these shapes until they are answered.
 */

/** The same words in every language that people read. */
export const Said = z.object({ en: z.string(), fr: z.string() });

export type Said = Readonly<z.infer<typeof Said>>;

/** Lines of a page that others take the place of; `end` before `start` only inserts. 1-based, from the first line of its text. */
export const LineEdit = z.object({
  start: z.int().positive(),
  end: z.int().nonnegative(),
  lines: z.array(z.string()),
});

export type LineEdit = Readonly<z.infer<typeof LineEdit>>;

/** `hash` is of the person's text when it was looked at: another one later means that the file was changed. */
export const ProposedChange = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("edit"),
    path: z.string(),
    hash: z.string(),
    edits: z.array(LineEdit),
  }),
  z.object({ kind: z.literal("create"), path: z.string(), text: z.string() }),
  z.object({ kind: z.literal("remove"), path: z.string(), hash: z.string() }),
]);

export type ProposedChange = Readonly<z.infer<typeof ProposedChange>>;

export const FINDING_KINDS = [
  "inbox-count",
  "same-day",
  "long-changelog",
  "duplicate",
  "dead-link",
  "overview",
  "replaced",
  "past-date",
  "overdue",
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** Something untidy. `line` is of the file. */
export const Finding = z.object({
  kind: z.enum(FINDING_KINDS),
  title: Said,
  path: z.string(),
  line: z.int().positive().nullable(),
  /** What would put it right; empty when a program cannot word it. */
  changes: z.array(ProposedChange),
  /** A model could word it: the page states something that is no longer so. */
  canBeWorded: z.boolean(),
});

export type Finding = Readonly<z.infer<typeof Finding>>;

/** What finders look at. */
export interface TidyContext {
  readonly vault: VaultReader;
  /** Whether something is at a path, also what the vault above does not show: that is not missing. */
  readonly isThere: (path: VaultPath) => Promise<boolean>;
  readonly index: Pick<IndexReader, "links" | "replacements">;
  /** Local day, `2026-11-18`. */
  readonly today: string;
  /** Folders of projects, in order. */
  readonly projects: readonly VaultPath[];
  /** Laid out as ours: it has such projects, or no folders of its own. */
  readonly isOurs: boolean;
  /** How many items wait, without and with the proposals of the last time. */
  readonly inbox: { readonly others: number; readonly all: number };
  /** A page by its path, read once; null when there is none, or it is too large to be looked through. */
  readonly page: (path: VaultPath) => Promise<Page | null>;
}

/** Looks for one kind of untidiness, without a model. */
export interface Finder {
  readonly kind: FindingKind;
  readonly find: (context: TidyContext) => Promise<Finding[]>;
}
