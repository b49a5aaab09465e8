function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** `2025-07-14` in the local time zone. */
export function localDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2025-07-14T18:30:00` in the local time zone: the form of `created` and `updated`. */
export function localTime(date: Date): string {
  return `${localDay(date)}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
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
