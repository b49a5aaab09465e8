const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  SECONDLY: ["every second", "seconds"],
  MINUTELY: ["every minute", "minutes"],
  HOURLY: ["hourly", "hours"],
  DAILY: ["daily", "days"],
  WEEKLY: ["weekly", "weeks"],
  MONTHLY: ["monthly", "months"],
  YEARLY: ["yearly", "years"],
};

const DAYS: Readonly<Record<string, string>> = {
  MO: "Monday",
  TU: "Tuesday",
  WE: "Wednesday",
  TH: "Thursday",
  FR: "Friday",
  SA: "Saturday",
  SU: "Sunday",
};

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** How an entry of a calendar repeats, in words: `FREQ=WEEKLY;COUNT=4` is "weekly, 4 times". What has no words here stays as it is. */
export function repeatText(rule: string, timeText: (value: string) => string): string {
  const parts = new Map(
    rule.split(";").map((part): [string, string] => {
      const [name = "", value = ""] = part.split("=");
      return [name.toUpperCase(), value];
    }),
  );
  const [alone, several] = UNITS[parts.get("FREQ") ?? ""] ?? [];
  if (alone === undefined) return rule;
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const words = [interval > 1 ? `every ${interval} ${several}` : alone];
  const days = listOf(parts.get("BYDAY"), dayText);
  const months = listOf(parts.get("BYMONTH"), (month) => MONTHS[Number(month) - 1] ?? null);
  const dates = listOf(parts.get("BYMONTHDAY"), (day) => (/^\d+$/u.test(day) ? day : null));
  if (days === null || months === null || dates === null) return rule;
  if (days !== "") words.push(` on ${days}`);
  if (dates !== "") words.push(` on day ${dates}`);
  if (months !== "") words.push(` in ${months}`);
  const [count, until] = [parts.get("COUNT"), parts.get("UNTIL")];
  if (count !== undefined) words.push(`, ${count} times`);
  if (until !== undefined) words.push(`, until ${timeText(until)}`);
  const known = /^(?:FREQ|INTERVAL|BYDAY|BYMONTH|BYMONTHDAY|COUNT|UNTIL|WKST|)$/u;
  return [...parts.keys()].every((name) => known.test(name)) ? words.join("") : rule;
}

/** Null when one of them has no words. */
function listOf(
  values: string | undefined,
  textOf: (value: string) => string | null,
): string | null {
  if (values === undefined) return "";
  const texts = values.split(",").map(textOf);
  return texts.includes(null) ? null : texts.join(", ");
}

const PLACES: Readonly<Record<string, string>> = {
  "1": "the first ",
  "2": "the second ",
  "3": "the third ",
  "4": "the fourth ",
  "-1": "the last ",
  "": "",
};

function dayText(day: string): string | null {
  const [, place = "", name = ""] = /^([+-]?\d*)([A-Z]{2})$/u.exec(day) ?? [];
  const [first, second] = [PLACES[place.replace("+", "")], DAYS[name]];
  return first === undefined || second === undefined ? null : first + second;
}
