import { useMemo, type ReactNode } from "react";

import type { ShownFile } from "../../src/server/api/contract.ts";
import type { LineRange } from "../app/addresses.ts";
import { splitFrontmatter } from "../markdown/frontmatter.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { texts } from "../texts/texts.ts";
import { isMarkdown } from "../tree/paths.ts";
import { Empty } from "../ui/notice.tsx";
import { FrontmatterLine } from "./frontmatter-line.tsx";
import { SourceLines } from "./source-lines.tsx";

interface FileTextProps {
  readonly file: ShownFile;
  readonly lines: LineRange | null;
  readonly anchor: string | null;
  readonly isNumbered: boolean;
}

/** Characters: the layout of a longer note would take seconds. */
const LONGEST = 400_000;

/** The text of a file: a note as it is read, or its lines. */
export function FileText({ file, lines, anchor, isNumbered }: FileTextProps): ReactNode {
  const { path, text, tokens } = file;
  const { fields, body, linesBefore } = useMemo(() => splitFrontmatter(text), [text]);
  const isNote = isMarkdown(path);
  const isLong = text.length > LONGEST;
  if (text.trim() === "") return <Empty icon="file" title={texts.file.empty} />;
  return (
    <article>
      {isNote ? <FrontmatterLine fields={fields} tokens={tokens} /> : null}
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
        />
      )}
    </article>
  );
}
