/** What stands before every address of a vault that is one of several: `/v/NAME`. Nothing before those of one person's vault. */
export function baseOf(pathname: string): string {
  return /^\/v\/[^/]+/u.exec(pathname)?.[0] ?? "";
}

export const BASE = typeof window === "undefined" ? "" : baseOf(window.location.pathname);

/** The name of what is kept in the browser for this vault: others of the same service are of the same origin. */
export function keptAs(name: string): string {
  return BASE + name;
}
