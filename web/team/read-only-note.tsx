import type { ReactNode } from "react";

import { useStore } from "../api/store.ts";
import { me } from "./me.ts";
import { teamTexts as texts } from "./team-texts.ts";

/** Says in words why there is nothing to write with. */
export function ReadOnlyNote({
  where,
}: {
  readonly where: "note" | "folder" | "vault";
}): ReactNode {
  if (useStore(me) === null) return null;
  const said = { note: texts.readsHere, folder: texts.readsFolder, vault: texts.readsOnly }[where];
  return <p className="text-xs text-muted">{said}</p>;
}
