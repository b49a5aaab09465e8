import { useEffect, useRef, type ReactNode } from "react";

interface DialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A box above the page. Escape or a click beside it closes it; the focus then goes back to where it was. */
export function Dialog({ label, onClose, children }: DialogProps): ReactNode {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a click beside the box; Escape does the same
    <dialog
      ref={box}
      aria-label={label}
      className="mx-auto mt-[min(12vh,6rem)] max-h-[calc(100dvh-min(12vh,6rem)-1rem)] w-[min(40rem,94vw)] rounded-xl border border-line bg-raised p-0 text-ink shadow-[0_8px_40px_rgb(0_0_0/0.25)] backdrop:bg-[rgb(0_0_0/0.35)]"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
