/** `380`, `18.3k`, `1.2M`: as `coffre tree` shows tokens. */
export function formatTokens(tokens: number, locale: string): string {
  if (tokens < 1000) return String(tokens);
  const [size, unit] = tokens < 999_950 ? [1000, "k"] : [1_000_000, "M"];
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(tokens / size)}${unit}`;
}

export function formatBytes(bytes: number, locale: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

const STEPS = [
  [60, "second", 1],
  [3600, "minute", 60],
  [86_400, "hour", 3600],
  [7 * 86_400, "day", 86_400],
] as const;

/** `5 minutes ago`; after a week the day itself. */
export function formatAgo(then: Date, now: Date, locale: string): string {
  const seconds = (now.getTime() - then.getTime()) / 1000;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (seconds < 10) return format.format(0, "second");
  for (const [below, unit, size] of STEPS) {
    if (seconds < below) return format.format(-Math.floor(seconds / size), unit);
  }
  return formatDay(then, locale, now.getFullYear() === then.getFullYear());
}

export function formatDay(date: Date, locale: string, isThisYear = false): string {
  return new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(date);
}

export function formatMoment(date: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(date);
}
