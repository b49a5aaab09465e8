import type { ReactNode } from "react";

import { COMMAND_KEY } from "../app/shortcuts.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { COMMANDS } from "./commands.ts";
import { Dialog } from "./dialog.tsx";
import { paletteTexts } from "./palette-texts.ts";

const { writing, elsewhere } = paletteTexts.keys;

/** Keys that are no commands: they do something where one is. */
const GROUPS: readonly {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
}[] = [
  {
    title: writing.title,
    rows: [
      [writing.bold, `${COMMAND_KEY} B`],
      [writing.italic, `${COMMAND_KEY} I`],
      [writing.link, `${COMMAND_KEY} K`],
      [writing.save, `${COMMAND_KEY} S`],
      [writing.indent, "Tab"],
      [writing.noteLink, "[["],
      [writing.tag, "#"],
      [writing.undo, `${COMMAND_KEY} Z`],
    ],
  },
  {
    title: elsewhere.title,
    rows: [
      [elsewhere.send, `${COMMAND_KEY} ↵`],
      [elsewhere.ask, "↵"],
      [elsewhere.tree, "↑ ↓ ← →"],
      [elsewhere.close, "Esc"],
    ],
  },
];

function Row({ title, keys }: { readonly title: string; readonly keys: string }): ReactNode {
  return (
    <div className="contents">
      <dt>{title}</dt>
      <dd>
        <kbd className="rounded border border-line px-1.5 font-sans text-muted">{keys}</kbd>
      </dd>
    </div>
  );
}

/** All keys, and what they do. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog label={paletteTexts.shortcuts} onClose={onClose}>
      <div className="p-5">
        <h2 className="mb-3 text-lg font-semibold">{paletteTexts.shortcuts}</h2>
        <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 text-sm">
          {COMMANDS.map(({ id, title, keys }) =>
            keys === undefined ? null : <Row key={id} title={title} keys={keys} />,
          )}
        </dl>
        {GROUPS.map(({ title, rows }) => (
          <section key={title} className="mt-5">
            <h3 className="mb-2 text-sm font-semibold text-muted">{title}</h3>
            <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 text-sm">
              {rows.map(([what, keys]) => (
                <Row key={what} title={what} keys={keys} />
              ))}
            </dl>
          </section>
        ))}
        <div className="mt-4 flex justify-end">
          <Button onClick={onClose}>{texts.nav.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
