import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import type { TagsAnswer } from "../../src/server/api/contract.ts";
import { problemOf } from "../api/problem.ts";
import { getJson } from "../api/request.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/notice.tsx";
import { showToast } from "../ui/toasts.tsx";
import type { MarkdownEditor } from "./code-mirror.ts";
import { ConflictPanel } from "./conflict-panel.tsx";
import { attachImage, noteApi } from "./note-api.ts";
import { NoteSession, type SessionState } from "./note-session.ts";
import { currentTab } from "./tab.ts";

/** A note while it is written. */
export function NoteEditor({
  path,
  onDone,
}: {
  readonly path: string;
  readonly onDone: () => void;
}): ReactNode {
  const { live, files } = useServices();
  const box = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const [session, setSession] = useState<NoteSession | null>(null);

  useEffect(() => {
    let editor: MarkdownEditor | null = null;
    let isOver = false;
    let opened: NoteSession | null = null;
    const start = async (parent: HTMLElement): Promise<void> => {
      const [{ createEditor }, tab] = await Promise.all([import("./code-mirror.ts"), currentTab()]);
      if (isOver) return;
      const made = new NoteSession({
        path,
        api: noteApi,
        drafts: tab.drafts,
        isOpenTab: tab.isOpen,
        onNotice: (what) => showToast({ text: texts.write[what] }),
        onText: (text) => {
          if (editor !== null) return editor.setText(text);
          editor = createEditor({
            parent,
            text,
            label: texts.write.text,
            onChange: (changed) => made.edit(changed),
            onSave: () => void made.save(),
            onFiles: async (pictures) => insertImages(path, pictures),
            covered: () => line.current?.offsetHeight ?? 0,
            paths: () => files.files.get()?.map((file) => file.path) ?? [],
            tags: async () => (await getJson<TagsAnswer>("/api/tags")).tags,
          });
          // Somebody who began to write elsewhere while it was loading goes on there.
          if (!isWritingElsewhere()) editor.focus();
        },
      });
      opened = made;
      setSession(made);
      await made.open();
    };
    if (box.current !== null) void start(box.current);
    files.want();
    const unsubscribe = live.subscribe((event) => {
      const isOther = event.type === "file" && [...event.changed, ...event.gone].includes(path);
      if (isOther || event.type === "resync") void opened?.refresh();
    });
    return () => {
      isOver = true;
      unsubscribe();
      editor?.destroy();
      void end(opened, editor);
    };
  }, [path, live, files]);

  const finish = async (): Promise<void> => {
    await session?.save();
    if (session === null || session.state.get().status === "clean") onDone();
  };
  return (
    <div className="note-editor">
      {session === null ? null : (
        <SessionLine ref={line} session={session} onDone={() => void finish()} />
      )}
      <div ref={box} />
      {session === null ? <Loading /> : null}
    </div>
  );
}

/** What is not saved yet is sent once more, also pictures that come in later; it stays a draft until the service has it. */
async function end(session: NoteSession | null, editor: MarkdownEditor | null): Promise<void> {
  await session?.save();
  await editor?.settled();
  await session?.save();
  session?.close();
}

function isWritingElsewhere(): boolean {
  return document.activeElement?.matches("input, textarea, select") === true;
}

async function insertImages(path: string, pictures: readonly File[]): Promise<string> {
  const inserted: string[] = [];
  for (const picture of pictures) {
    try {
      inserted.push(await attachImage(path, picture));
    } catch (error) {
      showToast({ text: `${texts.write.image} ${problemOf(error).message}` });
    }
  }
  return inserted.join("\n");
}

/** How the note stands with the vault, and what to decide. */
function SessionLine({
  ref,
  session,
  onDone,
}: {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly session: NoteSession;
  readonly onDone: () => void;
}): ReactNode {
  const state = useStore(session.state);
  const isKept = useStore(session.isKept);
  const panel = useRef<HTMLDivElement>(null);
  const isConflict = state.status === "conflict";
  return (
    <>
      {/* In sight wherever one writes: nothing is saved until a conflict is decided. */}
      <div
        ref={ref}
        className="sticky top-0 z-10 -mx-2 mb-2 flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 bg-paper px-2 py-1.5 text-sm"
      >
        <Button look="solid" onClick={onDone}>
          {texts.write.done}
        </Button>
        <span
          role="status"
          className={`max-sm:order-last ${isGood(state) ? "text-muted" : "text-warn"}`}
        >
          {stateText(state, isKept)}
        </span>
        {isKept ? null : (
          <span role="alert" className="text-warn">
            {texts.write.notKept}
          </span>
        )}
        {state.status === "gone" ? (
          <Button onClick={() => void session.create()}>{texts.write.again}</Button>
        ) : null}
        {isConflict ? (
          <Button onClick={() => panel.current?.scrollIntoView({ block: "start" })}>
            {texts.write.showConflict}
          </Button>
        ) : null}
      </div>
      {isConflict ? (
        <div ref={panel} className="scroll-mt-24">
          <ConflictPanel parts={state.parts} onDecide={(choices) => session.decide(choices)} />
        </div>
      ) : null}
    </>
  );
}

function isGood({ status }: SessionState): boolean {
  return ["loading", "clean", "dirty", "saving"].includes(status);
}

/** @param isKept whether the browser has what is not saved */
function stateText(state: SessionState, isKept: boolean): string {
  if (state.status === "failed") return texts.write.failed(state.why, isKept);
  if (!isKept && state.status === "away") return texts.write.awayOnly;
  return state.status === "loading" ? texts.loading : texts.write[state.status];
}
