import { ExpectedError } from "../../errors.ts";

const SCHEME = "vault:///";

/** A file as a resource: `vault:///projects/x/state.md` for `vault/projects/x/state.md`. */
export function resourceUri(shownPath: string): string {
  const names = shownPath.replace(/^vault\//u, "").split("/");
  return SCHEME + names.map((name) => encodeURIComponent(name)).join("/");
}

/** The path, as `vault/…`, that a resource names. */
export function resourcePath(uri: string): string {
  if (!uri.startsWith(SCHEME)) throw noResource(uri);
  try {
    return `vault/${decodeURIComponent(uri.slice(SCHEME.length))}`;
  } catch {
    throw noResource(uri);
  }
}

function noResource(uri: string): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `${JSON.stringify(uri)} is no address here. One looks like ${SCHEME}projects/NAME/state.md, with % codes for what an address cannot hold.`,
  );
}
