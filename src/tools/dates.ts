import { ExpectedError } from "../errors.ts";
import { localDay } from "../text/local-time.ts";

const ISO = /^(\d{4})-(\d\d)-(\d\d)$/u;
const AGO = /^(\d{1,5}) (day|week|month|year)s? ago$/u;

/** Reads `2025-07-14`, `today`, `yesterday`, `7 days ago`, `3 months ago`; returns a local day. */
export function parseDay(text: string, name: string, now: Date): string {
  const given = text.trim().toLowerCase();
  const iso = ISO.exec(given);
  if (
    iso !== null &&
    localDay(new Date(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))) === given
  )
    return given;
  if (given === "today") return localDay(now);
  if (given === "yesterday") return localDay(before(now, 1, "day"));
  const ago = AGO.exec(given);
  if (ago !== null) return localDay(before(now, Number(ago[1]), ago[2] ?? "day"));
  throw new ExpectedError(
    "invalid_argument",
    `${name} ${JSON.stringify(text)} is not a date. Write it like "2025-07-14", "7 days ago" or "3 months ago".`,
  );
}

function before(now: Date, count: number, unit: string): Date {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (unit === "day") return new Date(year, month, day - count);
  if (unit === "week") return new Date(year, month, day - 7 * count);
  const months = unit === "year" ? 12 * count : count;
  // 31 May, 3 months ago, is the last of February, not the 3rd of March.
  const last = new Date(year, month - months + 1, 0).getDate();
  return new Date(year, month - months, Math.min(day, last));
}
