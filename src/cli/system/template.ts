import { readFileSync } from "node:fs";
import path from "node:path";

/** As far above the sources as above what is built from them. */
const FOLDER = path.join(import.meta.dirname, "..", "..", "..", "templates");

/** A file of `templates`, with `{{name}}` replaced by each value. */
export function template(file: string, values: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(path.join(FOLDER, file), "utf8");
  return text.replaceAll(/\{\{(\w+)\}\}/gu, (mark, name: string) => values[name] ?? mark);
}
