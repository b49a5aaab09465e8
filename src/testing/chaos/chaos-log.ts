/** What a chaos service writes down, outside the vault, before and after each of its calls. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

import { z } from "zod";

const DocumentState = z.object({
  id: z.string(),
  /** Its path; null when there is no such document. */
  at: z.string().nullable(),
  version: z.number(),
});

const Effect = z.object({
  before: z.array(DocumentState),
  after: z.array(DocumentState),
  /** Names of journal lines. */
  added: z.array(z.string()),
  removed: z.array(z.string()),
});

const Step = z.object({
  /** `refused`: with an error the caller can fix. `bug`: with one that nobody expected. */
  phase: z.enum(["try", "done", "refused", "bug"]),
  call: z.string(),
  effect: Effect,
  history: z.string().nullable(),
  note: z.string(),
});

export type DocumentState = Readonly<z.infer<typeof DocumentState>>;
/** What a call does to documents and journals, if it does anything. */
export type Effect = Readonly<z.infer<typeof Effect>>;
export type Step = Readonly<z.infer<typeof Step>>;

export const NO_EFFECT: Effect = { before: [], after: [], added: [], removed: [] };

/** The effect of taking an effect back. */
export function reversed({ before, after, added, removed }: Effect): Effect {
  return { before: after, after: before, added: removed, removed: added };
}

/** What a chaos service has to do. */
export const Order = z.object({
  root: z.string(),
  state: z.string(),
  /** Where it writes its log. */
  log: z.string(),
  seed: z.number(),
  /** Its name in journals; its versions and lines are numbered from `first` on. */
  name: z.string(),
  first: z.number(),
});
export type Order = Readonly<z.infer<typeof Order>>;

/** Each step is one write: a kill leaves whole lines. */
export class StepLog {
  readonly #fd: number;

  constructor(file: string) {
    this.#fd = openSync(file, "a");
  }

  add(step: Step): void {
    writeSync(this.#fd, `${JSON.stringify(step)}\n`);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** The steps in a log; none when its service was killed before it made one. */
export function readSteps(file: string): Step[] {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => Step.parse(JSON.parse(line)));
}
