/*
 * Number formats of spreadsheets (`#,##0.00 "kg"`, `0%`, `[Red]-0.0`): what a cell shows for a number.
 */

/** Formats that workbooks name by number only. */
export const BUILT_IN_FORMATS: ReadonlyMap<number, string> = new Map([
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [5, '"$"#,##0_);("$"#,##0)'],
  [6, '"$"#,##0_);("$"#,##0)'],
  [7, '"$"#,##0.00_);("$"#,##0.00)'],
  [8, '"$"#,##0.00_);("$"#,##0.00)'],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [14, "yyyy-mm-dd"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm"],
  [19, "h:mm:ss"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "yyyy-mm-dd h:mm"],
  [37, "#,##0_);(#,##0)"],
  [38, "#,##0_);(#,##0)"],
  [39, "#,##0.00_);(#,##0.00)"],
  [40, "#,##0.00_);(#,##0.00)"],
  [41, "#,##0"],
  [42, '"$"#,##0'],
  [43, "#,##0.00"],
  [44, '"$"#,##0.00'],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss"],
  [48, "##0.0E+0"],
  [49, "@"],
]);

const LONGEST_CODE = 500;
const MOST_DECIMALS = 20;
/** Of digits below the line of a fraction. */
const MOST_PLACES = 3;
/** Spreadsheets have a 29 February 1900, so that days before it count from one day later. */
const FIRST_OF_MARCH_1900 = 61;

/** What a cell shows for a number. Dates and times are shown as ISO has them, whatever order the format asks for. */
export function formatNumber(value: number, code: string, isFrom1904: boolean): string {
  if (code === "" || code.length > LONGEST_CODE || /^(?:general|@)$/iu.test(code))
    return rounded(value);
  const letters = code.replaceAll(/"[^"]*"|\\.|_.|\[[^\]]*\]/gu, "").toLowerCase();
  const isElapsed = /\[h+\]|\[m+\]|\[s+\]/iu.test(code);
  const hasDay = /[yd]/u.test(letters) || /m{3,}/u.test(letters);
  const hasTime = isElapsed || /[hs]/u.test(letters);
  if (hasDay || hasTime) return dateText(value, { hasDay, hasTime, isElapsed, isFrom1904 });
  return sectionText(value, code);
}

const DAY = 24 * 60 * 60 * 1000;

interface DateFormat {
  readonly hasDay: boolean;
  readonly hasTime: boolean;
  /** Hours that go on after 24. */
  readonly isElapsed: boolean;
  readonly isFrom1904: boolean;
}

/** Dates count days from the end of 1899, or from 1904. */
function dateText(value: number, { hasDay, hasTime, isElapsed, isFrom1904 }: DateFormat): string {
  if (isElapsed && !hasDay) {
    const seconds = Math.round(Math.abs(value) * 86_400);
    const two = (number: number): string => String(Math.floor(number)).padStart(2, "0");
    return `${value < 0 ? "-" : ""}${two(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
  }
  const start = Date.UTC(isFrom1904 ? 1904 : 1899, isFrom1904 ? 0 : 11, isFrom1904 ? 1 : 30);
  const isBeforeMarch = hasDay && !isFrom1904 && value >= 1 && value < FIRST_OF_MARCH_1900 - 1;
  const time = new Date(start + Math.round((value + (isBeforeMarch ? 1 : 0)) * DAY));
  if (Number.isNaN(time.getTime())) return rounded(value);
  const [day = "", clock = ""] = time.toISOString().split("T");
  if (hasDay) return hasTime ? `${day} ${clock.slice(0, 5)}` : day;
  return clock.slice(0, 8);
}

/** The section of the format for a number like this one, filled with it. */
function sectionText(value: number, code: string): string {
  const sections = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/u);
  const isNegative = value < 0;
  const chosen =
    isNegative && sections.length > 1
      ? (sections[1] ?? "")
      : value === 0 && sections.length > 2
        ? (sections[2] ?? "")
        : (sections[0] ?? "");
  // A section of its own for negative numbers has their sign, or brackets.
  const sign = isNegative && sections.length < 2 ? "-" : "";
  const shown = filled(Math.abs(value), chosen);
  return shown === null ? rounded(value) : sign + shown;
}

interface Piece {
  readonly text: string;
  readonly isNumber: boolean;
}

/** Null for formats that are not followed. */
function filled(value: number, section: string): string | null {
  const pieces = piecesOf(section);
  const pattern = pieces
    .filter(({ isNumber }) => isNumber)
    .map(({ text }) => text)
    .join("");
  if (pattern.includes("/")) return fractionText(value, section);
  const percents = pieces.filter(({ isNumber, text }) => !isNumber && text === "%").length;
  const number = digitsText(value * 100 ** Math.min(2, percents), pattern);
  let isWritten = false;
  const shown = pieces.map(({ text, isNumber }) => {
    if (!isNumber) return text;
    if (isWritten) return "";
    isWritten = true;
    return number;
  });
  return shown.join("").replaceAll(/ {2,}/gu, " ").trim();
}

/** `1 1/5` for 1.2: with as many digits below the line as the format has places, or with the number it names. */
function fractionText(value: number, section: string): string | null {
  const [, whole = "", , below = ""] =
    /([0#?][0#?,]*\s+)?([0#?]+)\s*\/\s*([0#?]+|\d+)/u.exec(section) ?? [];
  const places = below.length;
  if (places === 0 || places > MOST_PLACES) return null;
  const integer = whole === "" ? 0 : Math.floor(value);
  const rest = value - integer;
  const named = /^[1-9]\d*$/u.test(below) ? Number(below) : null;
  let [over, under] = [Math.round(rest * (named ?? 1)), named ?? 1];
  const most = named === null ? 10 ** places : 0;
  for (let each = 2; each < most; each += 1) {
    const nearest = Math.round(rest * each);
    const isNearer = Math.abs(nearest / each - rest) < Math.abs(over / under - rest) - 1e-12;
    if (isNearer) [over, under] = [nearest, each];
  }
  if (whole === "") return `${over}/${under}`;
  if (over === under) return String(integer + 1);
  if (over === 0) return String(integer);
  return integer === 0 ? `${over}/${under}` : `${integer} ${over}/${under}`;
}

/** Literal text, and the places of digits. */
function piecesOf(section: string): Piece[] {
  const pieces: Piece[] = [];
  const token =
    /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.|([0#?][0#?.,/]*(?:E[+-]?0+)?|\.[0#?]+)|(.)/giu;
  for (const [, quoted, escaped, currency, digits, other] of section.matchAll(token)) {
    const text = quoted ?? escaped ?? currency ?? other ?? "";
    if (digits !== undefined) pieces.push({ text: digits, isNumber: true });
    else if (text !== "") pieces.push({ text, isNumber: false });
  }
  return pieces;
}

function digitsText(value: number, pattern: string): string {
  if (pattern === "") return "";
  if (/e[+-]?0/iu.test(pattern)) {
    const decimals = /\.([0#?]+)/u.exec(pattern)?.[1]?.length ?? 0;
    const [mantissa = "", power = "0"] = value
      .toExponential(Math.min(MOST_DECIMALS, decimals))
      .split("e");
    const size = Math.abs(Number(power));
    return `${mantissa}E${Number(power) < 0 ? "-" : "+"}${String(size).padStart(2, "0")}`;
  }
  const [whole = "", fraction = ""] = pattern.split(".");
  // Commas at the end divide by a thousand each; one between digits groups them.
  const thousands = /,+$/u.exec(pattern)?.[0].length ?? 0;
  const isGrouped = /[0#?],+[0#?]/u.test(whole);
  const decimals = Math.min(MOST_DECIMALS, fraction.replaceAll(/[^0#?]/gu, "").length);
  const least = Math.min(MOST_DECIMALS, fraction.replaceAll(/[^0]/gu, "").length);
  const leastWhole = Math.min(MOST_DECIMALS, whole.replaceAll(/[^0]/gu, "").length);
  const scaled = value / 1000 ** Math.min(5, thousands);
  const [integer = "0", rest = ""] = Number(scaled.toPrecision(15)).toFixed(decimals).split(".");
  if (/e/u.test(integer)) return rounded(scaled);
  const padded = (integer === "0" && leastWhole === 0 ? "" : integer).padStart(leastWhole, "0");
  const grouped = isGrouped ? padded.replaceAll(/\B(?=(?:\d{3})+$)/gu, ",") : padded;
  const kept = rest.replace(new RegExp(`0{0,${Math.max(0, decimals - least)}}$`, "u"), "");
  const shown = kept === "" ? grouped : `${grouped}.${kept}`;
  return shown === "" ? "0" : shown;
}

/** Without the rounding error of binary fractions: 0.1 + 0.2 gives 0.3. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(15)));
}
