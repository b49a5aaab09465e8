import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import type { Language } from "../text/language.ts";
import { DAY_LENGTH, localDay } from "../text/local-time.ts";

/** A file that `init` may write, as the person would have typed it. */
export interface TemplateFile {
  /** Relative to the vault's root, with `/` on every platform. */
  readonly path: string;
  /** A text has no frontmatter: the vault adds and owns it. */
  readonly content: string | Buffer;
}

/** Folders a new vault has even while they are empty. */
export const skeletonFolders: readonly string[] = ["inbox", "bucket", "projects"];

/** The root files of a new vault, each saying what it is for. */
export function skeletonFiles(lang: Language): TemplateFile[] {
  return templateFiles(`skeleton/${lang}`);
}

/** The day on which the demo was written; its dates are relative to it. */
const DEMO_DAY = "2026-11-16";

/** The lived-in vault of `init --demo`, with dates relative to today. Its root files take the place of the skeleton's. */
export function demoFiles(lang: Language, now: Date): TemplateFile[] {
  return templateFiles(`demo/${lang}`).map(({ path: file, content }) => ({
    path: shiftDates(file, now),
    content: typeof content === "string" ? shiftDates(content, now) : content,
  }));
}

/** Moves every date of a text that belongs to the demo, so that {@link DEMO_DAY} becomes today, in local time. */
export function shiftDates(text: string, now: Date): string {
  // A day alone is parsed as UTC, so the difference is whole days wherever this runs.
  const shift = Date.parse(localDay(now)) - Date.parse(DEMO_DAY);
  return text.replaceAll(/\b\d{4}-\d\d-\d\d\b/gu, (date) =>
    new Date(Date.parse(date) + shift).toISOString().slice(0, DAY_LENGTH),
  );
}

/** `templates/` stands beside `src` and beside `dist`. */
const FOLDER = path.join(import.meta.dirname, "..", "..", "templates");

function templateFiles(name: string): TemplateFile[] {
  const folder = path.join(FOLDER, name);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
    .map((file) => {
      const bytes = readFileSync(path.join(folder, file));
      return {
        path: file.split(path.sep).join("/"),
        content: file.endsWith(".md") ? bytes.toString("utf8") : bytes,
      };
    });
}
