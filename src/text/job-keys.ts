/** The keys the background job owns, as long as their values are in its own form. Everything else in a block is the person's. */
export const JOB_KEYS = ["created", "updated", "tokens"] as const;
export type JobKey = (typeof JOB_KEYS)[number];

export function isJobKey(key: string): key is JobKey {
  return JOB_KEYS.some((owned) => owned === key);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/u;
const FORMS: Readonly<Record<JobKey, RegExp>> = { created: TIME, updated: TIME, tokens: /^\d+$/u };

const LINE = /^[ ]*(["']?)([a-z]+)\1[ \t]*:(?:[ \t]+([^#\s]\S*))?(?:[ \t]+#.*)?[ \t]*\r?$/u;

/**
 * The key of ours that a line of a block holds, in the form the job writes: `updated: 2025-07-14T18:30:00`, `tokens: 12`, or without a value
 * yet. Null for any other line: a person's own `updated: "[[2021-03-05]]"` too.
 */
export function jobLine(line: string): { readonly key: JobKey; readonly value: string } | null {
  const [, , key = "", value = ""] = LINE.exec(line) ?? [];
  return isJobKey(key) && (value === "" || FORMS[key].test(value)) ? { key, value } : null;
}
