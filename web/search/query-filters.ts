/** A filter as it stands in a query: `tag:oak`, `-path:old/`, `since:2026-01-01`. */
export interface QueryFilter {
  /** As it is written. */
  readonly text: string;
  /** Where it begins in the query. */
  readonly at: number;
  readonly key: string;
  readonly value: string;
}

/** A query in its parts. */
export interface SplitQuery {
  /** Without dates: what the service searches for. */
  readonly search: string;
  readonly filters: readonly QueryFilter[];
  readonly since: string | null;
  readonly until: string | null;
  /** Whether there is anything to look for. */
  readonly isEmpty: boolean;
}

/** Neither a time (`10:30`) nor an address (`https://…`); a key with spaces or signs stands in quotes. */
const FILTER = /(?<=^|\s)-?("[^"]+"|\p{L}[\p{L}\p{N}_-]*):(?!\/\/)("[^"]+"|[^\s"]+)/gu;
const DAY = /^\d{4}-\d\d-\d\d$/u;

export function splitQuery(query: string): SplitQuery {
  const filters = [...query.matchAll(FILTER)].map(
    ({ 0: text, 1: key = "", 2: value = "", index }) => ({
      text,
      at: index,
      key: key.replaceAll('"', "").toLowerCase(),
      value: value.replaceAll('"', ""),
    }),
  );
  const dayOf = (key: string): string | null =>
    filters.findLast((filter) => filter.key === key && DAY.test(filter.value))?.value ?? null;
  const [since, until] = [dayOf("since"), dayOf("until")];
  const search = query.replaceAll(FILTER, (text, key: string, value: string) =>
    /^(?:since|until)$/iu.test(key) && DAY.test(value) ? "" : text,
  );
  const hasWords = /[\p{L}\p{N}]/u.test(search);
  return {
    search: search.trim(),
    filters,
    since,
    until,
    isEmpty: !hasWords && since === null && until === null,
  };
}

/** The query without its filters: its words. */
export function withoutFilters(query: string): string {
  return query.replaceAll(FILTER, " ");
}

export function withFilter(query: string, key: string, value: string): string {
  const shown = /\s/u.test(value) ? `"${value.replaceAll('"', "")}"` : value;
  // There is one day that a search begins at.
  const kept = key === "since" || key === "until" ? withoutKey(query, key) : query;
  return `${kept.trim()} ${key}:${shown}`.trim();
}

export function withoutFilter(query: string, filter: QueryFilter): string {
  return tidy(cut(query, filter));
}

function tidy(query: string): string {
  return query.replaceAll(/\s+/gu, " ").trim();
}

function cut(query: string, { text, at }: QueryFilter): string {
  return query.slice(0, at) + query.slice(at + text.length);
}

function withoutKey(query: string, key: string): string {
  // The last first, so that the places of those before it stay.
  const own = splitQuery(query).filters.filter((filter) => filter.key === key);
  return tidy(own.reduceRight(cut, query));
}
