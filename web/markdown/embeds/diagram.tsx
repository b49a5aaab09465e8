import type { ReactNode } from "react";

import { texts } from "../../texts/texts.ts";
import { CodeBlock } from "../code-block.tsx";
import { SandboxedFrame } from "./sandboxed-frame.tsx";

/** A diagram of mermaid; its text when it cannot be drawn. */
export function Diagram({ source }: { readonly source: string }): ReactNode {
  return (
    <SandboxedFrame
      name="diagram"
      title={texts.note.diagram}
      message={{ source }}
      failed={
        <>
          <p className="text-sm text-muted">{texts.note.noDiagram}</p>
          <CodeBlock language={null} text={source} />
        </>
      }
    />
  );
}
