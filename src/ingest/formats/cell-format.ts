import { childElements, firstOf, type XmlElement } from "../convert/xml-tree.ts";

/** What a number in a cell means. */
export type CellFormat = "number" | "percent" | "date" | "time" | "date and time";

/** Formats that are defined by number only. */
const BUILT_IN: ReadonlyMap<number, CellFormat> = new Map<number, CellFormat>([
  [9, "percent"],
  [10, "percent"],
  ...[14, 15, 16, 17].map((id) => [id, "date"] as const),
  ...[18, 19, 20, 21, 45, 46, 47].map((id) => [id, "time"] as const),
  [22, "date and time"],
]);

/** The formats of a workbook, by the number that cells give as their style. */
export function cellFormats(styles: XmlElement): CellFormat[] {
  const own = new Map<number, CellFormat>();
  const written = firstOf(styles, "numFmts");
  for (const { attributes } of written === undefined ? [] : childElements(written)) {
    own.set(Number(attributes["numFmtId"]), meaningOf(attributes["formatCode"] ?? ""));
  }
  const list = firstOf(styles, "cellXfs");
  return (list === undefined ? [] : childElements(list)).map(({ attributes }) => {
    const id = Number(attributes["numFmtId"] ?? 0);
    return own.get(id) ?? BUILT_IN.get(id) ?? "number";
  });
}

/** `yyyy-mm-dd`, `0.0%`, `[$-40C]d mmmm yyyy`: what the letters outside quotes and brackets say. */
function meaningOf(code: string): CellFormat {
  const letters = code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\.|_./gu, "").toLowerCase();
  if (letters.includes("%")) return "percent";
  const hasDay = /[yd]/u.test(letters) || /m{3,}/u.test(letters);
  const hasTime = /[hs]/u.test(letters);
  if (hasDay) return hasTime ? "date and time" : "date";
  return hasTime ? "time" : "number";
}

const DAY = 24 * 60 * 60 * 1000;

/** The value of a cell as a person would write it. Dates count days from the end of 1899, or from 1904. */
export function formatCell(raw: string, format: CellFormat, isFrom1904: boolean): string {
  const value = Number(raw);
  if (raw === "" || !Number.isFinite(value)) return raw;
  if (format === "number") return rounded(value);
  if (format === "percent") return `${rounded(value * 100)} %`;
  const start = Date.UTC(isFrom1904 ? 1904 : 1899, isFrom1904 ? 0 : 11, isFrom1904 ? 1 : 30);
  const time = new Date(start + Math.round(value * DAY));
  if (Number.isNaN(time.getTime())) return raw;
  const [day = "", clock = ""] = time.toISOString().split("T");
  if (format === "date") return day;
  return format === "time" ? clock.slice(0, 8) : `${day} ${clock.slice(0, 5)}`;
}

/** Without the rounding error of binary fractions: 0.1 + 0.2 gives 0.3. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(15)));
}
