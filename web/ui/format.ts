/** `380`, `18.3k`, `1.2M`: as `coffre tree` shows tokens. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const [size, unit] = tokens < 999_950 ? [1000, "k"] : [1_000_000, "M"];
  return `${(tokens / size).toFixed(1).replace(/\.0$/u, "")}${unit}`;
}

export function formatBytes(bytes: number, language: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return new Intl.NumberFormat(language, {
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
export function formatAgo(then: Date, now: Date, language: string): string {
  const seconds = (now.getTime() - then.getTime()) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (seconds < 10) return format.format(0, "second");
  for (const [below, unit, size] of STEPS) {
    if (seconds < below) return format.format(-Math.floor(seconds / size), unit);
  }
  return formatDay(then, language, now.getFullYear() === then.getFullYear());
}

export function formatDay(date: Date, language: string, isThisYear = false): string {
  return new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(date);
}

export function formatMoment(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(
    date,
  );
}
