/** What stands after the last space of a query that is not within quotes; a key, and a value, may end with an open quote. */
const END =
  /(?:^|\s)(-?(?:\p{L}[\p{L}\p{N}_.-]*(?::(?:"[^"]*|[^\s"]*))?|"[^"]+":(?:"[^"]*|[^\s"]*)|"[\p{L}\p{N}][^"]*))$/u;
/** Fewer letters of a key are the beginning of any word. */
const SHORTEST_KEY = 2;

/** The end of a query that may become a filter: a key that is begun, or a key with a value that is begun; null when there is none. */
export function typedFilter(query: string): string | null {
  const typed = END.exec(query)?.[1];
  if (typed === undefined) return null;
  const isKey = !typed.includes(":");
  return isKey && typed.replace(/^-?"?/u, "").length < SHORTEST_KEY ? null : typed;
}

/** The query with a filter in place of what was typed of it; after a whole filter one goes on with a space. */
export function withFilter(query: string, filter: string): string {
  const typed = typedFilter(query) ?? "";
  const rest = query.slice(0, query.length - typed.length);
  return `${rest}${filter}${filter.endsWith(":") || filter.endsWith("/") ? "" : " "}`;
}
