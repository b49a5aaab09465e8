import { useMemo, type ReactNode } from "react";

import type { LinksAnswer, ShownFile } from "../../src/server/api/contract.ts";
import { useAccess } from "../api/access.ts";
import type { LineRange } from "../app/addresses.ts";
import { meaningsOf } from "../links/link-meanings.ts";
import { splitFrontmatter } from "../markdown/frontmatter.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { texts } from "../texts/texts.ts";
import { isMarkdown } from "../tree/paths.ts";
import { Empty } from "../ui/notice.tsx";
import { Canvas } from "./canvas.tsx";
import { tickTask } from "./file-changes.ts";
import { FrontmatterLine } from "./frontmatter-line.tsx";
import { SourceLines } from "./source-lines.tsx";

interface FileTextProps {
  readonly file: ShownFile;
  readonly lines: LineRange | null;
  readonly anchor: string | null;
  readonly isNumbered: boolean;
  /** Of a note, as far as they are known. */
  readonly links?: LinksAnswer | null;
}

/** Characters: what a browser lays out without effort, in pieces. */
const LONGEST = 2_000_000;

/** The text of a file: a note as it is read, or its lines. */
export function FileText(props: FileTextProps): ReactNode {
  const { file, lines, anchor, isNumbered, links = null } = props;
  const { path, text, tokens } = file;
  const mayWrite = useAccess().mayWrite(path);
  const { properties, body, linesBefore } = useMemo(() => splitFrontmatter(text), [text]);
  const meanings = useMemo(() => (links === null ? null : meaningsOf(links)), [links]);
  const onTick = useMemo(() => {
    if (!mayWrite) return undefined;
    return (line: number, isDone: boolean) => {
      const at = line + linesBefore;
      const seen = text.split("\n")[at - 1]?.replace(/\r$/u, "") ?? "";
      void tickTask(path, at, seen, isDone);
    };
  }, [mayWrite, path, text, linesBefore]);
  const isNote = isMarkdown(path);
  const isLong = text.length > LONGEST;
  if (path.endsWith(".canvas") && !isNumbered && lines === null) {
    return <Canvas text={text} file={path} />;
  }
  if (text.trim() === "") return <Empty icon="file" title={texts.file.empty} />;
  return (
    <article>
      {isNote ? <FrontmatterLine properties={properties} tokens={tokens} file={path} /> : null}
      {isNote && isLong ? <p className="mb-4 text-sm text-muted">{texts.file.long}</p> : null}
      {isNumbered || isLong || !isNote ? (
        <SourceLines text={text} marked={lines} />
      ) : (
        <Markdown
          text={body}
          file={path}
          linesBefore={linesBefore}
          marked={lines}
          anchor={anchor}
          meanings={meanings}
          onTick={onTick}
        />
      )}
    </article>
  );
}
