import { useRef, useState, type DragEvent, type ReactNode } from "react";

import { useAccess } from "../api/access.ts";
import { useServices } from "../api/services.ts";
import { texts } from "../texts/texts.ts";

/** The middle of the page, where files may be dropped anywhere. */
export function DropZone({ children }: { readonly children: ReactNode }): ReactNode {
  const { composer } = useServices();
  const { mayAdd } = useAccess();
  const [isOver, setOver] = useState(false);
  // Every child fires enter and leave events: the zone is left when as many were left as entered.
  const depth = useRef(0);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");
  const move = (event: DragEvent, by: number): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current += by;
    setOver(mayAdd && depth.current > 0);
  };
  return (
    <div
      className="relative flex min-w-0 flex-1 flex-col"
      onDragEnter={(event) => move(event, 1)}
      onDragLeave={(event) => move(event, -1)}
      onDragOver={(event) => move(event, 0)}
      // Before the editor takes a picture, which ends there.
      onDropCapture={() => {
        depth.current = 0;
        setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        // Without the right to keep it, it is not opened in place of the page either.
        if (mayAdd) composer.attach(event.dataTransfer.files);
      }}
    >
      {children}
      {isOver ? (
        <div className="pointer-events-none absolute inset-3 z-10 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/90 text-lg font-medium">
          {texts.composer.drop}
        </div>
      ) : null}
    </div>
  );
}
