import { randomBytes } from "node:crypto";

/**
 * Text that comes from elsewhere, marked as data. What closes it cannot be guessed, so nothing in the text can end it early and pass for the
 * program's own words.
 */
export function fenced(label: string, text: string): string {
  const boundary = `${label}-${randomBytes(8).toString("hex")}`;
  return `<${boundary}>\n${text}\n</${boundary}>`;
}
