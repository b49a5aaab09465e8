import { useEffect, useState, type ReactNode } from "react";

import { useStore } from "../api/store.ts";
import { currentTab } from "../editor/tab.ts";
import { me } from "./me.ts";
import { teamTexts as texts } from "./team-texts.ts";

interface ReadOnlyNoteProps {
  /** The path of a note. */
  readonly note: string | null;
  readonly where: "note" | "folder" | "vault";
}

/** Says in words why there is nothing to write with, and that what was written before is not lost. */
export function ReadOnlyNote({ note, where }: ReadOnlyNoteProps): ReactNode {
  const isKnown = useStore(me) !== null;
  const hasDraft = useDraft(note, isKnown);
  if (!isKnown) return null;
  const said = { note: texts.readsHere, folder: texts.readsFolder, vault: texts.readsOnly }[where];
  return (
    <p className="text-xs text-muted">
      {said}
      {hasDraft ? ` ${texts.keptDraft}` : ""}
    </p>
  );
}

/** Whether something of a note was written in this tab and not saved. */
function useDraft(note: string | null, isKnown: boolean): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    if (note === null || !isKnown) return undefined;
    let isWanted = true;
    void (async () => {
      const { drafts } = await currentTab();
      if (isWanted) setHas(drafts.has(note));
    })();
    return () => {
      isWanted = false;
    };
  }, [note, isKnown]);
  return has;
}
