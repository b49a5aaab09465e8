import { useId, useState, type ReactNode } from "react";

import type { HistoryItem } from "../../src/server/api/contract.ts";
import { useAccess } from "../api/access.ts";
import { Link } from "../app/link.tsx";
import { fileAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { TimeAgo } from "../ui/time-ago.tsx";
import { nameOfActor, shownActor } from "./actor.ts";
import { ChangeDetails } from "./change-details.tsx";
import { FoldButton } from "./fold-button.tsx";
import { UndoButton } from "./undo-button.tsx";

interface HistoryEntryProps {
  readonly item: HistoryItem;
  /** Who made the change that this one undoes, as far as it is known. */
  readonly undoneActor?: string | undefined;
  /** Null for a change of a run, which is undone as one. */
  readonly onUndone: (() => void) | null;
}

type Change = HistoryItem["changes"][number];

/** Named one by one; of more, only their number. */
const MOST_NAMED = 3;

/** One change: who made it, and to which files; unfolded, its details. */
export function HistoryEntry({ item, undoneActor, onUndone }: HistoryEntryProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const mayUndo = useMayUndo(item.changes);
  const of = useOther(item.actor);
  const { self } = useAccess();
  const isUndone = item.undone_by !== null;
  const named = item.changes.slice(0, MOST_NAMED);
  const others = item.changes.length - named.length;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <FoldButton
          isOpen={isOpen}
          controls={details}
          label={isOpen ? texts.history.hide : texts.history.show}
          onToggle={() => setOpen(!isOpen)}
        />
        <div className="min-w-0 flex-1">
          <ul className={isUndone ? "line-through decoration-muted" : ""}>
            {named.map((change) => (
              <li key={`${change.kind} ${change.path}`} className="[overflow-wrap:anywhere]">
                <ChangeLine change={change} />
              </li>
            ))}
          </ul>
          <p className="mt-0.5 text-xs text-muted">
            {others > 0 ? `${texts.history.more(others)} · ` : ""}
            <TimeAgo at={item.at} /> · {texts.history.by(shownActor(item.actor))}
            {item.undoes === null
              ? ""
              : ` · ${undoneActor === undefined || self === null ? texts.history.undoes : texts.history.undoesOf(nameOfActor(undoneActor))}`}
          </p>
        </div>
        {isUndone ? (
          <span className="rounded-full bg-code px-2.5 py-0.5 text-xs text-muted">
            {texts.history.undone}
          </span>
        ) : onUndone === null || !mayUndo ? null : (
          <UndoButton id={item.id} of={of} onDone={onUndone} />
        )}
      </div>
      <div id={details}>{isOpen ? <ChangeDetails id={item.id} /> : null}</div>
    </li>
  );
}

/** Whether this person may write what an undo of these changes would. */
export function useMayUndo(changes: readonly Pick<Change, "path" | "to">[]): boolean {
  const { mayWrite } = useAccess();
  return changes.every(({ path, to = path }) => mayWrite(path) && mayWrite(to));
}

/** The name of somebody who is not the person at the page; null where nobody needs to be told apart. */
export function useOther(actor: string): string | null {
  const { self } = useAccess();
  const name = nameOfActor(actor);
  return self === null || name === self ? null : name;
}

const VERBS: Readonly<Record<Change["kind"], string>> = {
  create: texts.history.created,
  modify: texts.history.changed,
  move: texts.history.moved,
  remove: texts.history.deleted,
  restore: texts.history.restored,
};

function ChangeLine({ change }: { readonly change: Change }): ReactNode {
  const { kind, path, to } = change;
  const isThere = kind !== "remove" && kind !== "move";
  return (
    <>
      <span className="text-muted">{VERBS[kind]}</span>{" "}
      {isThere ? <PathLink path={path} /> : <span>{path}</span>}
      {to === undefined ? null : (
        <>
          {" → "}
          <PathLink path={to} />
        </>
      )}
    </>
  );
}

function PathLink({ path }: { readonly path: string }): ReactNode {
  return (
    <Link to={fileAddress(path)} className="rounded font-medium hover:text-accent hover:underline">
      {path}
    </Link>
  );
}
