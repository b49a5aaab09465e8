/*
 * Whether rules under a condition hold on a usual screen: a page is judged by what most people see of it.
 */

/** In pixels. */
const SCREEN = { width: 1440, height: 900 } as const;

/** What else a usual screen is, for those conditions that name it. */
const FACTS: Readonly<Record<string, string>> = {
  orientation: "landscape",
  hover: "hover",
  "any-hover": "hover",
  pointer: "fine",
  "any-pointer": "fine",
  "prefers-color-scheme": "light",
  "prefers-reduced-motion": "no-preference",
  "prefers-contrast": "no-preference",
  "forced-colors": "none",
  "inverted-colors": "none",
  scripting: "enabled",
  "display-mode": "browser",
  grid: "0",
};

/** Features that a usual screen has, whatever their number. */
const HAS = new Set(["width", "height", "color", "hover", "pointer", "any-hover", "any-pointer"]);

/** Whether the rules of an at-rule, given by what stands before its brace, hold. */
export function holds(condition: string): boolean {
  const [, name = "", rest = ""] = /^@([\w-]+)\s*(.*)$/su.exec(condition) ?? [];
  switch (name.toLowerCase()) {
    case "media":
      return rest.split(",").some((query) => isMet(query.trim().toLowerCase()));
    case "layer":
      return !rest.includes(",");
    case "supports":
      // Browsers know what pages ask for; a rule for those that do not is not read.
      return !/\bnot\b/iu.test(rest);
    default:
      return false;
  }
}

function isMet(query: string): boolean {
  const isNegated = query.startsWith("not ") && !query.startsWith("not (");
  const parts = query.replace(/^(?:not|only)\s+(?!\()/u, "").split(/\s+and\s+/u);
  return parts.every((part) => isPartMet(part.trim())) !== isNegated;
}

function isPartMet(part: string): boolean {
  if (part === "all" || part === "screen" || part === "") return true;
  if (/\)\s+or\s+\(/u.test(part)) return part.split(/\s+or\s+/u).some(isPartMet);
  const negated = /^not\s+(\(.*\))$/u.exec(part)?.[1];
  if (negated !== undefined) return !isPartMet(negated);
  const [, name = "", value] = /^\(\s*([\w-]+)\s*(?::\s*([^)]*?)\s*)?\)$/u.exec(part) ?? [];
  if (name === "") return isRangeMet(part);
  if (value === undefined) return HAS.has(name);
  const [, bound, side] = /^(?:(min|max)-)?(?:device-)?(width|height)$/u.exec(name) ?? [];
  if (side !== undefined) {
    const here = side === "width" ? SCREEN.width : SCREEN.height;
    return isWithin(here, bound === "min" ? ">=" : bound === "max" ? "<=" : "=", pixelsOf(value));
  }
  // As in browsers, what is not known does not hold.
  return FACTS[name] === value;
}

/** `(600px <= width < 900px)` */
function isRangeMet(part: string): boolean {
  const range =
    /^\(\s*(?:([\d.]+[a-z]*)\s*(<=?|>=?|=)\s*)?(width|height)\s*(?:(<=?|>=?|=)\s*([\d.]+[a-z]*)\s*)?\)$/u;
  const [, low, lowSign, side, sign, high] = range.exec(part) ?? [];
  if (side === undefined) return false;
  const here = side === "width" ? SCREEN.width : SCREEN.height;
  const isLowMet = low === undefined || isWithin(pixelsOf(low), lowSign ?? "", here);
  return isLowMet && (high === undefined || isWithin(here, sign ?? "", pixelsOf(high)));
}

function isWithin(one: number, sign: string, other: number): boolean {
  switch (sign) {
    case ">=":
      return one >= other;
    case "<=":
      return one <= other;
    case ">":
      return one > other;
    case "<":
      return one < other;
    default:
      return one === other;
  }
}

function pixelsOf(length: string): number {
  const number = Number.parseFloat(length);
  if (/r?em$/u.test(length)) return number * 16;
  return /^[\d.]+(?:px)?$/u.test(length) ? number : Number.NaN;
}
