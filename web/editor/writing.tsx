import type { ReactNode } from "react";

import { splitFrontmatter } from "../markdown/frontmatter.ts";
import { NoteEditor } from "./note-editor.tsx";
import { PropertiesEditor } from "./properties-editor.tsx";

interface WritingProps {
  readonly path: string;
  /** The file as it was last seen; empty until it came. */
  readonly text: string;
  readonly onDone: () => void;
}

/** A note with its properties, to be written. Loaded when it is first used. */
export function Writing({ path, text, onDone }: WritingProps): ReactNode {
  return (
    <>
      <PropertiesEditor path={path} properties={splitFrontmatter(text).properties} />
      <NoteEditor path={path} onDone={onDone} />
    </>
  );
}
