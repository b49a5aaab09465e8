import { isDeepStrictEqual } from "node:util";

import { BOM } from "../../text/utf8.ts";
import type { Server } from "./clients.ts";
import { renewed } from "./keeping.ts";
import { isSettings, type Settings } from "./settings.ts";

/** A server, and the key under which a file lists it. */
export interface Placement extends Server {
  readonly servers: string;
}

/** A language that clients write their files in. Its functions throw {@link CannotMerge}. */
export interface ConfigFormat {
  /** A file that says this and nothing else. */
  render(placement: Placement): string;
  /** What a file says. */
  parse(text: string): Settings;
  /** The text with the server added, or put in the place of the one of that name. */
  place(text: string, placement: Placement): string;
}

/** The file has to be left as it is. The message completes the sentence "it was not changed: …". */
export class CannotMerge extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CannotMerge";
  }
}

export interface Merged {
  readonly text: string;
  /** What was said of a server of that name before; undefined when there was none. */
  readonly previous: unknown;
}

/** Lists a server in the text of a file; all else in it stays. The text is the same when the server is listed just so. */
export function merge(text: string, placement: Placement, format: ConfigFormat): Merged {
  const mark = text.startsWith(BOM) ? BOM : "";
  const body = text.slice(mark.length);
  if (body.trim() === "") return { text: mark + format.render(placement), previous: undefined };
  const before = format.parse(body);
  const listed = serversIn(before, placement);
  const previous = Object.hasOwn(listed, placement.name) ? listed[placement.name] : undefined;
  const { entry } = renewed(previous, placement.entry);
  if (isDeepStrictEqual(previous, entry)) return { text, previous };
  const meant = { ...placement, entry };
  const merged = format.place(body, meant);
  if (!isAsMeant(before, merged, meant, format)) {
    throw new CannotMerge("its servers are written in a way that coffre cannot add to");
  }
  return { text: mark + merged, previous };
}

/** The proof that nothing else was touched: read again, it says what it said before, and the server. */
function isAsMeant(
  before: Settings,
  merged: string,
  placement: Placement,
  format: ConfigFormat,
): boolean {
  const servers = { ...serversIn(before, placement), [placement.name]: placement.entry };
  try {
    return isDeepStrictEqual(format.parse(merged), { ...before, [placement.servers]: servers });
  } catch (error) {
    if (error instanceof CannotMerge) return false;
    throw error;
  }
}

function serversIn(settings: Settings, { servers }: Placement): Settings {
  const found = Object.hasOwn(settings, servers) ? settings[servers] : {};
  if (isSettings(found)) return found;
  throw new CannotMerge(`"${servers}" in it is not a list of servers by their names`);
}

/** How the lines of a text end. */
export function lineEnding(text: string): string {
  return /\r?\n/u.exec(text)?.[0] ?? "\n";
}
