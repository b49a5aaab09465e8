import { readFileSync } from "node:fs";
import path from "node:path";

import { findOwner } from "../../src/jobs/owner/owner-lock.ts";
import type { Profile } from "../../src/tools/define.ts";
import type { Place } from "./any-client.ts";

/** How programs reach the `coffre serve` of a place over HTTP. */
export interface Reached {
  readonly headers: { readonly authorization: string };
  readonly url: (where: string) => URL;
  readonly mcp: (profile: Profile) => URL;
}

export function reached({ state }: Pick<Place, "state">): Reached {
  const address = findOwner(state)?.address;
  if (address === undefined) throw new Error("nobody serves this vault over HTTP");
  const token = readFileSync(path.join(state, "token"), "utf8").trim();
  return {
    headers: { authorization: `Bearer ${token}` },
    url: (where) => new URL(where, address),
    mcp: (profile) => new URL(`/mcp/${profile}`, address),
  };
}
