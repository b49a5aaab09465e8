import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { COMMANDS } from "./commands.ts";
import { Dialog } from "./dialog.tsx";

/** All keys, and what they do. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog label={texts.palette.shortcuts} onClose={onClose}>
      <div className="p-5">
        <h2 className="mb-3 text-lg font-semibold">{texts.palette.shortcuts}</h2>
        <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 text-sm">
          {COMMANDS.filter(({ keys }) => keys !== undefined).map(({ id, title, keys }) => (
            <div key={id} className="contents">
              <dt>{title}</dt>
              <dd>
                <kbd className="rounded border border-line px-1.5 font-sans text-muted">{keys}</kbd>
              </dd>
            </div>
          ))}
        </dl>
        <div className="mt-4 flex justify-end">
          <Button onClick={onClose}>{texts.nav.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
