import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import type { ConflictPart } from "./merge.ts";

/** The lines that two people changed, side by side, and what may become of them. */
export function ConflictPanel({
  parts,
  onDecide,
}: {
  readonly parts: readonly ConflictPart[];
  readonly onDecide: (choice: "mine" | "theirs" | "both") => void;
}): ReactNode {
  return (
    <section
      aria-label={texts.write.conflict}
      className="mb-4 rounded-lg border border-line bg-warn-soft p-3 text-sm"
    >
      {parts.map(({ mine, theirs }, at) => (
        <div key={at} className="mb-3 grid gap-3 sm:grid-cols-2">
          <Side title={texts.write.mine} text={mine} />
          <Side title={texts.write.theirs} text={theirs} />
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button look="solid" onClick={() => onDecide("both")}>
          {texts.write.keepBoth}
        </Button>
        <Button onClick={() => onDecide("mine")}>{texts.write.keepMine}</Button>
        <Button onClick={() => onDecide("theirs")}>{texts.write.keepTheirs}</Button>
      </div>
    </section>
  );
}

function Side({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <div>
      <h3 className="mb-1 font-medium text-warn">{title}</h3>
      <p className="whitespace-pre-wrap rounded-md border border-line bg-raised p-2 [overflow-wrap:anywhere]">
        {text}
      </p>
    </div>
  );
}
