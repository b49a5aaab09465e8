import { useEffect, useState, type ReactNode } from "react";

import type { HighlightedPart } from "./highlight.ts";

interface CodeBlockProps {
  readonly language: string | null;
  readonly text: string;
}

/** Characters: longer code is not highlighted, because it would take too long. */
const LONGEST = 50_000;

/** Code, first plain, then highlighted when its language is known. The highlighter is loaded on first use. */
export function CodeBlock({ language, text }: CodeBlockProps): ReactNode {
  const [coloured, setColoured] = useState<{
    text: string;
    parts: readonly HighlightedPart[];
  } | null>(null);

  useEffect(() => {
    if (language === null || text.length > LONGEST) return;
    let isWanted = true;
    const colour = async (): Promise<void> => {
      const { highlight } = await import("./highlight.ts");
      const parts = highlight(language, text);
      if (isWanted && parts !== null) setColoured({ text, parts });
    };
    // Without colours it is still readable.
    colour().catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [language, text]);

  return (
    // Reached with the keyboard, because long lines are scrolled.
    <pre tabIndex={0}>
      <code>{coloured?.text === text ? coloured.parts.map(renderPart) : text}</code>
    </pre>
  );
}

function renderPart(part: HighlightedPart, index: number): ReactNode {
  if (typeof part === "string") return part;
  return (
    <span key={index} className={part.className}>
      {part.parts.map(renderPart)}
    </span>
  );
}
