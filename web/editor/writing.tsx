import type { ReactNode } from "react";

import { NoteEditor } from "./note-editor.tsx";
import { PropertiesEditor } from "./properties-editor.tsx";

interface WritingProps {
  readonly path: string;
  /** The file as it was last seen; null until it came. */
  readonly text: string | null;
  readonly onDone: () => void;
}

/** A note with its properties, to be written. Loaded when it is first used. */
export function Writing({ path, text, onDone }: WritingProps): ReactNode {
  return (
    <>
      <PropertiesEditor key={path} path={path} text={text} />
      <NoteEditor path={path} onDone={onDone} />
    </>
  );
}
