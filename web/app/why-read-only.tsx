import { lazy, Suspense, type ReactNode } from "react";

/** Only where a team is: elsewhere everything may be written. */
const ReadOnlyNote = lazy(async () => ({
  default: (await import("../team/read-only-note.tsx")).ReadOnlyNote,
}));

/** In place of what one writes with, where the person at the page may only read. */
export function WhyReadOnly({
  note = null,
  where,
}: {
  readonly note?: string | null;
  readonly where: "note" | "folder" | "vault";
}): ReactNode {
  return (
    <Suspense>
      <ReadOnlyNote note={note} where={where} />
    </Suspense>
  );
}
