import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { Finding } from "./finding.ts";

/** The inbox item of the last run: what it proposes, by number, and what it only names. */
export const TidyItem = z.object({
  /** The name of its folder. */
  ref: z.string(),
  language: z.enum(["en", "fr"]),
  proposals: z.array(Finding),
  notes: z.array(Finding),
  /** Keys of what was found, before a model worded any of it. */
  basis: z.array(z.string()),
  /** Of those, the ones that the item shows, in its own words or a model's. */
  about: z.array(z.string()),
  isAnswered: z.boolean(),
});

export type TidyItem = Readonly<z.infer<typeof TidyItem>>;

export const Kept = z.object({
  /** Local time of the last run. */
  ran: z.string().nullable(),
  /** Stays when it is answered: an undo of the answer brings its folder back. */
  item: TidyItem.nullable(),
  /** Names of items so far. None is used twice: an answer means the numbers that its writer saw, and an undo brings an old item back. */
  used: z.array(z.string()),
  /** Keys of what the person did not want: the daily run leaves it out. */
  declined: z.array(z.string()),
});

export type Kept = Readonly<z.infer<typeof Kept>>;

/** Before the first run. */
export const NOTHING: Kept = { ran: null, item: null, used: [], declined: [] };

const TIDY_FILE = "tidy.json";

/** What is kept of tidying in the state folder. It can be lost at any time: the next run makes it again. */
export class KeptProposals {
  readonly #file: string;

  constructor(state: string) {
    this.#file = path.join(state, TIDY_FILE);
  }

  read(): Kept {
    try {
      return Kept.parse(JSON.parse(readFileSync(this.#file, "utf8")));
    } catch {
      // None yet, or of another version.
      return NOTHING;
    }
  }

  write(kept: Kept): void {
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const temporary = `${this.#file}.new`;
    writeFileSync(temporary, JSON.stringify(kept), { mode: 0o600, flush: true });
    renameSync(temporary, this.#file);
  }
}

/** What a finding is about, whatever its line: the same as long as nothing about it changed. */
export function keyOf({ kind, path: file, title, changes }: Finding): string {
  const told = title.en.replaceAll(/:\d+/gu, "");
  const made = changes.map((change) =>
    change.kind === "edit" ? change.edits.map(({ lines }) => lines) : change.path,
  );
  return createHash("sha256")
    .update(JSON.stringify([kind, file, told, made]))
    .digest("base64url")
    .slice(0, 16);
}
