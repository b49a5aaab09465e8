function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** Characters of the day at the start of a local time, for queries that compare days. */
export const DAY_LENGTH = 10;

/** `2025-07-14` in the local time zone. */
export function localDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2025-07-14T18:30:00` in the local time zone: the form of `created` and `updated`. */
export function localTime(date: Date): string {
  return `${localDay(date)}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The day of a local time. */
export function dayOf(time: string): string {
  return time.slice(0, DAY_LENGTH);
}

/** A local time as people read it: `2025-07-14 18:30`. */
export function showMinute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/u;

/** Reads a time as people and programs write it in frontmatter; null when it is not one. */
export function readTime(text: string): string | null {
  const match = WRITTEN.exec(text);
  if (match === null) return null;
  const [, day, minutes = "00:00", seconds = "00", zone] = match;
  const date = new Date(`${day}T${minutes}:${seconds}${zone ?? ""}`);
  return Number.isNaN(date.getTime()) ? null : localTime(date);
}
