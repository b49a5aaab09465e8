/** What only simple globs have; brackets, braces and alternatives are matched elsewhere. */
const SIMPLE = /^[^!@+()[\]{}|"\\]*$/u;
/** What has a meaning in a regular expression of PostgreSQL. */
const META = /[.^$+(){}|[\]\\]/gu;

/**
 * A glob of names, `*`, `**` and `?` as a regular expression that PostgreSQL and JavaScript read alike, for all paths that it matches and all
 * that lies under them; null for any other glob. Names of a vault in a database never begin with a dot, so nothing is said of those.
 */
export function globRegex(pattern: string): string | null {
  const segments = pattern.split("/");
  // Names with a dot in front, and two stars in a name or at the end, have rules of their own.
  const isUsual = segments.every(
    (segment) =>
      segment === "**" || (!segment.includes("**") && segment !== "" && !segment.startsWith(".")),
  );
  if (!SIMPLE.test(pattern) || !isUsual || segments.at(-1) === "**") return null;
  const parts = segments.map((segment, at) => {
    const isLast = at === segments.length - 1;
    if (segment === "**") return "(?:[^/]+/)*";
    const name = segment
      .replaceAll(META, String.raw`\$&`)
      .replaceAll("*", "[^/]*")
      .replaceAll("?", "[^/]");
    return isLast ? name : `${name}/`;
  });
  return `^(?:${parts.join("")})(?:/.*)?$`;
}
