import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { errnoOf, ExpectedError, explainErrno } from "./errors.ts";
import { replaceDurably } from "./storage/durable-names.ts";

/*
 * `coffre.json` in a vault's state folder. Each reader knows its own part of it; other keys are left alone.
 */

/** The settings of a vault, wherever they are kept. */
export interface SettingsStore {
  /**
   * Reads a part; of an empty object when nothing was chosen yet. A mistake in another part does not matter.
   * @param problem the message for settings that do not fit, given where they are
   */
  read<T>(part: z.ZodType<T>, problem: (name: string) => string): T;
  /** Replaces some keys; everything else stays. A key that is undefined is removed. */
  save(changed: Changed): Promise<void> | void;
  /**
   * Replaces some keys by what a part is now, which nobody changes meanwhile.
   * @param next what to replace; null for nothing. What it throws refuses the change
   */
  change<T>(
    part: z.ZodType<T>,
    problem: (name: string) => string,
    next: (present: T) => Changed | null,
  ): Promise<void> | void;
}

/** Settings by their keys. */
export type Changed = Readonly<Record<string, unknown>>;

/** Those in `coffre.json` of a state folder. */
export function fileSettings(state: string): SettingsStore {
  return {
    read: (part, problem) => readSettings(state, part, problem),
    save: (changed) => saveSettings(state, changed),
    change: (part, problem, next) => {
      const changed = next(readSettings(state, part, problem));
      if (changed !== null) saveSettings(state, changed);
    },
  };
}

function settingsFile(state: string): string {
  return path.join(state, "coffre.json");
}

/**
 * Reads a part of `coffre.json`; of an empty object when there is no such file. A mistake in another part does not matter.
 * @param problem the message for a file that does not fit, given its name; what is in it may be secret
 */
export function readSettings<T>(
  state: string,
  part: z.ZodType<T>,
  problem: (name: string) => string,
): T {
  const file = settingsFile(state);
  let text = "{}";
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw explainErrno(error, file);
  }
  try {
    return part.parse(JSON.parse(text));
  } catch (error) {
    throw new ExpectedError("invalid_argument", problem(file), { cause: error });
  }
}

/** Replaces some keys of `coffre.json` atomically; everything else in it stays. A key that is undefined is removed. */
export function saveSettings(state: string, changed: Readonly<Record<string, unknown>>): void {
  const others = readSettings(state, z.looseObject({}), (name) => `${name} is not a JSON object.`);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify({ ...others, ...changed }, null, 2)}\n`;
  replaceDurably(settingsFile(state), text);
}
