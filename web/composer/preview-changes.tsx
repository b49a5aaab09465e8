import type { ReactNode } from "react";

import type { UpdateView } from "../../src/server/api/agent-contract.ts";
import { OneChange } from "../history/change-details.tsx";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";

/** What an update would change, file by file, and the answer to it. */
export function PreviewChanges({
  update: { report, changes },
  onDecide,
}: {
  readonly update: UpdateView;
  readonly onDecide: (answer: "accept" | "reject") => void;
}): ReactNode {
  return (
    <div className="mt-1.5 space-y-3 pl-4">
      <p className="whitespace-pre-wrap">{report?.text}</p>
      {/* It scrolls, so that the keyboard must reach it. */}
      <div
        role="group"
        aria-label={texts.update.nothingYet}
        tabIndex={0}
        className="max-h-[18vh] sm:max-h-[24vh] space-y-3 overflow-y-auto"
      >
        {changes?.map((change) => (
          <OneChange key={`${change.kind} ${change.path}`} change={change} />
        ))}
      </div>
      {/* In sight whatever the window's height: the list above scrolls behind it. */}
      <div className="sticky bottom-0 -mb-3 flex flex-wrap items-center justify-end gap-2 bg-raised pb-3 pt-1">
        <span className="mr-auto text-xs text-muted">{texts.update.nothingYet}</span>
        <Button onClick={() => onDecide("reject")}>{texts.update.reject}</Button>
        <Button look="solid" onClick={() => onDecide("accept")}>
          {texts.update.accept}
        </Button>
      </div>
    </div>
  );
}
