import { Fragment, type ReactNode } from "react";

/** A line of text in which what stands between backticks is code, as models and agents write it. */
export function TickedText({ text }: { readonly text: string }): ReactNode {
  return text.split(/(`[^`]+`)/u).map((part, index) =>
    /^`[^`]+`$/u.test(part) ? (
      <code key={index} className="rounded bg-code px-1 font-mono text-[0.92em]">
        {part.slice(1, -1)}
      </code>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
