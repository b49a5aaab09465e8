import type { Services } from "../api/services.ts";
import { editAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import { showToast } from "../ui/toasts.tsx";
import type { Drafts } from "./drafts.ts";
import { noteApi, type NoteApi } from "./note-api.ts";
import { NoteSession } from "./note-session.ts";
import { currentTab } from "./tab.ts";

/** Saves that are refused because the note changed again meanwhile: after as many, the person looks. */
const MOST_SAVES = 3;

/** What became of drafts that nobody writes on: the paths of their notes. */
export interface LeftDrafts {
  readonly saved: readonly string[];
  /** In conflict, refused, or of a note that is gone. */
  readonly waiting: readonly string[];
}

export interface LeftOptions {
  readonly drafts: Pick<Drafts, "put" | "remove" | "take" | "left">;
  readonly isOpenTab: (tab: string) => boolean;
  readonly api: NoteApi;
  /** Whether a note is being written in this tab. */
  readonly isWritten: (path: string) => boolean;
}

/** Sends the drafts of this tab and of closed ones, where they go together with what the vault has. */
export async function sendLeft(options: LeftOptions): Promise<LeftDrafts> {
  const { drafts, isOpenTab, api, isWritten } = options;
  const [saved, waiting]: [string[], string[]] = [[], []];
  for (const path of drafts.left(isOpenTab)) {
    if (isWritten(path)) continue;
    let isFound = false;
    const session = new NoteSession({
      path,
      api,
      drafts,
      isOpenTab,
      onText: () => {},
      onNotice: (what) => {
        if (what === "draft") isFound = true;
      },
    });
    await session.open();
    for (let at = 0; at < MOST_SAVES && session.state.get().status === "dirty"; at += 1) {
      await session.save();
    }
    const { status } = session.state.get();
    session.close();
    if (!isFound) continue;
    // The service went away again: the next time.
    if (status === "away") break;
    (status === "clean" ? saved : waiting).push(path);
  }
  return { saved, waiting };
}

/** The same in the page, which says what became of them. */
export async function offerLeft({ router }: Pick<Services, "router">): Promise<void> {
  const { drafts, isOpen, canTell } = await currentTab();
  const { saved, waiting } = await sendLeft({
    drafts,
    api: noteApi,
    // Those of others are left alone when it cannot be told whether somebody writes there.
    isOpenTab: canTell ? isOpen : () => true,
    isWritten: (path) => {
      const { view, rest, query } = router.place.get();
      return view === "file" && rest === path && query.has("edit");
    },
  });
  const [first] = waiting;
  if (first !== undefined) {
    showToast({
      text: texts.write.leftWaiting(nameOf(first), waiting.length - 1),
      action: { label: texts.write.openDraft, run: () => router.go(editAddress(first)) },
    });
  } else if (saved.length > 0) {
    showToast({ text: texts.write.leftSaved(saved.map(nameOf)) });
  }
}
