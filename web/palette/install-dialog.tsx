import type { ReactNode } from "react";

import { install, installWay } from "../app/install.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "./dialog.tsx";

/** How this page becomes an app of its own, or why it cannot here. */
export function InstallDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const way = installWay();
  const { title, what, ways, install: label } = texts.install;
  return (
    <Dialog label={title} onClose={onClose}>
      <div className="p-5">
        <h2 className="mb-3 text-lg font-semibold">{title}</h2>
        <p className="text-muted">{what}</p>
        <p className="mt-3">{ways[way]}</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{texts.nav.close}</Button>
          {way === "button" ? (
            <Button
              look="solid"
              onClick={() => {
                void install();
                onClose();
              }}
            >
              {label}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}
